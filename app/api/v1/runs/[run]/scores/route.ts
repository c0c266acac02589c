/* The trainer's own evaluation. */

import { bodyJson } from '@/app/api/v1/body'
import { endpoint } from '@/app/api/v1/endpoint'
import { recordScore } from '@/lib/service/record-score'

export const POST = endpoint<{ run: string }>('report', async ({ runtime, params, request, now }) =>
  recordScore(runtime, params.run, await bodyJson(request), now),
)
