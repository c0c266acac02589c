/** The outer edges of the API on a live server: gzip, JSON lines, CSV, events, metrics. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchAnswer } from '@/lib/contract/batch'
import { CALLS } from '@/lib/contract/calls'
import type { Changes } from '@/lib/contract/change'
import type { RolloutsAnswer } from '@/lib/contract/rollout'
import type { TaskSetDetail } from '@/lib/contract/task-set'
import { readMetrics } from '@/tests/support/prometheus'
import { startServer, type TestServer } from '@/tests/support/server'
import { toyTaskSet } from '@/tests/support/toy-run'

const NDJSON = 'application/x-ndjson'

let server: TestServer
let run: string
beforeAll(async () => {
  server = await startServer()
  const set = await server.api<TaskSetDetail>('/task-sets', { body: toyTaskSet() })
  const quotas = { 'shop/1': { lower: 0, upper: 0.5 } }
  const input = { taskSet: set.body.id, name: 'edges "of" it\n', config: { quotas } }
  run = (await server.api<{ id: string }>('/runs', { body: input })).body.id
  for (let step = 0; step < 3; step += 1) await train(step)
})
afterAll(() => server.stop())

async function train(step: number): Promise<BatchAnswer> {
  const ask = { requestId: `r${step}`, size: 6, groupSize: 2, policyVersion: step }
  const batch = (await server.api<BatchAnswer>(`/runs/${run}/batches`, { body: ask })).body
  const rows = batch.picks
    .slice(1)
    .flatMap(({ lease }) =>
      [0, 1].map((reward) => ({ id: `${lease}-${reward}`, lease, policyVersion: step, reward, messages: [] })),
    )
  await server.api(`/runs/${run}/rollouts`, { body: rows })
  return batch
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${server.token}`, ...init.headers }
  return fetch(`${server.url}/api/v1${path}`, { ...init, headers })
}

/** Without fetch, which unpacks by itself. */
async function raw(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const call = httpRequest(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.token}`, ...headers } })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return answer
}

async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

test('a task set as packed JSON lines is the set of the same JSON; a bad line is told by its number', async () => {
  const set = toyTaskSet(3, 400, 'lines')
  const lines = [{ name: set.name }, ...set.environments, ...set.tasks].map((line) => JSON.stringify(line))
  const headers = { 'content-type': NDJSON, 'content-encoding': 'gzip' }
  const post = async (text: string) =>
    send('/task-sets', { method: 'POST', body: new Uint8Array(gzipSync(text)), headers })
  const packed = (await (await post(lines.join('\n'))).json()) as TaskSetDetail
  expect(packed).toMatchObject({ name: 'lines', tasks: 1200 })
  expect((await server.api<TaskSetDetail>('/task-sets', { body: set })).body.id).toBe(packed.id)
  const refusal = await post([...lines.slice(0, 9), '{"environment":', lines[9], lines[9]].join('\n'))
  expect(refusal.status).toBe(422)
  expect(await refusal.json()).toMatchObject({ error: { issues: [{ path: 'line 10', message: 'is no JSON' }] } })
  const twice = await post([...lines, lines.at(-1)].join('\n'))
  expect(await twice.json()).toMatchObject({ error: { issues: [{ path: `line ${lines.length + 1}.key` }] } })
})

test('a report as JSON lines of more than one slice: what is bad is told by its line, the rest is kept once', async () => {
  const row = (at: number) =>
    JSON.stringify({ id: `line-${at}`, environment: 'shop/0', task: 'task/1', policyVersion: 9, reward: 1 })
  const lines = Array.from({ length: 2500 }, (_, at) => row(at))
  lines[2100] = '{"id": "torn'
  lines[3] = lines[2] ?? ''
  const post = async () => {
    const body = new Uint8Array(gzipSync(lines.join('\n').replace('"reward":1', '"reward":NaN')))
    const headers = { 'content-type': NDJSON, 'content-encoding': 'gzip' }
    return (await (await send(`/runs/${run}/rollouts`, { method: 'POST', body, headers })).json()) as RolloutsAnswer
  }
  expect(await post()).toEqual({
    accepted: 2498,
    duplicates: 1,
    untrusted: { reward_invalid: 1 },
    rejected: [{ index: 2100, id: null, reason: expect.stringMatching(/^line 2101: /) }],
  })
  expect(await post()).toMatchObject({ accepted: 0, duplicates: 2499 })
})

test('every table leaves as CSV with the rows of its JSON, and large answers are packed for whoever takes it', async () => {
  const tables = CALLS.filter(
    (call) => call.method === 'get' && call.query !== undefined && 'format' in call.query.shape,
  )
  // lists of the server and of the run; those of an import are its own test's
  const lists = tables.filter(
    (call) => call.query !== undefined && 'cursor' in call.query.shape && !call.path.replace('{run}', '').includes('{'),
  )
  expect(lists.length).toBeGreaterThan(10)
  for (const { path } of lists) {
    const url = `${path.replace('{run}', run)}?limit=5`
    const { items } = (await server.api<{ items: object[] }>(url)).body
    const answer = await send(`${url}&format=csv`, {})
    expect(answer.headers.get('content-type'), path).toBe('text/csv; charset=utf-8')
    const rows = parse(await answer.text(), { columns: true }) as object[]
    expect(rows.length, path).toBe(items.length)
  }
  for (const [path, plain] of [
    [`/api/v1/runs/${run}/tasks`, 'application/json'],
    [`/api/v1/runs/${run}/tasks?format=csv`, 'text/csv; charset=utf-8'],
    [`/api/v1/runs/${run}/rollouts/export?format=json`, 'application/json; charset=utf-8'],
  ] as const) {
    const packed = await raw(path, { 'accept-encoding': 'gzip' })
    expect([packed.headers['content-type'], packed.headers['content-encoding']], path).toEqual([plain, 'gzip'])
    expect(packed.headers.vary?.toLowerCase()).toContain('accept-encoding')
    const whole = await raw(path, { 'accept-encoding': 'gzip;q=0' })
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(await bytesOf(packed)).equals(await bytesOf(whole)), path).toBe(true)
  }
})

test('events come at once though the reader takes gzip, go on after Last-Event-ID, and end with the server', async () => {
  const stream = await raw(`/api/v1/runs/${run}/events`, { 'accept-encoding': 'gzip' })
  expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream' })
  expect(stream.headers['content-encoding']).toBeUndefined()
  const events = eventsOf(stream)
  const first = await events.next()
  await train(3)
  const second = await events.next()
  expect(second.value?.data.batch).toBe(4)
  expect(second.value?.id).toBe(String(second.value?.data.cursor))
  const missed = await eventsOf(
    await raw(`/api/v1/runs/${run}/events`, { 'last-event-id': String(first.value?.id) }),
  ).next()
  const { entries = [] } = missed.value?.data ?? {}
  expect(entries.map((entry: Changes['entries'][number]) => entry.kind)).toContain('batch')
  expect(Math.min(...entries.map((entry: Changes['entries'][number]) => entry.seq))).toBe(Number(first.value?.id) + 1)
})

test('metrics are valid text of the runs that go on, behind a token', async () => {
  expect((await fetch(`${server.url}/metrics`)).status).toBe(401)
  expect((await fetch(`${server.url}/metrics?token=${server.token}`, { redirect: 'manual' })).status).toBe(401)
  const answer = await raw('/metrics')
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const families = readMetrics((await bytesOf(answer)).toString())
  const value = (family: string, labels: object = {}) =>
    families
      .get(`envsched_${family}`)
      ?.samples.filter((sample) => matches(sample.labels, labels))
      .map((one) => one.value)
  expect(families.get('envsched_batches_total')?.samples[0]?.labels).toEqual({ run, name: 'edges \\"of\\" it\\n' })
  expect([value('batches_total'), value('picks_total'), value('leases_open')]).toEqual([[4], [24], [4]])
  expect(value('rollouts_total', { status: 'ok' })).toEqual([40 + 2498])
  expect(value('untrusted_rollouts_total')).toEqual([1])
  expect(value('informative_share', { slots: 'chosen' })).toEqual([1])
  expect(families.get('envsched_quota_use')?.samples.map(({ labels }) => labels.environment)).toEqual(['shop/1'])
  expect(value('alarms', { severity: 'bad' })).toHaveLength(1)
  const calls = families.get('envsched_call_seconds')?.samples ?? []
  const count = (call: string) =>
    calls.filter(({ name, labels }) => name.endsWith('_count') && labels.call === call).map((one) => one.value)
  expect([count('batches'), count('rollouts')]).toEqual([[4], [6]])
  expect(families.get('process_resident_memory_bytes')?.samples[0]?.value).toBeGreaterThan(1e7)
  for (const { samples } of families.values()) expect(samples.length).toBeLessThan(200)
  await server.api(`/runs/${run}`, { method: 'PATCH', body: { status: 'finished' } })
  expect(readMetrics((await bytesOf(await raw('/metrics'))).toString()).get('envsched_batches_total')?.samples).toEqual(
    [],
  )
})

test('a server that stops ends the streams of events itself', async () => {
  const stream = await raw(`/api/v1/runs/${run}/events`)
  const events = eventsOf(stream)
  await events.next()
  process.kill(server.pid, 'SIGTERM')
  expect((await events.next()).done).toBe(true)
  expect(stream.complete).toBe(true)
})

const matches = (labels: Record<string, string>, wanted: object) =>
  Object.entries(wanted).every(([name, text]) => labels[name] === text)

async function* eventsOf(stream: IncomingMessage): AsyncGenerator<{ id: string; data: Changes }> {
  let text = ''
  for await (const piece of stream) {
    text += (piece as Buffer).toString()
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, id = '', data = ''] = /^id: (\d+)\ndata: (.*)$/s.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (id !== '') yield { id, data: JSON.parse(data) as Changes }
    }
  }
}
