/**
 * Alarms of a run, one row a key: an alarm that comes back takes its old row.
 * Invariant: `since` is the batch that it began at; `endedAt` null = still on.
 */
import { bulkInsert } from './bulk'
import type { Db, Tx } from './database'
import { fromRecord, type Table } from './table'

export interface AlarmRow {
  key: string
  kind: string
  environment: number | null
  severity: string
  title: string
  sentence: string
  since: number
  acknowledgedBy: string | null
  snoozedUntil: number | null
  endedAt: number | null
}

const table: Table<AlarmRow> = {
  name: 'Alarm',
  owner: 'runId',
  key: ['key'],
  columns: {
    key: 'text',
    kind: 'text',
    environment: 'int',
    severity: 'text',
    title: 'text',
    sentence: 'text',
    since: 'int',
    acknowledgedBy: 'text',
    snoozedUntil: 'float',
    endedAt: 'float',
  },
}

export async function upsertAlarms(tx: Tx, runId: string, alarms: readonly AlarmRow[]): Promise<void> {
  await bulkInsert(tx, table, runId, alarms, 'update')
}

/** By batch, newest first; those that ended only when asked for. */
export async function listAlarms(db: Db, runId: string, options: { ended?: boolean } = {}): Promise<AlarmRow[]> {
  const found = await db.client.alarm.findMany({
    where: { runId, endedAt: options.ended === true ? undefined : null },
    orderBy: [{ since: 'desc' }, { key: 'asc' }],
  })
  return found.map((record) => fromRecord<AlarmRow>(table, record))
}
