/* Tasks of a run: filtered, sorted, paged. */
import { endpoint, listAnswer, parseQuery } from '@/app/api/v1/endpoint'
import { taskListQuery } from '@/lib/contract/task'
import { listTasks } from '@/lib/service/read-tasks'

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, query }) => {
  const { environment, key, q, sort, ...list } = parseQuery(taskListQuery, query)
  return listAnswer(list.format, await listTasks(runtime, params.run, { environment, key, q, sort }, list))
})
