'use client'
/* A fault of the frame of a page leaves the rail alive. */
import { PageFault } from '@/components/shell/page-fault'

export default function Fault({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="page">
      <PageFault reset={reset} />
    </main>
  )
}
