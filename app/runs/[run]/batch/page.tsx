/* The Batch page of a run. */
import type { Metadata } from 'next'
import { BatchPage } from '@/components/batch/batch-page'
import { proposeNext } from './actions'

export const metadata: Metadata = { title: 'Batch' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  return <BatchPage run={decodeURIComponent((await params).run)} propose={proposeNext} />
}
