/** Queries of environments and their series. */
import { queryOptions } from '@tanstack/react-query'
import type { EnvironmentRow, EnvironmentSeries } from '@/lib/contract/environment'
import type { List } from '@/lib/contract/page'
import { get } from './request'

export const environmentsQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'environments'],
    queryFn: ({ signal }) => get<List<EnvironmentRow>>(`/runs/${run}/environments`, { limit: 1000 }, signal),
  })

export const seriesQuery = (run: string, last = 32) =>
  queryOptions({
    queryKey: ['run', run, 'series', last],
    queryFn: ({ signal }) => get<EnvironmentSeries>(`/runs/${run}/series`, { last }, signal),
  })
