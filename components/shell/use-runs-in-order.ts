/* Owns the order of runs beside a page: sorted when it is first known and when runs come or go, still in between. */
import { useState } from 'react'
import type { RunSummary } from '@/lib/contract/run'
import { keptOrder } from '@/lib/view/run-order'

export function useRunsInOrder(runs: readonly RunSummary[]): RunSummary[] {
  const [order, setOrder] = useState<readonly string[]>([])
  const next = keptOrder(order, runs)
  if (next !== order) setOrder(next)
  const byId = new Map(runs.map((run) => [run.id, run]))
  return next.flatMap((id) => byId.get(id) ?? [])
}
