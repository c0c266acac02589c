/* What Prometheus asks for. Scope `view`, by the Authorization header (or a page's cookie); a token in an address ends up in logs. */
import { endpoint } from '@/app/api/v1/endpoint'
import { metricsText } from '@/lib/service/run-metrics'

export const GET = endpoint('view', async ({ runtime }) => {
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(await metricsText(runtime), { headers })
})
