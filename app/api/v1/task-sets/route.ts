/* Task sets: register one, list them. */

import { bodyItems, bodyJson, isNdjson } from '@/app/api/v1/body'
import { endpoint, listAnswer, parseBody, parseQuery } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { taskSetInput } from '@/lib/contract/task-set'
import { registerTaskSet } from '@/lib/service/register-task-set'
import { readTaskSetDetail, readTaskSets } from '@/lib/service/task-sets'
import { taskSetOfLines } from './task-set-lines'

export const POST = endpoint('report', async ({ runtime, request, now }) => {
  const body = isNdjson(request)
    ? taskSetOfLines(await bodyItems(request), new URL(request.url).searchParams.get('name'))
    : await bodyJson(request)
  const catalog = await registerTaskSet(runtime, parseBody('task set', taskSetInput, body), now)
  return readTaskSetDetail(runtime, catalog.id)
})

export const GET = endpoint('view', async ({ runtime, query }) => {
  const { limit, cursor, format } = parseQuery(listQuery, query)
  return listAnswer(format, await readTaskSets(runtime, limit, cursor === undefined ? undefined : Number(cursor)))
})
