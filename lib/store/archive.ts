/**
 * The rows of one run and of its task set, table by table, as they are stored: what an archive holds.
 * Owns: which tables there are, in an order in which each finds what it belongs to; how a long one is read in slices.
 * Must never know: what the rows mean, files. Invariant: rows go out and come in whole, so that a run read back is equal.
 */
import type { Db, Tx } from './database'

/** One row with its owner's id; bytes are Uint8Array. */
export type RawRow = Record<string, unknown>

/** How a table is walked: by a column that tells its rows apart, or by windows of one that several share. */
type Walk = { by: string; rows: number } | { windows: string; width: number }

interface ArchiveTable {
  /** the name of Prisma's delegate */
  model: string
  owner: 'taskSetId' | 'runId'
  walk: Walk
  /** a column that the database counts by itself: left out, and given anew */
  counted?: string
}

const ROWS = 1000

export const ARCHIVE_TABLES = {
  Environment: { model: 'environment', owner: 'taskSetId', walk: { by: 'ordinal', rows: ROWS } },
  Task: { model: 'task', owner: 'taskSetId', walk: { by: 'ordinal', rows: ROWS } },
  Edge: { model: 'edge', owner: 'taskSetId', walk: { windows: 'source', width: 100 } },
  LogEntry: { model: 'logEntry', owner: 'runId', walk: { by: 'seq', rows: ROWS } },
  Snapshot: { model: 'snapshot', owner: 'runId', walk: { by: 'seq', rows: 1 } },
  Batch: { model: 'batch', owner: 'runId', walk: { by: 'index', rows: 100 } },
  BatchPick: { model: 'batchPick', owner: 'runId', walk: { windows: 'batch', width: 10 } },
  Lease: { model: 'lease', owner: 'runId', walk: { by: 'number', rows: ROWS } },
  Group: { model: 'group', owner: 'runId', walk: { by: 'number', rows: ROWS } },
  Rollout: { model: 'rollout', owner: 'runId', walk: { by: 'seq', rows: ROWS } },
  Trajectory: { model: 'trajectory', owner: 'runId', walk: { by: 'rolloutId', rows: 50 } },
  PredictionBlob: { model: 'predictionBlob', owner: 'runId', walk: { by: 'batch', rows: 20 } },
  Override: { model: 'override', owner: 'runId', walk: { by: 'number', rows: 100 } },
  Alarm: { model: 'alarm', owner: 'runId', walk: { by: 'key', rows: ROWS } },
  Score: { model: 'score', owner: 'runId', walk: { windows: 'policyVersion', width: 100 } },
  AuditEvent: { model: 'auditEvent', owner: 'runId', walk: { by: 'id', rows: ROWS }, counted: 'id' },
} as const satisfies Record<string, ArchiveTable>

export type ArchiveTableName = keyof typeof ARCHIVE_TABLES
export const ARCHIVE_TABLE_NAMES = Object.keys(ARCHIVE_TABLES) as ArchiveTableName[]

export interface ArchiveOwner {
  taskSetId: string
  runId: string
}

type Order = Record<string, 'asc' | 'desc'>

/** What is used of Prisma's delegates: one shape for all tables. */
interface Delegate {
  findMany(query: { where: object; orderBy?: Order; take?: number }): Promise<RawRow[]>
  findFirst(query: { where: object; orderBy: Order }): Promise<RawRow | null>
  findUnique(query: { where: { id: string } }): Promise<RawRow | null>
  count(query: { where: object }): Promise<number>
  createMany(query: { data: RawRow[] }): Promise<{ count: number }>
  update(query: { where: { id: string }; data: RawRow }): Promise<unknown>
}

const delegates = (db: Db) => db.client as unknown as Record<string, Delegate>

function delegateOf(db: Db, model: string): Delegate {
  const delegate = delegates(db)[model]
  if (delegate === undefined) throw new Error(`the store has no table "${model}"`)
  return delegate
}

/** The one row of the run or its task set, or null. */
export function rawOwner(db: Db, model: 'run' | 'taskSet', id: string): Promise<RawRow | null> {
  return delegateOf(db, model).findUnique({ where: { id } })
}

