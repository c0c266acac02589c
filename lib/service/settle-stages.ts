/**
 * Two-stage groups when a report came: decides first stages that are complete, absorbs groups that stop, and buys further picks
 * with what they left over.
 * Owns: reading what is due, writing it, and the answer. Must never know: HTTP, how picks are chosen.
 * Invariants: decisions, purchase and log entries are one transaction, apart from the report's own, so that a crash in between is
 * made good by the report's repetition. Each decision and purchase names one rollout, and the answer to a report is whatever its
 * rollouts are named in: a repeated one gets the same answer, in whatever parts it is sent.
 */
import type { RolloutsAnswer } from '@/lib/contract/rollout'
import type { BatchDecision } from '@/lib/engine/decision'
import type { BatchEntry } from '@/lib/engine/log-entry'
import { type BatchRow, findBatch, picksBetween } from '@/lib/store/batch'
import type { Db } from '@/lib/store/database'
import { decideStages, type GroupRow, groupsOfBatches } from '@/lib/store/group'
import { extendLeases, leasesByNumber, setLeaseState } from '@/lib/store/lease'
import { rolloutsOfGroups } from '@/lib/store/rollout'
import type { RunRow } from '@/lib/store/run'
import { collectDue, commitEntries, type Due, settleDue, untilWritten } from './absorb'
import type { BatchRecord, PickRecord, Stages } from './batch-record'
import { batchId, leaseId } from './ids'
import { entryPicks, issuePicks, ONE_SIZE } from './issue-picks'
import { issuedPicks } from './issued-picks'
import { leaseSeconds } from './lease-time'
import { type OpenRun, requireRun } from './open-run'
import { outdate } from './run-history'
import type { Runtime } from './runtime'
import { planStages, type StagedGroup, type StagePlan } from './stage-plan'

const NOTHING: Due = { entries: [], groups: [], placeOf: [], expired: [], closes: true }

interface Settling {
  batch: BatchRow<BatchRecord>
  stages: Stages
  groups: GroupRow[]
  /** picks that the batch has already, with those that a restore took back */
  picks: number
  plan: StagePlan
  /** the rollout that what is bought is told with */
  by: string | null
}

/** `newest`: the last rollout that the report added to the batch, null = it repeats what was known. Call inside the run's queue. */
export async function settleStages(
  runtime: Runtime,
  runId: string,
  batch: number,
  newest: string | null,
  now: number,
): Promise<void> {
  const { run } = await requireRun(runtime, runId)
  if ((await readSettling(runtime.database.db, run, batch, newest, now)) === null) return
  await untilWritten(runtime, runId, async (opened) => {
    const settling = await readSettling(runtime.database.db, opened.run, batch, newest, now)
    return settling === null ? null : settle(runtime, opened, settling, now)
  })
  outdate(runtime, runId)
}

/** What is due of a batch, or null where nothing is. */
async function readSettling(
  db: Db,
  run: RunRow,
  index: number,
  newest: string | null,
  now: number,
): Promise<Settling | null> {
  const batch = await findBatch<BatchRecord>(db, run.id, index)
  const stages = batch?.record.stages
  if (batch === null || stages === undefined || batch.superseded) return null
  const all = (await groupsOfBatches(db, run.id, [index])).filter((group) => group.firstStage !== null)
  const groups = all.filter(({ superseded }) => !superseded)
  const plan = planStages(batch.size * batch.groupSize, stages, await stagedGroups(db, run.id, groups, now))
  const last = plan.decisions.reduce<StagePlan['decisions'][number] | null>(
    (latest, one) => (latest === null || one.seq > latest.seq ? one : latest),
    null,
  )
  const by = last?.by ?? newest
  if (by === null || !isBuying(run, batch)) plan.picks = 0
  return plan.decisions.length === 0 && plan.picks === 0 ? null : { batch, stages, groups, picks: all.length, plan, by }
}

/** A batch buys nothing more once the policy has moved on twice, as groups without lease are closed then, too. */
function isBuying(run: RunRow, batch: BatchRow): boolean {
  if (run.status === 'paused' || run.status === 'finished' || run.status === 'failed') return false
  return (run.policyVersion ?? 0) < batch.policyVersion + 2
}

async function stagedGroups(db: Db, run: string, groups: readonly GroupRow[], now: number): Promise<StagedGroup[]> {
  const leases = await leasesByNumber(
    db,
    run,
    groups.flatMap(({ lease }) => lease ?? []),
  )
  const over = new Set(
    leases
      .filter(({ state, expiresAt }) => state === 'released' || state === 'expired' || expiresAt <= now)
      .map(({ number }) => number),
  )
  const isRipe = (group: GroupRow) =>
    group.state !== 'absorbed' && group.secondStage === null && group.returned >= (group.firstStage ?? 0)
  const rollouts = await rolloutsOfGroups(
    db,
    run,
    groups.filter(isRipe).map(({ number }) => number),
  )
  return groups.map((group) => ({
    group: group.number,
    first: group.firstStage ?? 0,
    rest: group.restStage ?? 0,
    second: group.secondStage,
    returned: group.returned,
    // what came before anybody noticed the end of its lease still counts
    ended: group.state === 'absorbed' || (!isRipe(group) && over.has(group.lease ?? -1)),
    rollouts: rollouts.filter((rollout) => rollout.group === group.number),
  }))
}

