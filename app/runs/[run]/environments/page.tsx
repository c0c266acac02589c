/* Environments of a run. */
import type { Metadata } from 'next'
import { applyDraft, previewDraft, undoOverride } from '@/app/runs/[run]/steering/actions'
import { EnvironmentsPage } from '@/components/environments/environments-page'

export const metadata: Metadata = { title: 'Environments' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  return (
    <EnvironmentsPage
      run={decodeURIComponent((await params).run)}
      actions={{ apply: applyDraft, undo: undoOverride, preview: previewDraft }}
    />
  )
}
