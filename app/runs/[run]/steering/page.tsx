/* The Steering page of a run. */
import type { Metadata } from 'next'
import { SteeringPage } from '@/components/steering/steering-page'
import { applyDraft, previewDraft, undoOverride } from './actions'

export const metadata: Metadata = { title: 'Steering' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  const run = decodeURIComponent((await params).run)
  return <SteeringPage run={run} actions={{ preview: previewDraft, apply: applyDraft, undo: undoOverride }} />
}
