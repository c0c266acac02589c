/* One run: state and headline numbers; pause, resume, finish, rename; delete. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { deleteQuery } from '@/lib/contract/run'
import { deleteRun } from '@/lib/service/delete-run'
import { changeRun, readRunDetail } from '@/lib/service/runs'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, now }) =>
  readRunDetail(runtime, params.run, now),
)

export const PATCH = endpoint<{ run: string }>('report', async ({ runtime, params, request, who, now }) =>
  changeRun(runtime, params.run, await bodyJson(request), who, now),
)

export const DELETE = endpoint<{ run: string }>('operate', ({ runtime, params, query, who, now }) =>
  deleteRun(runtime, params.run, parseQuery(deleteQuery, query).name ?? null, who, now),
)
