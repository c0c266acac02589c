/* Batches: ask for the next one, list those that were. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint, listAnswer, parseBody, parseQuery } from '@/app/api/v1/endpoint'
import { batchListQuery, batchRequest } from '@/lib/contract/batch'
import { listBatches, listBatchesWithPicks } from '@/lib/service/read-batches'
import { requestBatch } from '@/lib/service/request-batch'

export const POST = endpoint<{ run: string }>('report', async ({ runtime, params, request, now }) =>
  requestBatch(runtime, params.run, parseBody('request', batchRequest, await bodyJson(request)), now),
)

/* `include=picks` adds the decision records. */
export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const { include, ...list } = parseQuery(batchListQuery, query)
  const read = include === 'picks' ? listBatchesWithPicks : listBatches
  return listAnswer(list.format, await read(runtime, params.run, list))
})
