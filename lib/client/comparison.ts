'use client'
/**
 * Query of runs beside each other, and keeping it current: the list of runs is polled already, so this asks again only when
 * one of them moved, not oftener than every few seconds.
 */
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CompareAxis, Comparison } from '@/lib/contract/comparison'
import { get } from './request'
import { runsQuery } from './run'

const PACE_MS = 5000

/** Below /api/v1, for who wants the figures elsewhere. */
export const comparePath = (runs: readonly string[], axis: CompareAxis) =>
  `/compare?runs=${runs.join(',')}&axis=${axis}`

export const comparisonQuery = (runs: readonly string[], axis: CompareAxis) =>
  queryOptions({
    queryKey: ['compare', runs.join(','), axis],
    queryFn: ({ signal }) => get<Comparison>('/compare', { runs: runs.join(','), axis }, signal),
    enabled: runs.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })

/** Mount once on the page. */
export function useLiveComparison(runs: readonly string[]): void {
  const client = useQueryClient()
  const { data } = useQuery(runsQuery())
  const moved = (data?.items ?? [])
    .filter(({ id }) => runs.includes(id))
    .map(({ id, cursor, status }) => `${id}:${cursor}:${status}`)
    .join(' ')
  const newest = useRef(moved)
  const seen = useRef(moved)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    newest.current = moved
    if (seen.current === moved || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      seen.current = newest.current
      void client.invalidateQueries({ queryKey: ['compare'] }, { cancelRefetch: false })
    }, PACE_MS)
  }, [client, moved])
  useEffect(() => () => clearTimeout(timer.current), [])
}
