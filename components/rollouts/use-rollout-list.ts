'use client'
/* Owns the loaded part of the list: the newest page, which follows the run, and older pages below it.
   Invariant: once a person has scrolled or chosen, groups that are new stay above and are only counted, so that nothing moves. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { olderGroupsQuery, type RolloutSearch, rolloutGroupsQuery } from '@/lib/client/rollout'
import type { RolloutGroup } from '@/lib/contract/rollout-group'

export interface RolloutList {
  groups: RolloutGroup[]
  /** false until the first page is there */
  known: boolean
  /** what is shown is of these filters, not of those before */
  settled: boolean
  error: Error | null
  retry: () => void
  /** matching rollouts, null where only reading all would tell; and all of the run */
  total: number | null
  of: number
  newer: number
  /** rollouts looked through for text so far */
  searched: number
  more: (() => void) | null
  loading: boolean
}

/** `below`: group number that the list begins under, null for the newest. */
export function useRolloutList(run: string, search: RolloutSearch, below: number | null, on: boolean): RolloutList {
  const head = useQuery({ ...rolloutGroupsQuery(run, search, below), enabled: on, placeholderData: keepPreviousData })
  const first = head.data
  const next = first?.next ?? null
  const older = useInfiniteQuery({ ...olderGroupsQuery(run, search, next), enabled: false })
  const pages = next === null ? [] : (older.data?.pages ?? [])
  const last = pages.at(-1) ?? first
  const loading = head.isFetching || older.isFetching
  return {
    groups: [...(first?.items ?? []), ...pages.flatMap(({ items }) => items)],
    known: first !== undefined,
    settled: first !== undefined && !head.isPlaceholderData,
    error: first === undefined ? head.error : older.error,
    retry: () => void (first === undefined ? head.refetch() : older.fetchNextPage()),
    total: first?.total ?? null,
    of: first?.of ?? 0,
    newer: first?.newer ?? 0,
    searched: (first?.searched ?? 0) + pages.reduce((sum, { searched }) => sum + searched, 0),
    more: last === undefined || last.next === null ? null : () => void older.fetchNextPage(),
    loading,
  }
}
