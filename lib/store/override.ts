/**
 * Overrides: dated, reversible instructions of a person.
 * Invariant: never changed or deleted, except for `undoneBy` (a later override lifts it) and `superseded` (a restore).
 */
import { bulkInsert } from './bulk'
import type { Db, Tx } from './database'
import { fromRecord, type Table } from './table'

export interface OverrideRow<Change = unknown> {
  number: number
  /** number of its log entry */
  seq: number
  /** first batch that it holds for */
  fromBatch: number
  change: Change
  /** batches that it holds for, null = until lifted */
  batches: number | null
  note: string
  author: string
  at: number
  before: string
  after: string
  /** number of the override that it takes out of force */
  lifts: number | null
  undoneBy: number | null
  superseded: boolean
}

const table: Table<OverrideRow> = {
  name: 'Override',
  owner: 'runId',
  key: ['number'],
  columns: {
    number: 'int',
    seq: 'int',
    fromBatch: 'int',
    change: 'json',
    batches: 'int',
    note: 'text',
    author: 'text',
    at: 'float',
    before: 'text',
    after: 'text',
    lifts: 'int',
    undoneBy: 'int',
    superseded: 'bool',
  },
}

/** Writes them and marks what they lift. */
export async function insertOverrides(
  tx: Tx,
  runId: string,
  overrides: readonly Omit<OverrideRow, 'undoneBy' | 'superseded'>[],
): Promise<void> {
  const rows = overrides.map((override) => ({ ...override, undoneBy: null, superseded: false }))
  await bulkInsert(tx, table, runId, rows)
  for (const { lifts, number } of overrides) {
    if (lifts === null) continue
    await tx.client.override.updateMany({ where: { runId, number: lifts }, data: { undoneBy: number } })
  }
}

/** All of the run's line, oldest first; superseded ones only when asked for. */
export async function listOverrides<Change>(
  db: Db,
  runId: string,
  { superseded = false } = {},
): Promise<OverrideRow<Change>[]> {
  const found = await db.client.override.findMany({
    where: { runId, superseded: superseded ? undefined : false },
    orderBy: { number: 'asc' },
  })
  return found.map((record) => fromRecord<OverrideRow<Change>>(table, record))
}
