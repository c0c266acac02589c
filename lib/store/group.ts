/**
 * Groups: the rollouts of one lease, or without lease of one task and policy version, as sufficient statistics.
 * Invariant: open, then complete (it has its `completedOrder`), then absorbed (it has its `logSeq`). `mean`,
 * `realisedVariance` and `informative` are null until there is enough to say them. Statistics are on the raw scale.
 */
import { setImmediate as pause } from 'node:timers/promises'
import { bulkInsert, inSlices, listOf } from './bulk'
import type { Db, Tx } from './database'
import { fromRecord, type Table } from './table'

export type GroupState = 'open' | 'complete' | 'absorbed'

export interface GroupRow {
  number: number
  lease: number | null
  batch: number | null
  slot: string | null
  task: number
  policyVersion: number
  late: boolean
  state: GroupState
  /** order of completion in the run */
  completedOrder: number | null
  /** number of the log entry that absorbed it */
  logSeq: number | null
  returned: number
  trusted: number
  sum: number
  sumSquares: number
  low: number
  high: number
  untrusted: number
  verifierErrors: number
  /** rollouts that came with an error text, trusted or not */
  errors: number
  /** rollouts by status */
  statuses: Record<string, number>
  secondsSum: number
  secondsCount: number
  turnsSum: number
  turnsCount: number
  tokensSum: number
  tokensCount: number
  mean: number | null
  realisedVariance: number | null
  informative: boolean | null
  /** the prediction as it was before the group was absorbed; null where none was made */
  predictedVariance: number | null
  ability: number | null
  deviation: number | null
  spread: number | null
  informativeProbability: number | null
  /** what chance alone adds to (predicted - realised)^2, unbiased; null under four trusted rollouts */
  varianceNoise: number | null
  /** parts of a predicted variance by source of evidence: own, within, cross, prior; as picked, or where reported only, as absorbed */
  shares: number[] | null
  /** what every predictor said just before the group was absorbed; null where none was asked */
  told: Told | null
  completedAt: number | null
  /** of a two-stage group: rollouts of its first stage; null = it has one stage */
  firstStage: number | null
  /** rollouts of the budget that are kept for its second stage */
  restStage: number | null
  /** rollouts that its second stage was given: 0 = it stops, null = not decided yet */
  secondStage: number | null
  /** the rollout that completed the first stage, once it was decided */
  decidedBy: string | null
  /** the rollout whose report bought this pick; null where it came with its batch */
  boughtBy: string | null
  /** of a part that a restore took out of the run's line: kept, never counted */
  superseded: boolean
}

/** Kept short, for there is one a group. Null = that predictor did not answer. */
export interface Told {
  /** predicted variance of the predictors that the prediction is compared with, in the engine's order of them */
  variance: (number | null)[]
  /** rollouts that were scored, and the minus log likelihood that each scored predictor lost by them, in the engine's order */
  rollouts: number
  loss: (number | null)[]
  /** weight of each competing model, where no batch keeps it */
  weights: number[] | null
}

const READ_ROWS = 2000

const table: Table<GroupRow> = {
  name: 'Group',
  owner: 'runId',
  key: ['number'],
  columns: {
    number: 'int',
    lease: 'int',
    batch: 'int',
    slot: 'text',
    task: 'int',
    policyVersion: 'int',
    late: 'bool',
    state: 'text',
    completedOrder: 'int',
    logSeq: 'int',
    returned: 'int',
    trusted: 'int',
    sum: 'float',
    sumSquares: 'float',
    low: 'int',
    high: 'int',
    untrusted: 'int',
    verifierErrors: 'int',
    errors: 'int',
    statuses: 'json',
    secondsSum: 'float',
    secondsCount: 'int',
    turnsSum: 'float',
    turnsCount: 'int',
    tokensSum: 'float',
    tokensCount: 'int',
    mean: 'float',
    realisedVariance: 'float',
    informative: 'bool',
    predictedVariance: 'float',
    ability: 'float',
    deviation: 'float',
    spread: 'float',
    informativeProbability: 'float',
    varianceNoise: 'float',
    shares: 'json',
    told: 'json',
    completedAt: 'float',
    firstStage: 'int',
    restStage: 'int',
    secondStage: 'int',
    decidedBy: 'text',
    boughtBy: 'text',
    superseded: 'bool',
  },
}

const groupOf = (record: object) => fromRecord<GroupRow>(table, record)

/**
 * By number. Sorted here where a filter is narrow: asked to sort by the primary key, SQLite walks all groups of the run
 * along it instead of taking the filter's index.
 */
const byNumber = (records: readonly object[]) => records.map(groupOf).sort((a, b) => a.number - b.number)

export async function insertGroups(tx: Tx, runId: string, groups: readonly GroupRow[]): Promise<void> {
  await bulkInsert(tx, table, runId, groups)
}

/** Inserts the groups, or writes those of the same numbers anew. */
export async function upsertGroups(tx: Tx, runId: string, groups: readonly GroupRow[]): Promise<void> {
  await bulkInsert(tx, table, runId, groups, 'update')
}

/** What became of first stages. */
export interface StageDecision {
  group: number
  secondStage: number
  decidedBy: string
}

