/* The scheduler's state for a trainer's checkpoint, and putting it back. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint } from '@/app/api/v1/endpoint'
import { restoreRun } from '@/lib/service/restore/restore-run'
import { readState } from '@/lib/service/restore/scheduler-state'

export const GET = endpoint<{ run: string }>('report', ({ runtime, params, now }) =>
  readState(runtime, params.run, now),
)

export const PUT = endpoint<{ run: string }>('report', async ({ runtime, params, request, who, now }) =>
  restoreRun(runtime, params.run, await bodyJson(request), who, now),
)
