/* Overrides, newest first. */

import { endpoint, listAnswer, parseQuery, wholeList } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { readOverrides } from '@/lib/service/steering'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const list = parseQuery(listQuery, query)
  return listAnswer(list.format, wholeList(await readOverrides(runtime, params.run)))
})
