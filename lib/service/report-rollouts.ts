/**
 * Takes a report: checks each rollout, finds its lease or task, stores it once, and counts it in its group.
 * Owns: what completes a group (decided.md 4). Must never know: HTTP. Safe to repeat: ids that are known are duplicates.
 * Invariant: one transaction; a bad rollout is refused with its reason and the rest are kept; statistics count what was
 * newly stored and nothing else.
 */
import { type RolloutInput, type RolloutsAnswer, rolloutInput } from '@/lib/contract/rollout'
import { announceRun } from '@/lib/store/announce'
import { batchesOfPolicy, findBatch } from '@/lib/store/batch'
import type { Tx } from '@/lib/store/database'
import { type GroupRow, groupsByLease, openGroupsWithoutLease, upsertGroups } from '@/lib/store/group'
import { type LeaseRow, leasesByNumber, setLeaseState } from '@/lib/store/lease'
import { insertNewRollouts, insertTrajectories, knownRollouts, type NewRollout, shelvedId } from '@/lib/store/rollout'
import { findRun, type RunRow, updateRun } from '@/lib/store/run'
import { lockRun } from '@/lib/store/run-lock'
import { absorbCompleted } from './absorb'
import type { BatchRecord } from './batch-record'
import { environmentOf, findTask } from './catalog'
import { GroupBook } from './group-book'
import { numberOf } from './ids'
import { type OpenRun, requireRun } from './open-run'
import { judgeReward } from './reward-trust'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'
import { settleStages, stagesAnswer } from './settle-stages'

interface Placed {
  index: number
  /** as it is stored */
  id: string
  input: RolloutInput
  task: number
  lease: number | null
}

interface ReportOptions {
  /** the report holds whole groups: those without a lease are complete with it (imports) */
  wholeGroups: boolean
  /** entries between two snapshots; the server's setting when not given */
  snapshotEvery?: number
}

export async function reportRollouts(
  runtime: Runtime,
  runId: string,
  items: readonly unknown[],
  now: number,
  options: ReportOptions = { wholeGroups: false },
): Promise<RolloutsAnswer> {
  const opened = await requireRun(runtime, runId)
  const answer: RolloutsAnswer = { accepted: 0, duplicates: 0, untrusted: {}, rejected: [] }
  const parsed = parseItems(items, answer)
  if (parsed.length > 0)
    await runtime.queue.run(runId, async () => {
      const staged = await runtime.database.transaction((tx) => store(tx, opened, parsed, answer, now, options))
      if (opened.run.mode === 'shadow') await absorbCompleted(runtime, runId, now, options)
      if (staged.size === 0) return
      for (const [batch, newest] of staged) await settleStages(runtime, runId, batch, newest, now)
      const ids = new Set(parsed.map(({ input }) => input.id))
      Object.assign(answer, await stagesAnswer(runtime, opened, [...staged.keys()], ids))
    })
  if (!options.wholeGroups) runtime.trainerCalls.noteReport(runId, items, answer, now)
  return answer
}

