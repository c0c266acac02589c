/** Queries of rollouts: groups with those that match, page by page, and one rollout with its messages. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { RolloutDetail, RolloutGroups } from '@/lib/contract/rollout-group'
import { apiPath, get } from './request'

export interface RolloutSearch {
  q: string | null
  environment: string | null
  task: string | null
  policy: string | null
  status: string | null
  reward: string | null
}

/** The newest groups, or those below a group number; refreshed with the run. */
export const rolloutGroupsQuery = (run: string, search: RolloutSearch, below: number | null) =>
  queryOptions({
    queryKey: ['run', run, 'groups', search, below],
    queryFn: ({ signal }) => get<RolloutGroups>(`/runs/${run}/groups`, { ...search, cursor: below }, signal),
  })

/** What lies behind a cursor, page by page. Old groups do not change, so these are not asked for again. */
export const olderGroupsQuery = (run: string, search: RolloutSearch, cursor: string | null) =>
  infiniteQueryOptions({
    queryKey: ['older groups', run, search, cursor],
    queryFn: ({ signal, pageParam }) =>
      get<RolloutGroups>(`/runs/${run}/groups`, { ...search, cursor: pageParam }, signal),
    initialPageParam: cursor,
    getNextPageParam: (last) => last.next,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Texts longer than this are cut until they are asked for whole. */
export const TEXT_CUT = 8000

const AGAIN_MS = 3000

/** `ref`: server id of the rollout. Asked for again only while its group is not complete. */
export const rolloutQuery = (run: string, ref: string, whole: boolean) =>
  queryOptions({
    queryKey: ['rollout', run, ref, whole],
    queryFn: ({ signal }) =>
      get<RolloutDetail>(`/runs/${run}/rollouts/${encodeURIComponent(ref)}`, { cut: whole ? null : TEXT_CUT }, signal),
    staleTime: 60_000,
    refetchInterval: ({ state }) =>
      state.data !== undefined && ['out', 'partial'].includes(state.data.in.result.state) && !whole ? AGAIN_MS : false,
  })

/** Where a rollout is as JSON, all of it. */
export const rolloutHref = (run: string, ref: string) => apiPath(`/runs/${run}/rollouts/${encodeURIComponent(ref)}`)

/** Path of the API, without its base, that gives all that match as a file. */
export const rolloutExportPath = (run: string, search: RolloutSearch, format: 'csv' | 'json' | 'jsonl') =>
  apiPath(`/runs/${run}/rollouts/export`, { format, ...search })
