/**
 * Server-sent events: a value at once, then one with each change, and a comment now and then, which keeps proxies from
 * closing a quiet stream. Owns: the form and the life of a stream. Must never know: what the values are.
 * Invariants: values go in order, each once, the id of each is where the next goes on; nothing stays behind when the reader
 * leaves, falls too far behind, may not read any more, or the server stops.
 */
export interface Following<Value extends { cursor: number }> {
  first: Value
  /** what came after the cursor; throws where the reader may not read any more */
  next: (cursor: number) => Promise<Value>
  /** throws where the reader may not read any more */
  mayRead: () => Promise<unknown>
  /** calls back with each change; answers how to stop */
  listen: (changed: () => void) => () => void
  /** calls back when the server stops; answers how not to be */
  onStop: (stopped: () => void) => () => void
  signal: AbortSignal
  beatMs: number
}

/** Events that wait for a reader before it is left: it comes back with the last one that it saw. */
const MOST_WAITING = 100

export function eventStream<Value extends { cursor: number }>(following: Following<Value>): Response {
  let stop = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      stop = follow(controller, following)
    },
    cancel() {
      stop()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream',
      // packed, events would wait for each other
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}

function follow<Value extends { cursor: number }>(
  controller: ReadableStreamDefaultController<Uint8Array>,
  { first, next, mayRead, listen, onStop, signal, beatMs }: Following<Value>,
): () => void {
  const encoder = new TextEncoder()
  let cursor = first.cursor
  let over = false
  let reading = false
  let again = false
  const stop = () => {
    over = true
    clearInterval(timer)
    signal.removeEventListener('abort', end)
    silence()
    unstop()
  }
  const end = () => {
    if (over) return
    stop()
    controller.close()
  }
  const write = (text: string) => {
    if (over) return
    controller.enqueue(encoder.encode(text))
    if ((controller.desiredSize ?? 0) < -MOST_WAITING) end()
  }
  const send = (value: Value) => {
    cursor = value.cursor
    write(`id: ${cursor}\ndata: ${JSON.stringify(value)}\n\n`)
  }
  const changed = async () => {
    again = true
    if (reading) return
    reading = true
    while (again && !over) {
      again = false
      const value = await next(cursor)
      send(value)
    }
    reading = false
  }
  const beat = async () => {
    await mayRead()
    write(': beat\n\n')
  }
  const timer = setInterval(() => void beat().catch(end), beatMs)
  const silence = listen(() => void changed().catch(end))
  const unstop = onStop(end)
  signal.addEventListener('abort', end)
  send(first)
  if (signal.aborted) end()
  return stop
}
