/* One alarm: keep it quiet, or tell it again. */
import { bodyJson } from '@/app/api/v1/body'
import { endpoint, wholeList } from '@/app/api/v1/endpoint'
import { quietAlarm } from '@/lib/service/alarms'

export const PATCH = endpoint<{ run: string; alarm: string }>(
  'operate',
  async ({ runtime, params, request, who, now }) =>
    wholeList(await quietAlarm(runtime, params.run, params.alarm, await bodyJson(request), who, now)),
)