export async function decideStages(tx: Tx, runId: string, decisions: readonly StageDecision[]): Promise<void> {
  for (const { group: number, secondStage, decidedBy } of decisions)
    await tx.client.group.update({ where: { runId_number: { runId, number } }, data: { secondStage, decidedBy } })
}

/** By number; late groups of a lease come after the first. Superseded ones only when asked for. */
export async function groupsByLease(
  db: Db,
  runId: string,
  leases: readonly number[],
  { superseded = false } = {},
): Promise<GroupRow[]> {
  const found = await inSlices(leases, (slice) =>
    db.client.group.findMany({ where: { runId, lease: { in: slice }, superseded: superseded ? undefined : false } }),
  )
  return byNumber(found)
}

/** Those that were picked in these batches, late ones too, by number. */
export async function groupsOfBatches(db: Db, runId: string, batches: readonly number[]): Promise<GroupRow[]> {
  const found = await inSlices(batches, (slice) => db.client.group.findMany({ where: { runId, batch: { in: slice } } }))
  return byNumber(found)
}

/**
 * Open groups without lease of these tasks and policy versions, by number. A report asks for its own: a shadow run can have as many
 * open groups as tasks.
 */
export async function openGroupsWithoutLease(
  db: Db,
  runId: string,
  named: readonly Pick<GroupRow, 'task' | 'policyVersion'>[],
): Promise<GroupRow[]> {
  const [run, at] = db.provider === 'sqlite' ? ['?', ''] : ['$1', '$3::int4']
  const tasksOf = new Map<number, Set<number>>()
  for (const { task, policyVersion } of named)
    tasksOf.set(policyVersion, (tasksOf.get(policyVersion) ?? new Set()).add(task))
  // `coalesce` keeps SQLite from walking all open groups of the run along another index
  const statement = `select "number" from "Group" where "runId" = ${run} and "task" in (${listOf(db, 'int', 2)})
    and "policyVersion" = ${at === '' ? '?' : at} and coalesce("state", '') = 'open' and coalesce("lease", -1) = -1
    and not "superseded"`
  const numbers: number[] = []
  for (const [policyVersion, tasks] of tasksOf) {
    const found = await db.client.$queryRawUnsafe<{ number: number }[]>(
      statement,
      runId,
      JSON.stringify([...tasks]),
      policyVersion,
    )
    for (const { number } of found) numbers.push(Number(number))
  }
  const found = await inSlices(numbers, (slice) =>
    db.client.group.findMany({ where: { runId, number: { in: slice } } }),
  )
  return byNumber(found)
}

/** Open groups of policy versions up to and with `upTo` that no lease will close: without lease, or late. By number. */
export async function staleGroups(db: Db, runId: string, upTo: number): Promise<GroupRow[]> {
  const found = await db.client.group.findMany({
    where: {
      runId,
      state: 'open',
      policyVersion: { lte: upTo },
      returned: { gt: 0 },
      superseded: false,
      OR: [{ lease: null }, { late: true }],
    },
  })
  return byNumber(found)
}

/** Groups without a batch that were predicted before they were absorbed. */
export async function countToldAlone(db: Db, runId: string): Promise<number> {
  return await db.client.group.count({ where: { runId, batch: null, predictedVariance: { not: null } } })
}

/** The newest policy version that anything not absorbed yet was reported of, or null. */
export async function newestReported(db: Db, runId: string): Promise<number | null> {
  // one state at a time: the newest of each is the first along an index
  const newest = async (state: GroupState) =>
    await db.client.group.findFirst({
      where: { runId, state, returned: { gt: 0 }, superseded: false },
      orderBy: { policyVersion: 'desc' },
      select: { policyVersion: true },
    })
  const versions = [await newest('open'), await newest('complete')].flatMap((found) => found?.policyVersion ?? [])
  return versions.length === 0 ? null : Math.max(...versions)
}

/**
 * Groups that can have changed since a log number, superseded ones too: those not absorbed, and those absorbed after it. By number; read in
 * slices, so that other work goes on between. One that is absorbed meanwhile is there as it is afterwards.
 */
export async function groupsSince(db: Db, runId: string, afterSeq: number): Promise<GroupRow[]> {
  const groups = new Map<number, GroupRow>()
  const open = await db.client.group.findMany({ where: { runId, state: { in: ['open', 'complete'] } } })
  for (const group of open.map(groupOf)) groups.set(group.number, group)
  let take = READ_ROWS
  for (let seq = afterSeq; ; await pause()) {
    const found = await db.client.group.findMany({
      where: { runId, logSeq: { gt: seq } },
      orderBy: { logSeq: 'asc' },
      take,
    })
    for (const group of found.map(groupOf)) groups.set(group.number, group)
    const last = found.at(-1)?.logSeq ?? null
    if (found.length < take || last === null) break
    // groups of one log number may lie on both sides of the cut: the last number is read again
    if (last - 1 > seq) seq = last - 1
    else take *= 2
  }
  return [...groups.values()].sort((a, b) => a.number - b.number)
}

/** Complete ones that no log entry has absorbed yet, in the order they completed. */
export async function completeGroups(db: Db, runId: string): Promise<GroupRow[]> {
  const found = await db.client.group.findMany({
    where: { runId, state: 'complete', superseded: false },
    orderBy: { completedOrder: 'asc' },
  })
  return found.map(groupOf)
}
