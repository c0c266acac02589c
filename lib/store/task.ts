/**
 * Tasks of a task set, by ordinal: their position in the set, which the engine speaks too.
 * Invariant: (environment, key) is unique in the set. Payloads are read only where a trainer or a page needs them.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { bulkInsert, inSlices } from './bulk'
import type { Db, Tx } from './database'
import { fromRecord, type Table } from './table'

export interface TaskRow<Payload = unknown> {
  ordinal: number
  /** ordinal of its environment */
  environment: number
  key: string
  contentHash: string
  text: string | null
  tools: string[]
  state: string[]
  checks: string[]
  payload: Payload
  pattern: string
  x: number
  y: number
}

export type TaskStructure = Omit<TaskRow, 'payload'>

const columns = {
  ordinal: 'int',
  environment: 'int',
  key: 'text',
  contentHash: 'text',
  text: 'text',
  tools: 'json',
  state: 'json',
  checks: 'json',
  pattern: 'text',
  x: 'float',
  y: 'float',
} as const

const structureTable = { columns }
const table: Table<TaskRow> = {
  name: 'Task',
  owner: 'taskSetId',
  key: ['ordinal'],
  columns: { ...columns, payload: 'json' },
}

const selectStructure = {
  ordinal: true,
  environment: true,
  key: true,
  contentHash: true,
  text: true,
  tools: true,
  state: true,
  checks: true,
  pattern: true,
  x: true,
  y: true,
} as const

const READ_ROWS = 5000

const structureOf = (record: object) => fromRecord<TaskStructure>(structureTable, record)

export async function insertTasks(tx: Tx, taskSetId: string, tasks: Iterable<TaskRow>): Promise<void> {
  await bulkInsert(tx, table, taskSetId, tasks)
}

/** All tasks in order, without payloads; read in slices, so that other work goes on between. */
export async function taskStructures(db: Db, taskSetId: string): Promise<TaskStructure[]> {
  const tasks: TaskStructure[] = []
  for (;;) {
    const found = await db.client.task.findMany({
      where: { taskSetId, ordinal: { gt: tasks.at(-1)?.ordinal } },
      orderBy: { ordinal: 'asc' },
      take: READ_ROWS,
      select: selectStructure,
    })
    for (const record of found) tasks.push(structureOf(record))
    if (found.length < READ_ROWS) return tasks
    await pause()
  }
}

/** With payloads, in no order; ordinals that do not exist are left out. */
export async function tasksByOrdinal<Payload>(
  db: Db,
  taskSetId: string,
  ordinals: readonly number[],
): Promise<TaskRow<Payload>[]> {
  const found = await inSlices(ordinals, (slice) =>
    db.client.task.findMany({ where: { taskSetId, ordinal: { in: slice } } }),
  )
  return found.map((record) => fromRecord<TaskRow<Payload>>(table, record))
}
