/** Alarms told to a receiver on loopback: one that takes them, is slow, answers 500, sends elsewhere, or is not there. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type WebhookBody, webhookBody } from '@/lib/contract/webhook'
import { evaluateAlarms } from '@/lib/service/alarms'
import { readWebhook, removeWebhook, setWebhook, tellAlarms, testWebhook } from '@/lib/service/alarms/webhook'
import { WebhookQueue } from '@/lib/service/alarms/webhook-queue'
import { readAudit } from '@/lib/service/read-lists'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { listAlarms, upsertAlarms } from '@/lib/store/alarm'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun } from '@/tests/support/toy-run'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: WebhookBody
}

const received: Received[] = []
let answers: (number | 'slow')[] = []
const slow: ServerResponse[] = []
const receiver = createServer(async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as WebhookBody })
  const answer = answers.shift() ?? 204
  if (answer === 'slow') slow.push(response)
  else response.writeHead(answer, { location: '/elsewhere' }).end()
})

let database: TestDatabase
let runtime: Awaited<ReturnType<typeof openTestRuntime>>
let run: string
let url: string
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?a=secret-part`
  database = await createTestDatabase('sqlite')
  const opened = await openTestRuntime(database.url)
  runtime = Object.assign(opened, { webhooks: new WebhookQueue({ pauses: [5, 5, 5], timeoutMs: 700, most: 3 }) })
  run = await startToyRun(runtime)
})
beforeEach(() => {
  received.length = 0
  answers = []
})
afterAll(async () => {
  await runtime.end()
  await database.drop()
  for (const response of slow) response.destroy()
  receiver.closeAllConnections()
  receiver.close()
})

const state = () => readWebhook(runtime, run, OPERATOR)
const told = (id: string) => ({
  id,
  kind: 'waste' as const,
  severity: 'warn' as const,
  environment: null,
  title: 'Waste',
  sentence: `${id} is told.`,
  since: 1,
})
const tell = (...ids: string[]) =>
  tellAlarms(runtime, { id: run, name: 'toy run', batchCount: 3 }, { started: ids.map(told), ended: [] }, START)

test('without an address nothing is told, and what is no address is refused', async () => {
  await tell('lost')
  expect(await state()).toEqual({ host: null, url: null, setBy: null, setAt: null, last: null })
  await expect(testWebhook(runtime, run, OPERATOR, START)).rejects.toMatchObject({ status: 409 })
  for (const bad of ['ftp://a.org', 'https://user:pw@a.org', 'nothing'])
    await expect(setWebhook(runtime, run, { url: bad }, OPERATOR, START)).rejects.toMatchObject({ status: 422 })
})

test('a test arrives signed; the secret is told once, the address to whoever may operate', async () => {
  const set = await setWebhook(runtime, run, { url, pages: 'https://dash.example.org/' }, OPERATOR, START)
  expect(set.secret).toMatch(/^[\w-]{32}$/)
  const after = await testWebhook(runtime, run, OPERATOR, START)
  expect(after.last).toEqual({ at: new Date(START).toISOString(), event: 'test', tries: 1, status: 204, error: null })
  const [got] = received
  expect(webhookBody.parse(got?.body)).toMatchObject({ event: 'test', alarm: null, run: { id: run, batch: 0 } })
  expect(got?.body.link).toBe(`https://dash.example.org/runs/${run}`)
  const [, seconds = '', signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(got?.headers['x-envsched-signature'])) ?? []
  expect(Number(seconds)).toBe(START / 1000)
  expect(signature).toBe(createHmac('sha256', set.secret).update(`${seconds}.${got?.text}`).digest('hex'))
  const viewer = await readWebhook(runtime, run, { name: 'v', scope: 'view' })
  expect([viewer.host, viewer.url]).toEqual([new URL(url).host, null])
  const history = JSON.stringify([await state(), await readAudit(runtime, run, { limit: 50, format: 'json' })])
  expect(history).not.toContain(set.secret)
  expect(history.match(/secret-part/g)).toHaveLength(1)
  const given = await setWebhook(runtime, run, { url, secret: 'given-by-the-person' }, OPERATOR, START + 1)
  expect([given.secret, given.state.last]).toEqual(['given-by-the-person', null])
})

test('an alarm that starts and one that ends are told, without holding up the batch', async () => {
  for (let step = 0; step < 8; step += 1) {
    const batch = await ask(runtime, run, step)
    const rows = batch.picks.flatMap(({ lease, groupSize }) =>
      Array.from({ length: groupSize }, (_, k) => ({
        id: `${lease}-${k}`,
        lease,
        policyVersion: step,
        reward: null,
        status: 'infra_error',
      })),
    )
    await reportRollouts(runtime, run, rows, START + step * 60_000)
  }
  await evaluateAlarms(runtime, run)
  await expect.poll(() => received.map(({ body }) => body.event)).toContain('alarm.started')
  expect(received[0]?.body.sentence).toMatch(/\.$/)
  const gone = { ...told('waste:9'), environment: null, acknowledgedBy: null, snoozedUntil: null, endedAt: null }
  const { id: key, ...rest } = gone
  await runtime.database.transaction((tx) => upsertAlarms(tx, run, [{ ...rest, key }]))
  received.length = 0
  await evaluateAlarms(runtime, run)
  await expect
    .poll(() => received.map(({ body }) => [body.event, body.alarm?.id]))
    .toContainEqual(['alarm.ended', 'waste:9'])
  const open = (await listAlarms(runtime.database.db, run)).map((row) => row.key)
  expect(open.length).toBeGreaterThan(0)
  const before = received.length
  await evaluateAlarms(runtime, run)
  await new Promise((done) => setTimeout(done, 50))
  // what holds on is not told again
  expect(received).toHaveLength(before)
})

test('what is refused, slow or sent elsewhere is tried again, four times at most, and told in the state', async () => {
  answers = [500, 'slow', 302]
  await tell('again')
  await expect.poll(async () => (await state()).last).toMatchObject({ tries: 4, status: 204, error: null })
  expect(received.map(({ path }) => path)).toEqual(Array(4).fill(new URL(url).pathname + new URL(url).search))
  expect(new Set(received.map(({ headers }) => headers['x-envsched-delivery'])).size).toBe(1)
  answers = [503, 503, 503, 302]
  await tell('never')
  await expect
    .poll(async () => (await state()).last)
    .toMatchObject({ tries: 4, status: 302, error: 'answered 302, and redirects are not followed' })
})

test('what waits is bounded, a dead receiver is told as one, and another address drops what waits for it', async () => {
  answers = ['slow']
  await tell('1', '2', '3', '4', '5')
  await expect.poll(() => received.map(({ body }) => body.alarm?.id)).toEqual(['1', '1', '4', '5'])
  await setWebhook(runtime, run, { url: 'http://127.0.0.1:9/' }, OPERATOR, START + 2)
  await tell('dead', 'dropped')
  await setWebhook(runtime, run, { url }, OPERATOR, START + 3)
  received.length = 0
  expect((await testWebhook(runtime, run, OPERATOR, START)).last).toMatchObject({ event: 'test', error: null })
  await new Promise((done) => setTimeout(done, 80))
  // the outcome of a delivery to the address before is no outcome of this one
  expect([received.length, (await state()).last?.event]).toEqual([1, 'test'])
  await setWebhook(runtime, run, { url: 'http://127.0.0.1:9/' }, OPERATOR, START + 4)
  expect((await testWebhook(runtime, run, OPERATOR, START)).last).toMatchObject({ status: null, error: 'ECONNREFUSED' })
  expect(await removeWebhook(runtime, run, OPERATOR, START)).toMatchObject({ host: null })
  await expect(removeWebhook(runtime, run, OPERATOR, START)).rejects.toMatchObject({ status: 404 })
})
