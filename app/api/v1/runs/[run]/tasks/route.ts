/* Tasks of a run: filtered, sorted, paged. */
import { z } from 'zod'
import { endpoint, listAnswer, parseQuery } from '@/app/api/v1/endpoint'
import { listQuery } from '@/lib/contract/page'
import { listTasks } from '@/lib/service/read-tasks'

const taskQuery = listQuery.extend({
  environment: z.string().optional(),
  key: z.string().optional(),
  q: z.string().optional(),
  sort: z.enum(['variance', 'key', 'groups']).default('variance'),
})

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const { environment, key, q, sort, ...list } = parseQuery(taskQuery, query)
  return listAnswer(list.format, await listTasks(runtime, params.run, { environment, key, q, sort }, list))
})
