/* Where the alarms of a run are told: read, set, removed. */
import { bodyJson } from '@/app/api/v1/body'
import { endpoint } from '@/app/api/v1/endpoint'
import { readWebhook, removeWebhook, setWebhook } from '@/lib/service/alarms/webhook'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params, who }) =>
  readWebhook(runtime, params.run, who),
)

export const PUT = endpoint<{ run: string }>('operate', async ({ runtime, params, request, who, now }) =>
  setWebhook(runtime, params.run, await bodyJson(request), who, now),
)

export const DELETE = endpoint<{ run: string }>('operate', ({ runtime, params, who, now }) =>
  removeWebhook(runtime, params.run, who, now),
)
