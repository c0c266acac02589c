/**
 * Where the alarms of each run are told, and how the newest delivery ended. Invariant: one a run; it goes with its run.
 */
import type { Db, Tx } from './database'
import { cleanText } from './table'

export interface WebhookRow {
  runId: string
  url: string
  secret: string
  pages: string
  setBy: string
  setAt: number
  lastAt: number | null
  lastEvent: string | null
  lastTries: number | null
  lastStatus: number | null
  lastError: string | null
}

export type DeliveryOutcome = Pick<WebhookRow, 'lastAt' | 'lastEvent' | 'lastTries' | 'lastStatus' | 'lastError'>

const NONE: DeliveryOutcome = { lastAt: null, lastEvent: null, lastTries: null, lastStatus: null, lastError: null }

export async function findWebhook(db: Db, runId: string): Promise<WebhookRow | null> {
  return await db.client.webhook.findUnique({ where: { runId } })
}

export async function putWebhook(tx: Tx, webhook: Omit<WebhookRow, keyof DeliveryOutcome>): Promise<void> {
  const row = { ...webhook, ...NONE }
  await tx.client.webhook.upsert({ where: { runId: webhook.runId }, create: row, update: row })
}

/** Of one that was set at that time; of another nothing is written. */
export async function noteDelivery(tx: Tx, webhook: WebhookRow, outcome: DeliveryOutcome): Promise<void> {
  const { runId, setAt } = webhook
  const lastError = outcome.lastError === null ? null : cleanText(outcome.lastError)
  await tx.client.webhook.updateMany({ where: { runId, setAt }, data: { ...outcome, lastError } })
}

export async function dropWebhook(tx: Tx, runId: string): Promise<boolean> {
  return (await tx.client.webhook.deleteMany({ where: { runId } })).count === 1
}
