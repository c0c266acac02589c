/* The Graph tab: how evidence travels between tasks. */
import type { Metadata } from 'next'
import { GraphPage } from '@/components/graph/graph-page'

export const metadata: Metadata = { title: 'Graph' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  return <GraphPage run={decodeURIComponent((await params).run)} />
}
