/** Queries of steering. Writes and previews are server actions, handed to components as props. */
import { queryOptions } from '@tanstack/react-query'
import type { OverrideEffect } from '@/lib/contract/override-effect'
import type { List } from '@/lib/contract/page'
import type { Override, Steering } from '@/lib/contract/steering'
import { get } from './request'

export const steeringQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'steering'],
    queryFn: ({ signal }) => get<Steering>(`/runs/${run}/steering`, {}, signal),
  })

/** Newest first; what every time axis of the run marks. */
export const overridesQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'overrides'],
    queryFn: ({ signal }) => get<List<Override>>(`/runs/${run}/overrides`, {}, signal),
  })

/** The run before and after one override, over `batches` on each side. */
export const overrideEffectQuery = (run: string, override: string, batches: number) =>
  queryOptions({
    queryKey: ['run', run, 'effect', override, batches],
    queryFn: ({ signal }) =>
      get<OverrideEffect>(`/runs/${run}/overrides/${encodeURIComponent(override)}/effect`, { batches }, signal),
    placeholderData: (before) => before,
  })