export async function countRows(db: Db, name: ArchiveTableName, owner: ArchiveOwner): Promise<number> {
  const table: ArchiveTable = ARCHIVE_TABLES[name]
  return await delegateOf(db, table.model).count({ where: { [table.owner]: owner[table.owner] } })
}

/** All rows of the table that belong to the run or its task set, a slice at a time. */
export async function* rowSlices(db: Db, name: ArchiveTableName, owner: ArchiveOwner): AsyncGenerator<RawRow[]> {
  const table: ArchiveTable = ARCHIVE_TABLES[name]
  const mine = { [table.owner]: owner[table.owner] }
  const delegate = delegateOf(db, table.model)
  const slices = 'by' in table.walk ? byKey(delegate, mine, table.walk) : byWindow(delegate, mine, table.walk)
  for await (const slice of slices) yield slice.map((row) => without(row, table.counted))
}

async function* byKey(
  delegate: Delegate,
  mine: object,
  { by, rows }: { by: string; rows: number },
): AsyncGenerator<RawRow[]> {
  let after: unknown = null
  while (true) {
    const where = after === null ? mine : { ...mine, [by]: { gt: after } }
    const slice = await delegate.findMany({ where, orderBy: { [by]: 'asc' }, take: rows })
    if (slice.length > 0) yield slice
    if (slice.length < rows) return
    after = slice.at(-1)?.[by]
  }
}

async function* byWindow(
  delegate: Delegate,
  mine: object,
  { windows, width }: { windows: string; width: number },
): AsyncGenerator<RawRow[]> {
  let from: number | null = await edgeOf(delegate, mine, windows, 'asc')
  const top = await edgeOf(delegate, mine, windows, 'desc')
  while (from !== null && top !== null && from <= top) {
    const slice = await delegate.findMany({ where: { ...mine, [windows]: { gte: from, lt: from + width } } })
    if (slice.length > 0) yield slice
    // numbers may have wide gaps: the next window begins at the next row
    from = await edgeOf(delegate, { ...mine, [windows]: { gte: from + width } }, windows, 'asc')
  }
}

async function edgeOf(
  delegate: Delegate,
  where: object,
  column: string,
  order: 'asc' | 'desc',
): Promise<number | null> {
  const row = await delegate.findFirst({ where, orderBy: { [column]: order } })
  return row === null ? null : Number(row[column])
}

function without(row: RawRow, column: string | undefined): RawRow {
  if (column === undefined) return row
  const { [column]: _counted, ...rest } = row
  return rest
}

/** Rows that do not fit their table. Its message names no value of them: rows hold trajectories. */
export class UnfitRowsError extends Error {
  constructor(readonly table: string) {
    super(`rows of "${table}" do not fit their table`)
  }
}

/** Prisma's words for values of a wrong kind, too long, twice there, or missing. */
const UNFIT = ['P2000', 'P2002', 'P2003', 'P2011', 'P2012', 'P2020']

async function fitting<T>(table: string, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const isUnfit = UNFIT.includes(code) || (cause instanceof Error && cause.name === 'PrismaClientValidationError')
    if (isUnfit) throw new UnfitRowsError(table)
    throw cause
  }
}

/** Throws UnfitRowsError. */
export async function writeOwner(tx: Tx, model: 'run' | 'taskSet', row: RawRow): Promise<void> {
  await fitting(model === 'run' ? 'Run' : 'TaskSet', delegateOf(tx, model).createMany({ data: [row] }))
}

/** Writes the row over the one with its id. Throws UnfitRowsError. */
export async function replaceOwner(tx: Tx, model: 'run' | 'taskSet', row: RawRow & { id: string }): Promise<void> {
  const written = delegateOf(tx, model).update({ where: { id: row.id }, data: row })
  await fitting(model === 'run' ? 'Run' : 'TaskSet', written)
}

/** Rows as `rowSlices` gave them, under that owner. Throws UnfitRowsError where one is there already or does not fit its table. */
export async function writeRows(
  tx: Tx,
  name: ArchiveTableName,
  owner: ArchiveOwner,
  rows: readonly RawRow[],
): Promise<void> {
  const table: ArchiveTable = ARCHIVE_TABLES[name]
  if (rows.length === 0) return
  const data = rows.map((row) => ({ ...row, [table.owner]: owner[table.owner] }))
  await fitting(name, delegateOf(tx, table.model).createMany({ data }))
}
