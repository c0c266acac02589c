/**
 * Rollouts as reported, and their trajectories, which lie apart since few are read.
 * Invariant: a rollout's id is its reporter's and counts once; a second one with the same id is refused. `seq` is the
 * order of arrival. Written under the run's lock.
 */
import { bulkInsert, inSlices, listOf } from './bulk'
import type { Db, Tx } from './database'
import { type Page, type PageQuery, pageOf } from './page'
import { cleanText, fromJson, fromRecord, type Table } from './table'

export interface RolloutRow<Component = unknown> {
  id: string
  seq: number
  group: number
  lease: number | null
  batch: number | null
  environment: number
  task: number
  policyVersion: number
  reward: number | null
  outcome: number | null
  /** what enters the statistics, raw scale: the outcome if reported, else the reward */
  value: number | null
  status: string
  trusted: boolean
  distrust: string | null
  turns: number | null
  tokens: number | null
  seconds: number | null
  tools: string[] | null
  components: Component[] | null
  error: string | null
  worker: string | null
  at: number
  /** of a part that a restore took out of the run's line: kept, never counted */
  superseded: boolean
}

export type NewRollout<Component = unknown> = Omit<RolloutRow<Component>, 'seq'>

export interface RolloutFilter {
  environment?: number
  task?: number
  batch?: number
  lease?: number
  group?: number
  policyVersion?: number
  status?: string
  trusted?: boolean
  distrust?: string
}

const table: Table<RolloutRow> = {
  name: 'Rollout',
  owner: 'runId',
  key: ['id'],
  columns: {
    id: 'text',
    seq: 'int',
    group: 'int',
    lease: 'int',
    batch: 'int',
    environment: 'int',
    task: 'int',
    policyVersion: 'int',
    reward: 'float',
    outcome: 'float',
    value: 'float',
    status: 'text',
    trusted: 'bool',
    distrust: 'text',
    turns: 'int',
    tokens: 'int',
    seconds: 'float',
    tools: 'json',
    components: 'json',
    error: 'text',
    worker: 'text',
    at: 'float',
    superseded: 'bool',
  },
}

const trajectoryTable: Table<{ rolloutId: string; messages: unknown }> = {
  name: 'Trajectory',
  owner: 'runId',
  key: ['rolloutId'],
  columns: { rolloutId: 'text', messages: 'json' },
}

/** The id of a superseded rollout, so that its own is free for the trainer that rolls out again. */
export const shelvedId = (id: string, epoch: number) => `${id} (epoch ${epoch})`

const rolloutOf = <Component>(record: object) => fromRecord<RolloutRow<Component>>(table, record)

/** Where `knownRollouts` told that all of them are new. Throws when one is not. */
export async function insertNewRollouts(tx: Tx, runId: string, rollouts: readonly NewRollout[]): Promise<void> {
  await bulkInsert(tx, table, runId, await numbered(tx, runId, rollouts))
}

async function numbered(tx: Tx, runId: string, rollouts: readonly NewRollout[]): Promise<RolloutRow[]> {
  const newest = await tx.client.rollout.aggregate({ where: { runId }, _max: { seq: true } })
  const base = newest._max.seq ?? 0
  return rollouts.map((rollout, index) => ({ ...rollout, seq: base + index + 1 }))
}

/** Which of the ids are stored already. */
export async function knownRollouts(db: Db, runId: string, ids: readonly string[]): Promise<Set<string>> {
  const run = db.provider === 'sqlite' ? '?' : '$1'
  const statement = `select "id" from "Rollout" where "runId" = ${run} and "id" in (${listOf(db, 'text', 2)})`
  const found = await db.client.$queryRawUnsafe<{ id: string }[]>(statement, runId, JSON.stringify(ids.map(cleanText)))
  return new Set(found.map((rollout) => rollout.id))
}

/** Messages by rollout; a second one of the same rollout changes nothing. */
export async function insertTrajectories(
  tx: Tx,
  runId: string,
  trajectories: readonly { rolloutId: string; messages: unknown }[],
): Promise<void> {
  await bulkInsert(tx, trajectoryTable, runId, trajectories, 'ignore')
}

