'use client'
/* Owns what stands in place of a run's page once the run is deleted: one sentence, and where to go. */
import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { NothingState } from '@/components/ui/panel-state'
import { useDeleted } from './use-deleted'

export function RunGate({ run, children }: { run: string; children: ReactNode }) {
  const deleted = useDeleted(run)
  if (deleted === null) return children
  return (
    <main className="page">
      <NothingState title={deleted} height={320} action={<ButtonLink href="/">See the other runs</ButtonLink>} />
    </main>
  )
}
