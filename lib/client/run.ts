/** Queries of runs and of the server. Keys start with ['run', id], so one call refreshes all that a run shows. */
import { queryOptions } from '@tanstack/react-query'
import type { ServerInfo } from '@/lib/contract/access'
import type { Calibration } from '@/lib/contract/calibration'
import type { Alarm, Overview } from '@/lib/contract/overview'
import type { List } from '@/lib/contract/page'
import type { RunDetail, RunSummary } from '@/lib/contract/run'
import { get } from './request'

export const runsQuery = () =>
  queryOptions({
    queryKey: ['runs'],
    queryFn: ({ signal }) => get<List<RunSummary>>('/runs', { limit: 1000 }, signal),
    refetchInterval: 3000,
  })

export const runQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'detail'],
    queryFn: ({ signal }) => get<RunDetail>(`/runs/${run}`, {}, signal),
  })

export const overviewQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'overview'],
    queryFn: ({ signal }) => get<Overview>(`/runs/${run}/overview`, {}, signal),
  })

export const calibrationQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'calibration'],
    queryFn: ({ signal }) => get<Calibration>(`/runs/${run}/calibration`, {}, signal),
  })

export const alarmsQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'alarms'],
    queryFn: ({ signal }) => get<List<Alarm>>(`/runs/${run}/alarms`, {}, signal),
  })

export const serverQuery = () =>
  queryOptions({
    queryKey: ['server'],
    queryFn: ({ signal }) => get<ServerInfo>('/server', {}, signal),
    refetchInterval: ({ state }) => (state.status === 'error' ? 2000 : 5000),
    retry: false,
  })
