'use client'
/* A fault of a page leaves its head, tabs and strip alive. */
import { PageFault } from '@/components/shell/page-fault'

export default function Fault({ reset }: { error: Error; reset: () => void }) {
  return <PageFault reset={reset} />
}
