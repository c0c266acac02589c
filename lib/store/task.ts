/**
 * Tasks of a task set, by ordinal: their position in the set, which the engine speaks too.
 * Invariant: (environment, key) is unique in the set. Payloads are read only where a trainer or a page needs them.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { Prisma } from '@/lib/generated/sqlite/client'
import { bulkInsert, bulkUpdate, inSlices } from './bulk'
import type { Db, Tx } from './database'
import { type Page, type PageQuery, pageOf } from './page'
import { cleanText, fromRecord, type Table } from './table'

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

export interface TaskFilter {
  environment?: number
  pattern?: string
  /** part of the key or the text */
  search?: string
}

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

export async function insertTasks(tx: Tx, taskSetId: string, tasks: readonly TaskRow[]): Promise<void> {
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

export async function findTask<Payload>(db: Db, taskSetId: string, ordinal: number): Promise<TaskRow<Payload> | null> {
  const found = await db.client.task.findUnique({ where: { taskSetId_ordinal: { taskSetId, ordinal } } })
  return found === null ? null : fromRecord<TaskRow<Payload>>(table, found)
}

export async function findTaskByKey<Payload>(
  db: Db,
  taskSetId: string,
  environment: number,
  key: string,
): Promise<TaskRow<Payload> | null> {
  const found = await db.client.task.findUnique({
    where: { taskSetId_environment_key: { taskSetId, environment, key } },
  })
  return found === null ? null : fromRecord<TaskRow<Payload>>(table, found)
}

/** In order; the cursor is the ordinal of the last task of the page before. */
export async function listTasks(
  db: Db,
  taskSetId: string,
  filter: TaskFilter,
  query: PageQuery,
): Promise<Page<TaskStructure>> {
  const { search, ...equal } = filter
  const where = { taskSetId, ...equal }
  if (search !== undefined) return await searchTasks(db, taskSetId, search, equal, query)
  const found = await db.client.task.findMany({
    where: { ...where, ordinal: { gt: query.cursor ?? undefined } },
    orderBy: { ordinal: 'asc' },
    take: query.limit + 1,
    select: selectStructure,
  })
  return pageOf(found.map(structureOf), query.limit, await db.client.task.count({ where }), (last) => last.ordinal)
}

/** The text is looked for as it is, without wildcards; letters a to z in either case. */
async function searchTasks(
  db: Db,
  taskSetId: string,
  search: string,
  filter: Omit<TaskFilter, 'search'>,
  query: PageQuery,
): Promise<Page<TaskStructure>> {
  const position = Prisma.raw(db.provider === 'sqlite' ? 'instr' : 'strpos')
  const wanted = cleanText(search.toLowerCase())
  const has = (column: string) => Prisma.sql`${position}(lower(${Prisma.raw(`"${column}"`)}), ${wanted}) > 0`
  const conditions = [Prisma.sql`"taskSetId" = ${taskSetId}`, Prisma.sql`(${has('key')} or ${has('text')})`]
  if (filter.environment !== undefined) conditions.push(Prisma.sql`"environment" = ${filter.environment}`)
  if (filter.pattern !== undefined) conditions.push(Prisma.sql`"pattern" = ${filter.pattern}`)
  const where = Prisma.join(conditions, ' and ')
  const ordinals = await db.client.$queryRaw<{ ordinal: number }[]>`
    select "ordinal" from "Task" where ${where} and "ordinal" > ${query.cursor ?? -1}
    order by "ordinal" limit ${query.limit + 1}`
  const counts = await db.client.$queryRaw<{ total: number | bigint }[]>`
    select count(*) as "total" from "Task" where ${where}`
  const found = await inSlices(
    ordinals.map((row) => row.ordinal),
    (slice) => db.client.task.findMany({ where: { taskSetId, ordinal: { in: slice } }, select: selectStructure }),
  )
  const rows = found.map(structureOf).sort((a, b) => a.ordinal - b.ordinal)
  return pageOf(rows, query.limit, Number(counts[0]?.total ?? 0), (last) => last.ordinal)
}

/** What the graph found of each task. */
export async function updateTaskGraph(
  tx: Tx,
  taskSetId: string,
  tasks: readonly Pick<TaskRow, 'ordinal' | 'pattern' | 'x' | 'y'>[],
): Promise<void> {
  await bulkUpdate(tx, table, taskSetId, ['pattern', 'x', 'y'], tasks)
}
