/* Overview of a run. */
import type { Metadata } from 'next'
import { OverviewPage } from '@/components/overview/overview-page'
import { cancelReplay, startReplay } from './actions'

export const metadata: Metadata = { title: 'Overview' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  const { run } = await params
  return <OverviewPage run={decodeURIComponent(run)} replay={{ start: startReplay, cancel: cancelReplay }} />
}
