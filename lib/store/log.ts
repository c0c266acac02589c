/**
 * The run's log: the only thing that the engine's state is made from.
 * Invariant: numbers are 1, 2, 3... without gaps; an entry never changes except for `superseded` (set by a restore);
 * its payload is text, so the floats that are read are those that were written, to the bit.
 */
import { bulkInsert } from './bulk'
import type { Db, Tx } from './database'
import { fromRecord, type Table } from './table'

export interface LogRow<Entry = unknown> {
  seq: number
  epoch: number
  kind: string
  at: number
  payload: Entry
  superseded: boolean
}

/** What an entry of any kind has; the rest of it is the payload too. */
export interface LogInput {
  kind: string
  at: number
}

const table: Table<LogRow> = {
  name: 'LogEntry',
  owner: 'runId',
  key: ['seq'],
  columns: { seq: 'int', epoch: 'int', kind: 'text', at: 'float', payload: 'json', superseded: 'bool' },
}

/**
 * Compare and set: appends the entries after `expectedSeq` and answers the new log number, or writes nothing and answers
 * null when the log has moved on. No entries: answers `expectedSeq` if it still holds.
 */
export async function appendEntries<Entry extends LogInput>(
  tx: Tx,
  runId: string,
  expectedSeq: number,
  epoch: number,
  entries: readonly Entry[],
): Promise<number | null> {
  const logSeq = expectedSeq + entries.length
  const { count } = await tx.client.run.updateMany({ where: { id: runId, logSeq: expectedSeq }, data: { logSeq } })
  if (count !== 1) return null
  const rows = entries.map((entry, index) => ({
    seq: expectedSeq + index + 1,
    epoch,
    kind: entry.kind,
    at: entry.at,
    payload: entry,
    superseded: false,
  }))
  await bulkInsert(tx, table, runId, rows)
  return logSeq
}

/** Entries after `afterSeq` up to and with `upToSeq`, in order; superseded ones only when asked for. */
export async function readEntries<Entry>(
  db: Db,
  runId: string,
  afterSeq: number,
  upToSeq?: number,
  { superseded = false } = {},
): Promise<LogRow<Entry>[]> {
  const found = await db.client.logEntry.findMany({
    where: { runId, seq: { gt: afterSeq, lte: upToSeq }, superseded: superseded ? undefined : false },
    orderBy: { seq: 'asc' },
  })
  return found.map((record) => fromRecord<LogRow<Entry>>(table, record))
}

/** One entry, or null; its payload as the text that was written. */
export async function findEntry(db: Db, runId: string, seq: number): Promise<LogRow<string> | null> {
  return await db.client.logEntry.findUnique({
    where: { runId_seq: { runId, seq } },
    select: { seq: true, epoch: true, kind: true, at: true, payload: true, superseded: true },
  })
}

/** Entries of one kind after a log number, in order, superseded ones too. */
export async function entriesOfKind<Entry>(
  db: Db,
  runId: string,
  kind: string,
  afterSeq = 0,
): Promise<LogRow<Entry>[]> {
  const found = await db.client.logEntry.findMany({
    where: { runId, kind, seq: { gt: afterSeq } },
    orderBy: { seq: 'asc' },
  })
  return found.map((record) => fromRecord<LogRow<Entry>>(table, record))
}

/** Runs that have an entry at that number. */
export async function runsWithEntry(db: Db, seq: number): Promise<string[]> {
  const found = await db.client.logEntry.findMany({ where: { seq }, select: { runId: true } })
  return found.map(({ runId }) => runId)
}

/** The newest entries, superseded ones too, newest first, without their payloads: what a feed of changes shows. */
export async function recentEntries(
  db: Db,
  runId: string,
  afterSeq: number,
  limit: number,
): Promise<Omit<LogRow, 'payload'>[]> {
  return await db.client.logEntry.findMany({
    where: { runId, seq: { gt: afterSeq } },
    orderBy: { seq: 'desc' },
    take: limit,
    select: { seq: true, epoch: true, kind: true, at: true, superseded: true },
  })
}
