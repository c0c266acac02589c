/**
 * A stand-in for the server, for what a live one cannot be made to do: be away, fail twice, answer late, keep the bytes.
 * It issues picks from what was registered, in order; the live server is tested beside it (live-server.test.ts).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface Call {
  method: string
  path: string
  gzip: boolean
  authorization: string | undefined
  body: unknown
}

/**
 * A status to refuse with, also with a Retry-After; `close`: the connection, without a word; `half`: in the middle of the
 * answer; `page`: a web page as 200, as from a proxy; `list`: JSON of another shape; `silent`: never answers.
 */
export type Failure = number | { status: number; retryAfter: string } | 'close' | 'half' | 'page' | 'list' | 'silent'

export interface StandIn {
  url: string
  port: number
  calls: Call[]
  /** what to do to the next calls, before it behaves again: a status, or a way to die */
  failures: Failure[]
  stop(): Promise<void>
}

interface Registered {
  tasks: { environment: string; key: string; payload?: unknown }[]
}

export async function standIn(port = 0): Promise<StandIn> {
  const calls: Call[] = []
  const failures: Failure[] = []
  let registered: Registered = { tasks: [] }
  const batches = new Map<string, unknown>()
  const seen = new Set<string>()

  function answer(call: Call): unknown {
    if (call.path.endsWith('/task-sets')) {
      registered = call.body as Registered
      return { id: 'set1' }
    }
    if (call.path.endsWith('/runs')) return { id: 'run1', key: (call.body as { key: string }).key }
    if (call.path.endsWith('/batches')) {
      const ask = call.body as { requestId: string; size: number; groupSize: number }
      const picks = registered.tasks.slice(0, ask.size).map((task, at) => ({
        lease: `${ask.requestId}.${at}`,
        environment: task.environment,
        task: task.key,
        id: `t${at}`,
        groupSize: ask.groupSize,
        slot: 'score',
        payload: task.payload ?? null,
        reason: 'first',
      }))
      const batch = {
        batch: `b${batches.size}`,
        index: batches.size,
        fallback: { rung: 'none', why: null },
        picks,
        notes: [],
      }
      if (!batches.has(ask.requestId)) batches.set(ask.requestId, batch)
      return batches.get(ask.requestId)
    }
    if (call.path.endsWith('/rollouts')) {
      const rows = call.body as { id: string; reward: number | null }[]
      const fresh = rows.filter((row) => !seen.has(row.id))
      for (const row of fresh) seen.add(row.id)
      const missing = fresh.filter((row) => row.reward === null).length
      const untrusted = missing > 0 ? { reward_missing: missing } : {}
      return { accepted: fresh.length, duplicates: rows.length - fresh.length, untrusted, rejected: [] }
    }
    return { id: 'run1', status: 'live' }
  }

  const server = createServer((request, response) => {
    void read(request).then((bytes) => {
      const gzip = request.headers['content-encoding'] === 'gzip'
      const text = (gzip ? gunzipSync(bytes) : bytes).toString()
      const call: Call = {
        method: request.method ?? '',
        path: request.url ?? '',
        gzip,
        authorization: request.headers.authorization,
        body: text === '' ? null : (JSON.parse(text) as unknown),
      }
      calls.push(call)
      const failure = failures.shift()
      if (failure !== undefined) {
        fail(failure, response)
        return
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer(call)))
    })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const bound = (server.address() as AddressInfo).port
  return { url: `http://127.0.0.1:${bound}`, port: bound, calls, failures, stop: () => stop(server) }
}

function fail(failure: Failure, response: ServerResponse): void {
  if (failure === 'silent') return
  if (failure === 'close') response.destroy()
  else if (failure === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"id": "ru', () => response.destroy())
  } else if (failure === 'page' || failure === 'list') {
    response.writeHead(200)
    response.end(failure === 'page' ? '<html>Log in</html>' : '["id"]')
  } else {
    const status = typeof failure === 'number' ? failure : failure.status
    const headers = typeof failure === 'number' ? { location: '/elsewhere' } : { 'retry-after': failure.retryAfter }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    const issues = [{ path: 'size', message: 'too small' }]
    response.end(JSON.stringify({ error: { code: status === 404 ? 'not_found' : 'made_up', message: 'No.', issues } }))
  }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
