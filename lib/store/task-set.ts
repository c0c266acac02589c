/**
 * Task sets and their environments. Tasks and edges have files of their own.
 * Invariant: the fingerprint is unique: the same content is the same task set. Never changed once written.
 */
import { bulkInsert } from './bulk'
import type { Db, Tx } from './database'
import { newId } from './id'
import { offsetPage, type Page, type PageQuery } from './page'
import { cleanText, fromRecord, type Table } from './table'

export interface TaskSetRow {
  id: string
  name: string
  fingerprint: string
  createdAt: number
  environmentCount: number
  taskCount: number
  toolCount: number
  withinEdges: number
  crossEdges: number
  patternCount: number
  graphVersion: number
}

export interface EnvironmentRow<Definition = unknown> {
  ordinal: number
  key: string
  name: string
  code: string
  /** tools, state, verifier, rewardRange, horizon, maxConcurrent */
  definition: Definition
  taskCount: number
  x: number
  y: number
  radius: number
}

const environmentTable: Table<EnvironmentRow> = {
  name: 'Environment',
  owner: 'taskSetId',
  key: ['ordinal'],
  columns: {
    ordinal: 'int',
    key: 'text',
    name: 'text',
    code: 'text',
    definition: 'json',
    taskCount: 'int',
    x: 'float',
    y: 'float',
    radius: 'float',
  },
}

/** Writes the row unless its fingerprint is there already: then answers that task set, and nothing is to be added to it. */
export async function createTaskSet(
  tx: Tx,
  input: Omit<TaskSetRow, 'id'>,
): Promise<{ taskSet: TaskSetRow; created: boolean }> {
  const row = { id: newId(), ...input }
  const written = await tx.client.$executeRaw`
    insert into "TaskSet" ("id", "name", "fingerprint", "createdAt", "environmentCount", "taskCount", "toolCount",
      "withinEdges", "crossEdges", "patternCount", "graphVersion")
    values (${row.id}, ${cleanText(row.name)}, ${row.fingerprint}, ${row.createdAt}, ${row.environmentCount}, ${row.taskCount},
      ${row.toolCount}, ${row.withinEdges}, ${row.crossEdges}, ${row.patternCount}, ${row.graphVersion})
    on conflict ("fingerprint") do nothing`
  const taskSet = await findTaskSetByFingerprint(tx, input.fingerprint)
  if (taskSet === null) throw new Error('The task set could not be written.')
  return { taskSet, created: written === 1 }
}

export async function insertEnvironments(
  tx: Tx,
  taskSetId: string,
  environments: readonly EnvironmentRow[],
): Promise<void> {
  await bulkInsert(tx, environmentTable, taskSetId, environments)
}

export async function findTaskSet(db: Db, id: string): Promise<TaskSetRow | null> {
  return await db.client.taskSet.findUnique({ where: { id } })
}

export async function findTaskSetByFingerprint(db: Db, fingerprint: string): Promise<TaskSetRow | null> {
  return await db.client.taskSet.findUnique({ where: { fingerprint } })
}

/** Newest first; the cursor is an offset. */
export async function listTaskSets(db: Db, query: PageQuery): Promise<Page<TaskSetRow & { runs: number }>> {
  const found = await db.client.taskSet.findMany({
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: query.cursor ?? 0,
    take: query.limit + 1,
    include: { _count: { select: { runs: true } } },
  })
  const rows = found.map(({ _count, ...taskSet }) => ({ ...taskSet, runs: _count.runs }))
  return offsetPage(rows, query, await db.client.taskSet.count())
}

/** In order of their ordinals. */
export async function environmentsOf<Definition>(db: Db, taskSetId: string): Promise<EnvironmentRow<Definition>[]> {
  const found = await db.client.environment.findMany({ where: { taskSetId }, orderBy: { ordinal: 'asc' } })
  return found.map((record) => fromRecord<EnvironmentRow<Definition>>(environmentTable, record))
}

/** Deletes the task set, its runs and everything of them. */
export async function deleteTaskSet(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.client.taskSet.deleteMany({ where: { id } })
  return count === 1
}
