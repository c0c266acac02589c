/* One batch with its decision records and what came back. */

import { csvAnswer, endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { tableQuery } from '@/lib/contract/page'
import { requireNumber } from '@/lib/service/ids'
import { readBatch } from '@/lib/service/read-batches'

/* The batch's number, or its id ("b12"). */
export const GET = endpoint<{ run: string; batch: string }>('view', async ({ runtime, params, query }) => {
  const index = /^\d{1,9}$/.test(params.batch) ? Number(params.batch) : requireNumber('batch', params.batch)
  const batch = await readBatch(runtime, params.run, index)
  return parseQuery(tableQuery, query).format === 'csv' ? csvAnswer(batch.pickList) : batch
})