function parseItems(items: readonly unknown[], answer: RolloutsAnswer): { index: number; input: RolloutInput }[] {
  const parsed: { index: number; input: RolloutInput }[] = []
  for (const [index, item] of items.entries()) {
    const result = rolloutInput.safeParse(item)
    if (result.success) {
      parsed.push({ index, input: result.data })
      continue
    }
    const issue = result.error.issues[0]
    const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `
    answer.rejected.push({ index, id: idOf(item), reason: `${where}${issue?.message ?? 'cannot be read'}` })
  }
  return parsed
}

function idOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('id' in item)) return null
  return typeof item.id === 'string' ? item.id : null
}

/** Batches of two-stage groups that a report names, each with the newest rollout that it added to it, null = none. */
type StagedBatches = Map<number, string | null>

async function store(
  tx: Tx,
  { run, catalog }: OpenRun,
  parsed: { index: number; input: RolloutInput }[],
  answer: RolloutsAnswer,
  now: number,
  options: ReportOptions,
): Promise<StagedBatches> {
  await lockRun(tx, run.id)
  const current = await findRun(tx, run.id)
  if (current === null) throw new ServiceError(410, 'run_deleted', `The run "${run.id}" was deleted.`)
  const numbers = [...new Set(parsed.flatMap(({ input }) => leaseNumberOf(input) ?? []))]
  const leases = new Map((await leasesByNumber(tx, run.id, numbers)).map((lease) => [lease.number, lease]))
  const epochs = await leftBehind(tx, run.id, [...leases.values()])
  const keyed = parsed.map((item) => ({ ...item, id: storedId(item.input, epochs) }))
  const seen = await knownRollouts(
    tx,
    run.id,
    keyed.map(({ id }) => id),
  )
  const placed: Placed[] = []
  for (const item of keyed) {
    const place = placeOf(item.input, leases, (environment, task) => findTask(catalog, environment, task))
    if (typeof place === 'string') answer.rejected.push({ index: item.index, id: item.input.id, reason: place })
    else if (seen.has(item.id)) answer.duplicates += 1
    else {
      seen.add(item.id)
      placed.push({ ...item, ...place })
    }
  }
  const known = await groupsByLease(tx, run.id, numbers, { superseded: true })
  const staged = stagedBatches(known, placed)
  const free = placed.filter(({ lease }) => lease === null)
  const named = free.map(({ task, input }) => ({ task, policyVersion: input.policyVersion }))
  for (const group of await openGroupsWithoutLease(tx, run.id, named)) known.push(group)
  const shares = run.mode === 'shadow' ? new Map() : await sharesInForce(tx, run.id, free)
  const book = new GroupBook(current.groupCount, known, leases, shares)
  const rows = placed.map((item): NewRollout => rowOf(item, book, catalog, now))
  await insertNewRollouts(tx, run.id, rows)
  await insertTrajectories(
    tx,
    run.id,
    placed.flatMap(({ id, input }) => (input.messages ? [{ rolloutId: id, messages: input.messages }] : [])),
  )
  for (const [position, row] of rows.entries()) {
    if (row.superseded) answer.superseded = (answer.superseded ?? 0) + 1
    if (row.distrust !== null) answer.untrusted[row.distrust] = (answer.untrusted[row.distrust] ?? 0) + 1
    book.count(row, current.rolloutCount + position + 1, now)
  }
  answer.accepted = rows.length
  if (options.wholeGroups) book.completeOpen(now)
  await upsertGroups(tx, run.id, book.changed())
  await setLeaseState(tx, run.id, book.leasesComplete(), 'complete')
  await updateRun(tx, run.id, reportCounters(current, answer.accepted, book.made, now))
  await announceRun(tx, run.id)
  return staged
}

function stagedBatches(groups: readonly GroupRow[], placed: readonly Placed[]): StagedBatches {
  const batchOf = new Map<number | null, number>()
  for (const { lease, batch, firstStage } of groups)
    if (firstStage !== null && batch !== null) batchOf.set(lease, batch)
  const staged: StagedBatches = new Map([...batchOf.values()].map((batch) => [batch, null]))
  for (const { lease, input } of placed) {
    const batch = lease === null ? undefined : batchOf.get(lease)
    if (batch !== undefined) staged.set(batch, input.id)
  }
  return staged
}

/** The newest batch of shares of each policy version that rollouts without lease name. */
async function sharesInForce(
  tx: Tx,
  run: string,
  free: readonly Placed[],
): Promise<Map<number, { batch: number; groupSize: number }>> {
  const found = new Map<number, { batch: number; groupSize: number }>()
  for (const version of new Set(free.map(({ input }) => input.policyVersion))) {
    const batches = await batchesOfPolicy<BatchRecord>(tx, run, version)
    const shared = batches.find(({ record, superseded }) => record.shares !== undefined && !superseded)
    if (shared !== undefined) found.set(version, { batch: shared.index, groupSize: shared.groupSize })
  }
  return found
}

/** Epochs of the leases whose batches a restore has left behind. */
async function leftBehind(tx: Tx, run: string, leases: readonly LeaseRow[]): Promise<Map<number, number>> {
  const epochs = new Map<number, number>()
  for (const { number, batch, state } of leases)
    if (state === 'superseded') epochs.set(number, (await findBatch(tx, run, batch))?.epoch ?? 1)
  return epochs
}

/** What is still reported of a batch that was left behind must not take an id from the trainer that rolls out again. */
function storedId(input: RolloutInput, epochs: ReadonlyMap<number, number>): string {
  const epoch = epochs.get(leaseNumberOf(input) ?? -1)
  return epoch === undefined ? input.id : shelvedId(input.id, epoch)
}

const leaseNumberOf = (input: RolloutInput) =>
  input.lease === null || input.lease === undefined ? null : numberOf('lease', input.lease)

function placeOf(
  input: RolloutInput,
  leases: ReadonlyMap<number, { task: number }>,
  find: (environment: string | undefined, task: string | undefined) => number | { reason: string },
): { task: number; lease: number | null } | string {
  if (input.lease !== null && input.lease !== undefined) {
    const number = leaseNumberOf(input)
    const lease = number === null ? undefined : leases.get(number)
    if (number === null || lease === undefined) return `there is no lease "${input.lease}" in this run`
    if (input.task !== undefined && find(input.environment, input.task) !== lease.task)
      return `lease "${input.lease}" is of another task`
    return { task: lease.task, lease: number }
  }
  const found = find(input.environment, input.task)
  return typeof found === 'number' ? { task: found, lease: null } : found.reason
}

function rowOf(
  { id, input, task, lease }: Placed,
  book: GroupBook,
  catalog: OpenRun['catalog'],
  now: number,
): NewRollout {
  const environment = environmentOf(catalog, task)
  const declared = catalog.set.environments[environment]?.rewardRange ?? null
  const judged = judgeReward(input, declared, declared ?? [0, 1])
  const group = book.groupFor(task, lease, input.policyVersion)
  return {
    id,
    group: group.number,
    lease,
    batch: group.batch,
    environment,
    task,
    policyVersion: input.policyVersion,
    ...judged,
    trusted: judged.distrust === null,
    status: input.status,
    turns: input.turns ?? null,
    tokens: input.tokens ?? null,
    seconds: input.seconds ?? null,
    tools: input.tools ?? null,
    components: input.rewardComponents ?? null,
    error: input.error ?? null,
    worker: input.worker ?? null,
    at: now,
    superseded: group.superseded,
  }
}

/** Gaps between reports that are kept: enough for a median. */
const GAPS = 50

function reportCounters(run: RunRow, rollouts: number, groups: number, now: number): Parameters<typeof updateRun>[2] {
  const gap = run.lastReportAt === null ? [] : [(now - run.lastReportAt) / 1000]
  return {
    rolloutCount: run.rolloutCount + rollouts,
    groupCount: run.groupCount + groups,
    firstReportAt: run.firstReportAt ?? now,
    lastReportAt: now,
    reportGaps: [...run.reportGaps, ...gap].slice(-GAPS),
  }
}
