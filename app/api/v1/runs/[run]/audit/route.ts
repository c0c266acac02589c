/* Who did what, newest first. */

import { endpoint, listAnswer, parseQuery } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { readAudit } from '@/lib/service/read-lists'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const list = parseQuery(listQuery, query)
  return listAnswer(list.format, await readAudit(runtime, params.run, list))
})
