/* The Predictions page of a run. */
import type { Metadata } from 'next'
import { PredictionsPage } from '@/components/predictions/predictions-page'

export const metadata: Metadata = { title: 'Predictions' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  return <PredictionsPage run={decodeURIComponent((await params).run)} />
}
