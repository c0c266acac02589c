/* Overview of a run. */
import type { Metadata } from 'next'
import { OverviewPage } from '@/components/overview/overview-page'

export const metadata: Metadata = { title: 'Overview' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  return <OverviewPage run={decodeURIComponent((await params).run)} />
}