async function settle(
  runtime: Runtime,
  opened: OpenRun,
  { batch, stages, groups, picks, plan, by }: Settling,
  now: number,
): Promise<null | 'moved'> {
  const { run } = opened
  const decided = new Map(plan.decisions.map((decision) => [decision.group, decision]))
  const ofDecided = (goesOn: boolean) =>
    groups.filter((group) => {
      const decision = decided.get(group.number)
      return decision !== undefined && group.state === 'open' && decision.second > 0 === goesOn
    })
  const [stopping, going] = [ofDecided(false), ofDecided(true)]
  const leasesOf = (rows: readonly GroupRow[]) => rows.flatMap(({ lease }) => lease ?? [])
  const kept = new Set(leasesOf(going))
  const isChanging = stopping.length > 0 || plan.picks > 0
  const due = isChanging ? await collectDue(runtime, opened, now, null, { closing: stopping, kept }) : NOTHING
  const [first] = stages
  const written = await commitEntries<BatchDecision | null>(
    runtime,
    opened,
    // the plan is of the rollouts that are there now
    { entries: due.entries, closes: true },
    async () => {
      if (plan.picks === 0) return { entries: [], value: null }
      const request = { size: plan.picks, groupSize: first, policyVersion: batch.policyVersion, at: now }
      const decision = await runtime.engine.propose(run.id, request, [ONE_SIZE], [])
      return decision.picks.length === 0
        ? { entries: [], value: null }
        : { entries: [entryOf(decision, run, batch, first, now)], value: decision }
    },
    async ({ tx, seq, predictions, value: decision, run: fresh }) => {
      await settleDue(tx, run.id, due, seq, predictions)
      await decideStages(
        tx,
        run.id,
        plan.decisions.map(({ group, second, by: decidedBy }) => ({ group, secondStage: second, decidedBy })),
      )
      await setLeaseState(tx, run.id, leasesOf(stopping), 'complete')
      await extendLeases(tx, run.id, [...kept], now + leaseSeconds(fresh) * 1000)
      if (decision !== null)
        await issuePicks(tx, {
          run: fresh,
          decision,
          batch: batch.index,
          policyVersion: batch.policyVersion,
          from: picks,
          restStage: plan.rest,
          boughtBy: by,
          now,
        })
    },
  )
  return written === 'moved' ? 'moved' : null
}

function entryOf(decision: BatchDecision, run: RunRow, batch: BatchRow, groupSize: number, at: number): BatchEntry {
  const { index, policyVersion } = batch
  const picks = entryPicks(decision, run, groupSize)
  return { kind: 'batch', batch: index - run.batchShift, at, policyVersion, groupSize, picks, more: true }
}

/** What the report's rollouts decided and bought, whenever that was. */
export async function stagesAnswer(
  runtime: Runtime,
  opened: OpenRun,
  batches: readonly number[],
  ids: ReadonlySet<string>,
): Promise<Pick<RolloutsAnswer, 'continue' | 'more'>> {
  const { db } = runtime.database
  const { id: runId } = opened.run
  const groups = (await groupsOfBatches(db, runId, batches)).filter(({ superseded }) => !superseded)
  const goesOn = groups.filter(
    ({ decidedBy, secondStage }) => decidedBy !== null && ids.has(decidedBy) && secondStage !== 0,
  )
  const bought = new Set(
    groups.filter(({ boughtBy }) => boughtBy !== null && ids.has(boughtBy)).map(({ lease }) => lease),
  )
  const answer: Required<Pick<RolloutsAnswer, 'continue' | 'more'>> = {
    continue: goesOn.flatMap(({ lease, secondStage }) =>
      lease === null || secondStage === null ? [] : [{ lease: leaseId(lease), rollouts: secondStage }],
    ),
    more: [],
  }
  for (const index of batches) {
    const ofBatch = groups.filter((group) => group.batch === index && bought.has(group.lease))
    if (ofBatch.length === 0) continue
    const batch = await findBatch(db, runId, index)
    if (batch === null) continue
    const { policyVersion } = batch
    const picks = await picksBetween<PickRecord>(db, runId, index, index)
    const chosen = picks.filter(({ lease }) => bought.has(lease))
    for (const pick of await issuedPicks(runtime, opened, batch, chosen))
      answer.more.push({ ...pick, batch: batchId(index), policyVersion })
  }
  return answer
}