/** The messages of a rollout, or null when none were reported. */
export async function findTrajectory<Message>(db: Db, runId: string, rolloutId: string): Promise<Message[] | null> {
  const found = await db.client.trajectory.findUnique({ where: { runId_rolloutId: { runId, rolloutId } } })
  return found === null ? null : fromJson<Message[]>(found.messages)
}

/** Messages of several rollouts, by id; those without any are left out. */
export async function trajectoriesOf<Message>(
  db: Db,
  runId: string,
  ids: readonly string[],
): Promise<Map<string, Message[]>> {
  const found = await inSlices(ids, (slice) =>
    db.client.trajectory.findMany({ where: { runId, rolloutId: { in: slice } } }),
  )
  return new Map(found.map((row) => [row.rolloutId, fromJson<Message[]>(row.messages)]))
}

/** By its reporter's id, or by its order of arrival. */
export async function findRollout<Component>(
  db: Db,
  runId: string,
  by: { id: string } | { seq: number },
): Promise<RolloutRow<Component> | null> {
  const found = await db.client.rollout.findUnique({
    where: 'id' in by ? { runId_id: { runId, id: by.id } } : { runId_seq: { runId, seq: by.seq } },
  })
  return found === null ? null : rolloutOf<Component>(found)
}

/** Newest first, or oldest first. The cursor is the `seq` of the last rollout of the page before. */
export async function listRollouts<Component>(
  db: Db,
  runId: string,
  filter: RolloutFilter,
  query: PageQuery & { oldestFirst?: boolean },
): Promise<Page<RolloutRow<Component>>> {
  const where = { runId, ...filter }
  const cursor = query.cursor ?? undefined
  const found = await db.client.rollout.findMany({
    where: { ...where, seq: query.oldestFirst === true ? { gt: cursor } : { lt: cursor } },
    orderBy: { seq: query.oldestFirst === true ? 'asc' : 'desc' },
    take: query.limit + 1,
  })
  const total = await db.client.rollout.count({ where })
  return pageOf(found.map(rolloutOf<Component>), query.limit, total, (last) => last.seq)
}

/** Trusted raw values by group number, in the order they arrived; a group without any is left out. */
export async function valuesOfGroups(db: Db, runId: string, groups: readonly number[]): Promise<Map<number, number[]>> {
  const run = db.provider === 'sqlite' ? '?' : '$1'
  const statement = `select "group", "seq", "value" from "Rollout" where "runId" = ${run} and "group" in (${listOf(db, 'int', 2)}) and "value" is not null`
  const found = await db.client.$queryRawUnsafe<{ group: number; seq: number; value: number }[]>(
    statement,
    runId,
    JSON.stringify(groups),
  )
  const values = new Map<number, number[]>()
  for (const { group, value } of found.sort((a, b) => a.seq - b.seq)) {
    const list = values.get(group)
    if (list === undefined) values.set(group, [value])
    else list.push(value)
  }
  return values
}

/** Rollouts of the leases, superseded ones too, in the order they arrived. */
export async function rolloutsOfLeases(db: Db, runId: string, leases: readonly number[]): Promise<RolloutRow[]> {
  const found = await inSlices(leases, (slice) =>
    db.client.rollout.findMany({ where: { runId, lease: { in: slice } } }),
  )
  return found.map((record) => rolloutOf(record)).sort((a, b) => a.seq - b.seq)
}

/** Rollouts without a lease from a policy version on, superseded ones too, in the order they arrived. */
export async function rolloutsWithoutLease(db: Db, runId: string, fromVersion: number): Promise<RolloutRow[]> {
  const found = await db.client.rollout.findMany({
    where: { runId, lease: null, policyVersion: { gte: fromVersion } },
    orderBy: { seq: 'asc' },
  })
  return found.map((record) => rolloutOf(record))
}

/** Rollouts of the groups, in the order they arrived. */
export async function rolloutsOfGroups<Component>(
  db: Db,
  runId: string,
  groups: readonly number[],
): Promise<RolloutRow<Component>[]> {
  const found = await inSlices(groups, (slice) =>
    db.client.rollout.findMany({ where: { runId, group: { in: slice } } }),
  )
  return found.map(rolloutOf<Component>).sort((a, b) => a.seq - b.seq)
}
