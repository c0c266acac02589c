/* Task sets: register one, list them. */

import { bodyJson, bodyLines, isNdjson } from '@/app/api/v1/body'
import { endpoint, listAnswer, parseBody, parseQuery } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { taskSetInput, taskSetQuery } from '@/lib/contract/task-set'
import { registerTaskSet } from '@/lib/service/register-task-set'
import { readTaskSetLines } from '@/lib/service/task-set-lines'
import { readTaskSetDetail, readTaskSets } from '@/lib/service/task-sets'

export const POST = endpoint('report', async ({ runtime, request, query, now }) => {
  const { name } = parseQuery(taskSetQuery, query)
  const { input, place } = isNdjson(request)
    ? await readTaskSetLines(bodyLines(request), name ?? null)
    : { input: parseBody('task set', taskSetInput, await bodyJson(request)), place: undefined }
  const catalog = await registerTaskSet(runtime, input, now, place)
  return readTaskSetDetail(runtime, catalog.id)
})

export const GET = endpoint('view', async ({ runtime, query }) => {
  const { limit, cursor, format } = parseQuery(listQuery, query)
  return listAnswer(format, await readTaskSets(runtime, limit, cursor === undefined ? undefined : Number(cursor)))
})
