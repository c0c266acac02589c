/** The replay of a run's history: its progress while it runs, its report afterwards. */
import { queryOptions } from '@tanstack/react-query'
import type { ReplayJob } from '@/lib/contract/replay'
import { apiPath, get } from './request'

export const replayQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'replay'],
    queryFn: ({ signal }) => get<ReplayJob>(`/runs/${run}/replay`, {}, signal),
    refetchInterval: (query) => (query.state.data?.state === 'running' ? 500 : false),
  })

/** Where the whole report lies as JSON. */
export const replayAddress = (run: string) => apiPath(`/runs/${run}/replay`)
