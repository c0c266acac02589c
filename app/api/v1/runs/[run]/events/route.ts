/* The changes of a run as server-sent events: one at once, then one with each change. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readChanges } from '@/lib/service/runs'

/* A comment line keeps proxies from closing a quiet stream. */
const BEAT_MS = 15_000

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, request, now }) => {
  const first = await readChanges(runtime, params.run, null, now)
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let cursor = first.cursor
      const send = (data: unknown) =>
        controller.enqueue(encoder.encode(`id: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`))
      send(first)
      const follow = async () => {
        const next = await readChanges(runtime, params.run, cursor, Date.now())
        cursor = next.cursor
        if (!request.signal.aborted) send(next)
      }
      const stop = runtime.announcer.listen((run) => {
        if (run === params.run) follow().catch((cause: unknown) => controller.error(cause))
      })
      const beat = setInterval(() => controller.enqueue(encoder.encode(': beat\n\n')), BEAT_MS)
      request.signal.addEventListener('abort', () => {
        stop()
        clearInterval(beat)
        controller.close()
      })
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
})
