/**
 * Webhooks for alarms: a run's address, and telling it what started and what ended.
 * Owns: who may know what of it. Only scope `operate` sets it: the server then sends to whatever that person names, addresses
 * behind a firewall included. Invariants: the secret is in no answer but the one that made it, in no log and no history;
 * telling never throws and never waits.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Principal } from '@/lib/contract/access'
import type { Alarm } from '@/lib/contract/overview'
import {
  type WebhookBody,
  type WebhookEvent,
  type WebhookSet,
  type WebhookState,
  webhookInput,
} from '@/lib/contract/webhook'
import { faultOf, log } from '@/lib/service/logger'
import { requireRun } from '@/lib/service/open-run'
import type { Runtime } from '@/lib/service/runtime'
import { invalid, notFound, ServiceError } from '@/lib/service/service-error'
import { appendAudit } from '@/lib/store/audit'
import { dropWebhook, findWebhook, noteDelivery, putWebhook, type WebhookRow } from '@/lib/store/webhook'
import { postSigned } from './webhook-post'

type Told = WebhookBody['alarm'] & { sentence: Alarm['sentence'] }

export async function readWebhook(runtime: Runtime, runId: string, who: Principal): Promise<WebhookState> {
  await requireRun(runtime, runId)
  return stateOf(await findWebhook(runtime.database.db, runId), who)
}

function stateOf(row: WebhookRow | null, who: Principal): WebhookState {
  if (row === null) return { host: null, url: null, setBy: null, setAt: null, last: null }
  const { lastAt, lastEvent, lastTries, lastStatus, lastError } = row
  return {
    host: new URL(row.url).host,
    url: who.scope === 'operate' ? row.url : null,
    setBy: row.setBy,
    setAt: new Date(row.setAt).toISOString(),
    last:
      lastAt === null
        ? null
        : {
            at: new Date(lastAt).toISOString(),
            event: lastEvent as WebhookEvent,
            tries: lastTries ?? 1,
            status: lastStatus,
            error: lastError,
          },
  }
}

/** Sets it, in place of the one before. Throws invalid for another body than WebhookInput. */
export async function setWebhook(
  runtime: Runtime,
  runId: string,
  input: unknown,
  who: Principal,
  now: number,
): Promise<WebhookSet> {
  const parsed = webhookInput.safeParse(input)
  if (!parsed.success) throw invalid('webhook', parsed.error.issues)
  await requireRun(runtime, runId)
  const { url, secret = randomBytes(24).toString('base64url'), pages } = parsed.data
  const { host, port } = runtime.settings
  const row = { runId, url, secret, pages: pages ?? `http://${host}:${port}`, setBy: who.name, setAt: now }
  await runtime.database.transaction(async (tx) => {
    await putWebhook(tx, row)
    const detail = JSON.stringify({ host: new URL(url).host })
    await appendAudit(tx, { runId, at: now, actor: who.name, action: 'webhook.set', detail })
  })
  runtime.webhooks.drop(runId)
  return { state: await readWebhook(runtime, runId, who), secret }
}

export async function removeWebhook(
  runtime: Runtime,
  runId: string,
  who: Principal,
  now: number,
): Promise<WebhookState> {
  await requireRun(runtime, runId)
  await runtime.database.transaction(async (tx) => {
    if (!(await dropWebhook(tx, runId))) throw notFound('webhook of run', runId)
    await appendAudit(tx, { runId, at: now, actor: who.name, action: 'webhook.remove', detail: '{}' })
  })
  runtime.webhooks.drop(runId)
  return readWebhook(runtime, runId, who)
}

/** One try, now: its outcome is in the answer. */
export async function testWebhook(runtime: Runtime, runId: string, who: Principal, now: number): Promise<WebhookState> {
  const { run } = await requireRun(runtime, runId)
  const row = await findWebhook(runtime.database.db, runId)
  if (row === null) throw new ServiceError(409, 'no_webhook', 'There is no address to send to: set one first.')
  const sentence = `This is a test of the run "${run.name}": no alarm started.`
  const posted = await posting(runtime, row, bodyOf('test', run, row, null, sentence, now), now)()
  await note(runtime, row, 'test', now, 1, posted)
  return readWebhook(runtime, runId, who)
}

/** Tells what started and what ended, by and by. Never throws. */
export async function tellAlarms(
  runtime: Runtime,
  run: { id: string; name: string; batchCount: number },
  told: { started: readonly Told[]; ended: readonly Told[] },
  now: number,
): Promise<void> {
  if (told.started.length + told.ended.length === 0) return
  try {
    const row = await findWebhook(runtime.database.db, run.id)
    if (row === null) return
    for (const [event, alarms] of [
      ['alarm.started', told.started],
      ['alarm.ended', told.ended],
    ] as const)
      for (const { sentence, ...alarm } of alarms) {
        const body = bodyOf(event, run, row, alarm, sentence, now)
        runtime.webhooks.put(run.id, {
          post: () => posting(runtime, row, body, Date.now())(),
          tried: (tries, posted) => note(runtime, row, event, Date.now(), tries, posted),
        })
      }
  } catch (cause) {
    log('error', 'webhook_failed', { run: run.id, ...faultOf(cause) })
  }
}

function bodyOf(
  event: WebhookEvent,
  run: { id: string; name: string; batchCount: number },
  { pages }: WebhookRow,
  alarm: WebhookBody['alarm'],
  sentence: string,
  now: number,
): WebhookBody {
  return {
    event,
    delivery: randomUUID(),
    at: new Date(now).toISOString(),
    run: { id: run.id, name: run.name, batch: run.batchCount },
    alarm,
    sentence,
    link: `${pages.replace(/\/+$/, '')}/runs/${run.id}`,
  }
}

function posting(runtime: Runtime, { url, secret }: WebhookRow, told: WebhookBody, now: number) {
  const { event, delivery } = told
  const { timeoutMs } = runtime.webhooks.pace
  return () => postSigned({ url, secret, event, delivery, body: JSON.stringify(told), now, timeoutMs })
}

async function note(
  runtime: Runtime,
  row: WebhookRow,
  event: WebhookEvent,
  now: number,
  tries: number,
  posted: { status: number | null; error: string | null },
): Promise<void> {
  const outcome = {
    lastAt: now,
    lastEvent: event,
    lastTries: tries,
    lastStatus: posted.status,
    lastError: posted.error,
  }
  try {
    await runtime.database.transaction((tx) => noteDelivery(tx, row, outcome))
  } catch (cause) {
    log('error', 'webhook_note_failed', { run: row.runId, ...faultOf(cause) })
  }
}
