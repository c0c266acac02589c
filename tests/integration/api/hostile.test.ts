/**
 * Calls that nobody should send, on a live server: each is answered by a status under 500 and one sentence, and the server
 * goes on.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchAnswer } from '@/lib/contract/batch'
import { CALLS } from '@/lib/contract/calls'
import { startServer, type TestServer } from '@/tests/support/server'
import { toyTaskSet } from '@/tests/support/toy-run'

let server: TestServer
let run: string
beforeAll(async () => {
  server = await startServer()
  run = await runOn(toyTaskSet())
})
afterAll(() => server.stop())

async function runOn(set: object, more: object = {}): Promise<string> {
  const { body } = await server.api<{ id: string }>('/task-sets', { body: set })
  return (await server.api<{ id: string }>('/runs', { body: { taskSet: body.id, name: 'hostile', ...more } })).body.id
}

async function send(path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${server.token}`, ...init.headers }
  const response = await fetch(`${server.url}/api/v1${path}`, { ...init, headers })
  return { status: response.status, text: await response.text() }
}

/** A refusal in the one error shape. */
function refused({ status, text }: { status: number; text: string }): void {
  expect(status, text).toBeGreaterThanOrEqual(400)
  expect(status, text).toBeLessThan(500)
  const { error } = JSON.parse(text) as { error: { message: string } }
  expect(error.message).toMatch(/^[^\n]+\.$/)
}

const IDS = ['nope', 'l99999999', 't99999999', 'b99999999', 'e0', '%00', 'a%2Fb', '-1', '999999999999999']

test('unknown ids of every kind, and queries that cannot be, are refused by a sentence', async () => {
  const reads = CALLS.filter((call) => call.method === 'get' && call.path.includes('{'))
  for (const { path } of reads)
    for (const id of IDS) {
      refused(await send(path.replace(/\{\w+\}/g, id)))
      if (/\}.*\{/.test(path)) refused(await send(path.replace('{run}', run).replace(/\{\w+\}/, id)))
    }
  const paged = CALLS.filter(
    (call) => call.method === 'get' && call.query !== undefined && 'cursor' in call.query.shape,
  )
  const bad = ['cursor=abc', 'cursor=-1', 'cursor=1.5', 'cursor=NaN', 'limit=0', 'limit=1001']
  for (const { path, query: known } of paged)
    for (const query of known !== undefined && 'format' in known.shape ? [...bad, 'format=xml'] : bad)
      refused(await send(`${path.replace('{run}', run)}?${query}`))
  for (const path of [
    '/changes?since=-1',
    '/changes?since=x',
    '/tasks/t1/evidence?batch=0',
    '/tasks/t1/evidence?batch=x',
  ])
    refused(await send(`/runs/${run}${path}`))
  refused(await send('/no/such/call'))
})

test('bodies that are none, and a batch that cannot be', async () => {
  for (const path of ['/task-sets', '/runs', `/runs/${run}/batches`, `/runs/${run}/scores`])
    for (const body of ['', '{', 'null', '5', '"x"', '[]', '{"a":NaN}', '['.repeat(20_000) + ']'.repeat(20_000)])
      refused(await send(path, { method: 'POST', body }))
  const request = { requestId: 'r', size: 2, groupSize: 2, policyVersion: 0 }
  for (const part of [
    { size: 0 },
    { size: '8' },
    { groupSize: 1025 },
    { policyVersion: 1e12 },
    { requestId: 'a\0' },
    { requestId: '\ud800' },
  ])
    refused(await send(`/runs/${run}/batches`, { method: 'POST', body: JSON.stringify({ ...request, ...part }) }))
  const origin = { authorization: '', cookie: `envsched-${server.port}=${server.token}`, origin: 'null' }
  refused(await send(`/runs/${run}/batches`, { method: 'POST', body: '{}', headers: origin }))
})

