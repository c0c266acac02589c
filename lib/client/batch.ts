/** Queries of batches: the list for the scrubber, one batch with its decision records. */
import { queryOptions } from '@tanstack/react-query'
import type { BatchDetail, BatchSummary } from '@/lib/contract/batch'
import type { List } from '@/lib/contract/page'
import { get } from './request'

/** The path of an issued batch; a proposed one is nowhere yet. */
export function batchApi(run: string, batch: { index: number }): string | undefined {
  return 'id' in batch ? `/runs/${run}/batches/${batch.index}` : undefined
}

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
