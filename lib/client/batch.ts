/** Queries of batches: the list for the scrubber, one batch with its decision records. */
import { queryOptions } from '@tanstack/react-query'
import type { BatchDetail, BatchSummary } from '@/lib/contract/batch'
import type { List } from '@/lib/contract/page'
import { get } from './request'

/** Newest first. */
export const batchesQuery = (run: string, limit = 1000) =>
  queryOptions({
    queryKey: ['run', run, 'batches', limit],
    queryFn: ({ signal }) => get<List<BatchSummary>>(`/runs/${run}/batches`, { limit }, signal),
  })

export const batchQuery = (run: string, index: number) =>
  queryOptions({
    queryKey: ['run', run, 'batch', index],
    queryFn: ({ signal }) => get<BatchDetail>(`/runs/${run}/batches/${index}`, {}, signal),
  })
