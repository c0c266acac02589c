/* The changes of a run as server-sent events: what came since Last-Event-ID (or all that holds) at once, then each change. */

import { endpoint } from '@/app/api/v1/endpoint'
import { eventStream } from '@/app/api/v1/event-stream'
import { tokenIn } from '@/app/api/v1/token'
import { authorise } from '@/lib/service/access'
import { readChanges } from '@/lib/service/runs'

const BEAT_MS = 15_000

export const GET = endpoint<{ run: string }>('view', async ({ runtime, params, request, now }) => {
  const last = request.headers.get('last-event-id') ?? ''
  // A token may run out or be revoked while the stream is open.
  const mayRead = () => authorise(runtime, tokenIn(request), 'view', Date.now(), null)
  return eventStream({
    first: await readChanges(runtime, params.run, /^\d{1,9}$/.test(last) ? Number(last) : null, now),
    next: async (cursor) => {
      await mayRead()
      return readChanges(runtime, params.run, cursor, Date.now())
    },
    mayRead,
    listen: (changed) => runtime.announcer.listen((run) => (run === params.run ? changed() : undefined)),
    onStop: (stopped) => {
      runtime.atStop.add(stopped)
      return () => runtime.atStop.delete(stopped)
    },
    signal: request.signal,
    beatMs: BEAT_MS,
  })
})
