'use client'
/* Owns what stands for a page that met a fault of its own: the frame stays, and the page can be tried again. */
import { ErrorState } from '@/components/ui/panel-state'

export function PageFault({ reset }: { reset: () => void }) {
  return (
    <ErrorState title="This page met a fault" height={420} onRetry={reset}>
      The run goes on without it. If trying again does not help, reload the page.
    </ErrorState>
  )
}
