/* One task set with its environments. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readTaskSetDetail } from '@/lib/service/task-sets'

export const GET = endpoint<{ taskSet: string }>('view', ({ runtime, params }) =>
  readTaskSetDetail(runtime, params.taskSet),
)
