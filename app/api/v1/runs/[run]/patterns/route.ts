/* Interaction patterns and how well they are covered. */

import { endpoint, listAnswer, parseQuery, wholeList } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { readPatterns } from '@/lib/service/read-run-pages'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const list = parseQuery(listQuery, query)
  return listAnswer(list.format, wholeList(await readPatterns(runtime, params.run)))
})
