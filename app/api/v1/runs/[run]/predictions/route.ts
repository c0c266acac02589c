/* Predictions made before each group was absorbed, beside what was realised. */

import { endpoint, listAnswer, parseQuery } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { readPredictions } from '@/lib/service/read-lists'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const list = parseQuery(listQuery, query)
  return listAnswer(list.format, await readPredictions(runtime, params.run, list))
})
