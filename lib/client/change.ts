'use client'
/**
 * Live pages by cursor polling: asks what moved, and marks the run's queries stale when something did.
 * Owns: the pace. Invariant: keeps data on the screen while it asks; a hidden page asks rarely.
 */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Changes } from '@/lib/contract/change'
import { deletedReason, get } from './request'

const PACE_MS = 1000
const QUIET_MS = 2500
/** What only the log can change: reports that no batch has absorbed yet leave it as it is. */
const OF_THE_LOG = new Set<unknown>([
  'calibration',
  'graph',
  'evidence',
  'steering',
  'tasks',
  'patterns',
  'overrides',
  'effect',
])

export const changesQuery = (run: string) =>
  queryOptions({
    queryKey: ['changes', run],
    queryFn: ({ signal }) => get<Changes>(`/runs/${run}/changes`, {}, signal),
    refetchInterval: ({ state }) => (deletedReason(state.error) === null ? PACE_MS : false),
  })

/** Mount once a run page. Returns the newest answer, undefined before the first. */
export function useLiveRun(run: string): { changes: Changes | undefined; failed: boolean } {
  const client = useQueryClient()
  const { data, isError } = useQuery(changesQuery(run))
  const trailing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const seen = useRef<{ cursor: number; reports: string } | null>(null)
  useEffect(() => {
    if (data === undefined) return
    const now = { cursor: data.cursor, reports: `${data.rollouts}:${data.status}` }
    const before = seen.current
    seen.current = now
    if (before === null) return
    const moved = now.cursor !== before.cursor
    if (!moved && now.reports === before.reports) return
    const stale = (key: readonly unknown[]) => key[0] === 'run' && key[1] === run && (moved || !OF_THE_LOG.has(key[2]))
    // A request in flight goes on, since on a slow server a cancelled one would never arrive; but it may be from before
    // the change, so once all is quiet they are asked again.
    const refresh = () =>
      void client.invalidateQueries({ predicate: (query) => stale(query.queryKey) }, { cancelRefetch: false })
    refresh()
    clearTimeout(trailing.current)
    trailing.current = setTimeout(refresh, QUIET_MS)
  }, [client, data, run])
  useEffect(() => () => clearTimeout(trailing.current), [])
  return { changes: data, failed: isError }
}
