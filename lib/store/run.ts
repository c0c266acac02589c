/**
 * Runs: one row each with the counters that number everything else of the run.
 * Invariant: counters (batchCount, leaseCount, groupCount, overrideCount, logSeq, rolloutCount) only grow, and are written
 * under the run's lock. A key is unique in its task set.
 */

import { bulkInsert } from './bulk'
import type { Db, Tx } from './database'
import { newId } from './id'
import { offsetPage, type Page, type PageQuery } from './page'
import { fromRecord, type Table, toRecord } from './table'

/** The note of a run that an import made of a history. */
export const IMPORTED = 'imported'

export interface RunRow<Config = unknown> {
  id: string
  key: string | null
  name: string
  taskSetId: string
  mode: string
  status: string
  statusNote: string | null
  seed: string
  config: Config
  plannedSteps: number | null
  model: string | null
  algorithm: string | null
  epoch: number
  policyVersion: number | null
  batchCount: number
  leaseCount: number
  groupCount: number
  overrideCount: number
  logSeq: number
  /** index of a new batch minus its number in the engine, which counts no superseded batches */
  batchShift: number
  rolloutCount: number
  createdAt: number
  firstReportAt: number | null
  lastReportAt: number | null
  /** seconds between the newest reports */
  reportGaps: number[]
  finishedAt: number | null
  /** which trajectory text is kept, null = all */
  keep: unknown
  /** when that was last applied */
  sweptAt: number | null
}

export type NewRun<Config = unknown> = Pick<
  RunRow<Config>,
  | 'key'
  | 'name'
  | 'taskSetId'
  | 'mode'
  | 'status'
  | 'seed'
  | 'config'
  | 'plannedSteps'
  | 'model'
  | 'algorithm'
  | 'createdAt'
> &
  Partial<Pick<RunRow, 'statusNote'>>

export type RunPatch<Config = unknown> = Partial<
  Omit<RunRow<Config>, 'id' | 'taskSetId' | 'key' | 'logSeq' | 'createdAt'>
>

const columns = {
  id: 'text',
  key: 'text',
  name: 'text',
  mode: 'text',
  status: 'text',
  statusNote: 'text',
  seed: 'text',
  config: 'json',
  plannedSteps: 'int',
  model: 'text',
  algorithm: 'text',
  epoch: 'int',
  policyVersion: 'int',
  batchCount: 'int',
  leaseCount: 'int',
  groupCount: 'int',
  overrideCount: 'int',
  logSeq: 'int',
  batchShift: 'int',
  rolloutCount: 'int',
  createdAt: 'float',
  firstReportAt: 'float',
  lastReportAt: 'float',
  reportGaps: 'json',
  finishedAt: 'float',
  keep: 'json',
  sweptAt: 'float',
} as const

const insertTable: Table<Omit<RunRow, 'taskSetId'>> = { name: 'Run', owner: 'taskSetId', key: ['key'], columns }
const readTable = { columns: { ...columns, taskSetId: 'text' } as const }

/** The run of that key in the task set if there is one, else a new one: safe to repeat. */
export async function createRun<Config>(
  tx: Tx,
  input: NewRun<Config>,
): Promise<{ run: RunRow<Config>; created: boolean }> {
  const { taskSetId, ...rest } = input
  const row = { ...EMPTY_RUN, ...rest, id: newId() }
  const inserted = await bulkInsert(tx, insertTable, taskSetId, [row], 'ignore')
  if (inserted === 1) return { run: { ...row, taskSetId }, created: true }
  const found = input.key === null ? null : await findRunByKey<Config>(tx, taskSetId, input.key)
  if (found === null) throw new Error('The run could not be created.')
  return { run: found, created: false }
}

const EMPTY_RUN = {
  statusNote: null,
  epoch: 1,
  policyVersion: null,
  batchCount: 0,
  leaseCount: 0,
  groupCount: 0,
  overrideCount: 0,
  logSeq: 0,
  batchShift: 0,
  rolloutCount: 0,
  firstReportAt: null,
  lastReportAt: null,
  reportGaps: [] as number[],
  finishedAt: null,
  keep: null,
  sweptAt: null,
}

export async function findRun<Config>(db: Db, id: string): Promise<RunRow<Config> | null> {
  const found = await db.client.run.findUnique({ where: { id } })
  return found === null ? null : fromRecord<RunRow<Config>>(readTable, found)
}

export async function findRunByKey<Config>(db: Db, taskSetId: string, key: string): Promise<RunRow<Config> | null> {
  const found = await db.client.run.findUnique({ where: { taskSetId_key: { taskSetId, key } } })
  return found === null ? null : fromRecord<RunRow<Config>>(readTable, found)
}

/** The newest run of that key in any task set, or null. */
export async function findRunWithKey<Config>(db: Db, key: string): Promise<RunRow<Config> | null> {
  const found = await db.client.run.findFirst({ where: { key }, orderBy: { createdAt: 'desc' } })
  return found === null ? null : fromRecord<RunRow<Config>>(readTable, found)
}

/** Newest first; the cursor is an offset. */
export async function listRuns<Config>(
  db: Db,
  query: PageQuery,
  filter: { taskSetId?: string; statuses?: string[] } = {},
): Promise<Page<RunRow<Config>>> {
  const where = {
    taskSetId: filter.taskSetId,
    status: filter.statuses === undefined ? undefined : { in: filter.statuses },
  }
  const found = await db.client.run.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: query.cursor ?? 0,
    take: query.limit + 1,
  })
  const rows = found.map((record) => fromRecord<RunRow<Config>>(readTable, record))
  return offsetPage(rows, query, await db.client.run.count({ where }))
}

/** Writes the named fields; the log number moves only with `appendEntries`. Throws when there is no such run. */
export async function updateRun<Config>(tx: Tx, id: string, patch: RunPatch<Config>): Promise<void> {
  await tx.client.run.update({ where: { id }, data: toRecord(columns, patch) })
}

/** How many other runs are on the task set. */
export async function countOtherRuns(db: Db, run: { id: string; taskSetId: string }): Promise<number> {
  return await db.client.run.count({ where: { taskSetId: run.taskSetId, id: { not: run.id } } })
}

/** Deletes the run and everything of it; audit events stay, without the run. */
export async function deleteRun(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.client.run.deleteMany({ where: { id } })
  return count === 1
}
