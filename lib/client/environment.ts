/** Queries of environments, their series and the patterns. */
import { queryOptions } from '@tanstack/react-query'
import type { EnvironmentRow, EnvironmentSeries } from '@/lib/contract/environment'
import type { PatternRow } from '@/lib/contract/overview'
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

export const patternsQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'patterns'],
    queryFn: ({ signal }) => get<List<PatternRow>>(`/runs/${run}/patterns`, { limit: 1000 }, signal),
  })
