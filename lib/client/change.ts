'use client'
/**
 * Live pages by cursor polling: asks what moved, and marks the run's queries stale when something did.
 * Owns: the pace. Invariant: keeps data on the screen while it asks; a hidden page asks rarely.
 */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Changes } from '@/lib/contract/change'
import { get } from './request'

const PACE_MS = 1000

export const changesQuery = (run: string) =>
  queryOptions({
    queryKey: ['changes', run],
    queryFn: ({ signal }) => get<Changes>(`/runs/${run}/changes`, {}, signal),
    refetchInterval: PACE_MS,
  })

/** Mount once a run page. Returns the newest answer, undefined before the first. */
export function useLiveRun(run: string): { changes: Changes | undefined; failed: boolean } {
  const client = useQueryClient()
  const { data, isError } = useQuery(changesQuery(run))
  const seen = useRef<string | null>(null)
  const mark = data === undefined ? null : `${data.cursor}:${data.rollouts}:${data.status}`
  useEffect(() => {
    if (mark === null || mark === seen.current) return
    const first = seen.current === null
    seen.current = mark
    if (!first) void client.invalidateQueries({ queryKey: ['run', run] })
  }, [client, mark, run])
  return { changes: data, failed: isError }
}
