/* One delivery now, to see whether it arrives. */
import { endpoint } from '@/app/api/v1/endpoint'
import { testWebhook } from '@/lib/service/alarms/webhook'

export const POST = endpoint<{ run: string }>('operate', ({ runtime, params, who, now }) =>
  testWebhook(runtime, params.run, who, now),
)
