'use client'
/* Owns the Runs page. */
import { Verdict } from '@/components/ui/verdict'

export function RunsPage() {
  return <Verdict>Runs</Verdict>
}