test('one impossible rollout never loses a report, whatever is wrong with it', async () => {
  const set = toyTaskSet(2, 20)
  const wide = { ...set, environments: set.environments.map(({ rewardRange: _range, ...rest }) => rest) }
  const id = await runOn(wide)
  const deep = '['.repeat(9000) + ']'.repeat(9000)
  const parts = [
    '"reward":NaN',
    '"reward":1e999',
    '"reward":1e308',
    '"reward":-1e200',
    '"reward":1,"tokens":3000000000',
    '"reward":1,"seconds":1e308',
    '"reward":1,"policyVersion":1000000000000',
    `"reward":1,"messages":[{"role":"user","content":${deep}}]`,
    '"reward":1,"id":"\\u0000"',
    '"reward":1,"id":"\\ud800"',
    '"reward":1,"error":"\\u0000 \\ud800"',
  ]
  for (const [step, part] of parts.entries()) {
    const request = { requestId: `s${step}`, size: 1, groupSize: 2, policyVersion: step }
    const asked = await server.api<BatchAnswer>(`/runs/${id}/batches`, { body: request })
    const lease = asked.body.picks[0]?.lease
    const body = `[{"id":"bad${step}","lease":"${lease}","policyVersion":${step},${part}},{"id":"good${step}","lease":"${lease}","policyVersion":${step},"reward":1}]`
    const { status, text } = await send(`/runs/${id}/rollouts`, { method: 'POST', body })
    expect(status, part).toBe(200)
    const { accepted, rejected } = JSON.parse(text) as { accepted: number; rejected: object[] }
    expect(accepted + rejected.length, part).toBe(2)
    expect(accepted, part).toBeGreaterThanOrEqual(1)
  }
  const { body } = await server.api<{ items: object[] }>(`/runs/${id}/environments`)
  expect(body.items).toHaveLength(2)
})

test('keys that are words of the language, and a lease for ever', async () => {
  const key = '__proto__'
  const set = {
    name: 'proto',
    environments: [{ key }],
    tasks: [{ environment: key, key: 'constructor', tools: [key] }],
  }
  const id = await runOn(set)
  const request = { requestId: 'a', size: 1, groupSize: 1, policyVersion: 0 }
  expect((await server.api<BatchAnswer>(`/runs/${id}/batches`, { body: request })).body.picks).toHaveLength(1)
  expect((await send(`/runs/${id}/environments`)).status).toBe(200)
  const forever = await runOn(set, { config: { leaseSeconds: 1e308 } })
  expect(forever).toBeUndefined()
})

test('the server wrote no fault', () => {
  expect(server.log()).not.toContain('request_failed')
})

/** An open stream of events: how many came, and whether it is over. */
async function listening(path: string, token: string): Promise<{ count: number; over: boolean }> {
  const heard = { count: 0, over: false }
  const { body } = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  const reader = body?.getReader()
  const read = async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      heard.count += new TextDecoder().decode(part.value).split('data:').length - 1
  }
  void read().then(
    () => {
      heard.over = true
    },
    () => {
      heard.over = true
    },
  )
  await expect.poll(() => heard.count).toBe(1)
  return heard
}

test('a stream of events ends with its token and with its run, and leaves nothing behind', async () => {
  const own = await runOn(toyTaskSet(), { key: 'events' })
  const made = await server.api<{ id: string; token: string }>('/tokens', { body: { name: 'events', scope: 'view' } })
  const viewer = await listening(`/runs/${own}/events`, made.body.token)
  const mine = await listening(`/runs/${own}/events`, server.token)
  await server.api(`/tokens/${made.body.id}`, { method: 'DELETE' })
  await server.api(`/runs/${own}/batches`, { body: { requestId: 'e', size: 2, groupSize: 2, policyVersion: 0 } })
  await expect.poll(() => viewer.over).toBe(true)
  expect(viewer.count).toBe(1)
  await expect.poll(() => mine.count).toBeGreaterThan(1)
  expect(mine.over).toBe(false)
  await server.api(`/runs/${own}`, { method: 'DELETE' })
  await expect.poll(() => mine.over).toBe(true)
  expect(server.log()).not.toContain('Controller is already closed')
})
