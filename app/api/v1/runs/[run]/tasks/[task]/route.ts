/* Everything about one task of a run. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readTask } from '@/lib/service/read-task'

export const GET = endpoint<{ run: string; task: string }>('view', ({ runtime, params }) =>
  readTask(runtime, params.run, params.task),
)
