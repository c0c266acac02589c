/* The Rollouts page of a run, with its reader. */
import type { Metadata } from 'next'
import { RolloutsPage } from '@/components/rollouts/rollouts-page'

export const metadata: Metadata = { title: 'Rollouts' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  return <RolloutsPage run={decodeURIComponent((await params).run)} />
}
