/* The changes of a run as server-sent events: one at once, then one with each change. Ends with the token or the run. */

import { endpoint } from '@/app/api/v1/endpoint'
import { tokenIn } from '@/app/api/v1/token'
import { authorise } from '@/lib/service/access'
import { readChanges } from '@/lib/service/runs'

/* A comment line keeps proxies from closing a quiet stream. */
const BEAT_MS = 15_000

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, request, now }) => {
  const first = await readChanges(runtime, params.run, null, now)
  const encoder = new TextEncoder()
  let over = false
  let stop = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let cursor = first.cursor
      const write = (text: string) => {
        if (!over) controller.enqueue(encoder.encode(text))
      }
      const send = (data: unknown) => write(`id: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`)
      const end = () => {
        if (over) return
        stop()
        controller.close()
      }
      // A token may run out or be revoked while the stream is open.
      const mayRead = () => authorise(runtime, tokenIn(request), 'view', Date.now(), null)
      const follow = async () => {
        await mayRead()
        const next = await readChanges(runtime, params.run, cursor, Date.now())
        cursor = next.cursor
        send(next)
      }
      const beat = async () => {
        await mayRead()
        write(': beat\n\n')
      }
      send(first)
      const silence = runtime.announcer.listen((run) => {
        if (run === params.run) follow().catch(end)
      })
      const timer = setInterval(() => void beat().catch(end), BEAT_MS)
      stop = () => {
        over = true
        silence()
        clearInterval(timer)
        request.signal.removeEventListener('abort', end)
      }
      request.signal.addEventListener('abort', end)
    },
    cancel() {
      stop()
    },
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
})
