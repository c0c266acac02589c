/**
 * The rows of a run by table: how many bytes they take, and deleting them, in slices of the number that orders each table.
 * Invariant: texts and blobs count as they are stored, each number as 8 bytes; indexes and page slack are not in it.
 */
import type { Db, Tx } from './database'
import { Sql } from './sql'

export interface Sum {
  rows: number
  bytes: number
}

interface Measured {
  /** the number that only grows, which slices go by */
  order: string
  /** texts and blobs */
  texts: readonly string[]
  numbers: number
}

/** Tables that grow with the run. */
const GROWING = {
  Rollout: {
    order: 'seq',
    texts: ['id', 'status', 'distrust', 'tools', 'components', 'error', 'worker'],
    numbers: 15,
  },
  Pick: { order: 'batch', texts: ['slot', 'record'], numbers: 4 },
  Batch: { order: 'index', texts: ['requestId', 'record'], numbers: 7 },
  Lease: { order: 'number', texts: ['slot', 'state'], numbers: 7 },
  Group: { order: 'number', texts: ['slot', 'state', 'statuses', 'decidedBy', 'boughtBy'], numbers: 33 },
  LogEntry: { order: 'seq', texts: ['kind', 'payload'], numbers: 4 },
  PredictionBlob: { order: 'batch', texts: ['bytes'], numbers: 1 },
  Override: { order: 'number', texts: ['change', 'note', 'author', 'before', 'after'], numbers: 8 },
  Snapshot: { order: 'seq', texts: ['bytes'], numbers: 1 },
  AuditEvent: { order: 'id', texts: ['actor', 'action', 'detail'], numbers: 2 },
} as const satisfies Record<string, Measured>

export type MeasuredTable = keyof typeof GROWING
export const MEASURED_TABLES = Object.keys(GROWING) as MeasuredTable[]

function rowBytes(sql: Sql, { texts, numbers }: Measured): string {
  return [...texts.map((name) => sql.bytes(`"${name}"`)), String(8 * numbers)].join(' + ')
}

/** Rows of the run whose number is after and up to. */
export async function sumOf(db: Db, runId: string, table: MeasuredTable, after: number, upTo: number): Promise<Sum> {
  const { order } = GROWING[table]
  const sql = new Sql(db)
  const size = rowBytes(sql, GROWING[table])
  const where = `"runId" = ${sql.take(runId)} and "${order}" > ${sql.take(after)} and "${order}" <= ${sql.take(upTo)}`
  const [row] = await sql.rows<{ rows: number; bytes: number | null }>(
    `select count(*) as "rows", ${sql.sum(size)} as "bytes" from "${table}" where ${where}`,
  )
  return { rows: row?.rows ?? 0, bytes: row?.bytes ?? 0 }
}

/** The highest number of the run in that table, 0 without rows. */
export async function highestOf(db: Db, runId: string, table: MeasuredTable): Promise<number> {
  const sql = new Sql(db)
  const [row] = await sql.rows<{ top: number | null }>(
    `select max("${GROWING[table].order}") as "top" from "${table}" where "runId" = ${sql.take(runId)}`,
  )
  return row?.top ?? 0
}

/** Deletes the run's rows of that table with numbers up to and with `upTo`. */
export async function deleteRows(tx: Tx, runId: string, table: MeasuredTable, upTo: number): Promise<void> {
  const sql = new Sql(tx)
  const statement = `delete from "${table}" where "runId" = ${sql.take(runId)} and "${GROWING[table].order}" <= ${sql.take(upTo)}`
  await tx.client.$executeRawUnsafe(statement, ...sql.values)
}

/** Tasks, environments and edges of a task set. */
export async function taskSetSum(db: Db, taskSetId: string): Promise<{ tasks: Sum; edges: Sum }> {
  const sums = async (table: string, texts: readonly string[], numbers: number): Promise<Sum> => {
    const sql = new Sql(db)
    const size = rowBytes(sql, { order: '', texts, numbers })
    const [row] = await sql.rows<{ rows: number; bytes: number | null }>(
      `select count(*) as "rows", ${sql.sum(size)} as "bytes" from "${table}" where "taskSetId" = ${sql.take(taskSetId)}`,
    )
    return { rows: row?.rows ?? 0, bytes: row?.bytes ?? 0 }
  }
  const environments = await sums('Environment', ['key', 'name', 'code', 'definition'], 5)
  const tasks = await sums('Task', ['key', 'contentHash', 'text', 'tools', 'state', 'checks', 'payload', 'pattern'], 4)
  const edges = await sums('Edge', ['kind'], 4)
  return { tasks: { rows: tasks.rows, bytes: tasks.bytes + environments.bytes }, edges }
}
