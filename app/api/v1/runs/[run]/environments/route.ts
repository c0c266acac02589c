/* Environments: who is starved, saturated, broken. */

import { endpoint, listAnswer, parseQuery, wholeList } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { readEnvironments } from '@/lib/service/read-run-pages'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const list = parseQuery(listQuery, query)
  return listAnswer(list.format, wholeList(await readEnvironments(runtime, params.run)))
})
