/**
 * Decision records and results as pages and trainers read them: indices become names. Pure.
 */
import type {
  BatchDetail,
  GroupResult,
  LeftOutView,
  PickView,
  ProposedBatch,
  QuotaUseView,
  Square,
} from '@/lib/contract/batch'
import type { OverridePoint } from '@/lib/contract/overview'
import type { BatchDecision, Change, LeftOut, QuotaUse } from '@/lib/engine/decision'
import type { GroupRow } from '@/lib/store/group'
import type { BatchRecord, PickRecord } from './batch-record'
import { pickRecord } from './batch-record'
import { type Catalog, environmentAt, environmentOf, taskAt } from './catalog'
import type { EnvironmentShare } from './environment-shares'
import { spread } from './group-entry'
import { groupId, leaseId } from './ids'
import { leftOutSentence } from './left-out-sentence'

type ChangeView = NonNullable<LeftOutView['change']>

function changeView(catalog: Catalog, change: Change | null): ChangeView | null {
  if (change === null) return null
  const environment = change.environment === null ? null : environmentAt(catalog, change.environment)
  return { setting: change.setting, environment, now: change.now, needed: change.needed }
}

function leftOutView(catalog: Catalog, left: LeftOut, quotas: readonly QuotaUse[]): LeftOutView {
  return {
    task: taskAt(catalog, left.task),
    score: left.score,
    terms: left.terms,
    margin: left.margin,
    rule: left.rule,
    sentence: leftOutSentence(catalog, left, quotas),
    like: left.like === null ? null : taskAt(catalog, left.like),
    similarity: left.similarity,
    wait: left.wait,
    change: changeView(catalog, left.change),
  }
}

function quotaView(catalog: Catalog, use: QuotaUse): QuotaUseView {
  return { ...use, environment: environmentAt(catalog, use.environment) }
}

/** What is known of a rollout for its square: normalised value, or null when untrusted. */
export interface SquareSource {
  id: string
  value: number | null
}

/** Of two stages: what was rolled out first, and what the second got. */
export function stagesView(group: GroupRow | undefined): GroupResult['stages'] {
  if (group === undefined || group.firstStage === null) return null
  // one that ended before its first stage was complete has no second
  const over = group.state !== 'open' && group.secondStage === null
  return { first: group.firstStage, second: over ? 0 : group.secondStage, kept: group.restStage ?? 0 }
}

/** `size` rollouts were asked for (of two stages those so far); missing ones are still out. `released`: leases that ended before anything came back. */
export function resultView(
  group: GroupRow | undefined,
  wanted: number,
  rollouts: readonly SquareSource[],
  released: ReadonlySet<number>,
): GroupResult {
  const squares = rollouts.map(
    (rollout): Square => ({
      state: rollout.value === null ? 'untrusted' : 'trusted',
      fill: rollout.value,
      rollout: rollout.id,
    }),
  )
  const stages = stagesView(group)
  const size = stages === null ? wanted : stages.first + (stages.second ?? 0)
  const over = group !== undefined && group.state !== 'open'
  if (!over)
    for (let missing = squares.length; missing < size; missing += 1)
      squares.push({ state: 'out', fill: null, rollout: null })
  const returned = group?.returned ?? 0
  const ended = released.has(group?.lease ?? -1) ? 'released' : 'expired'
  const state = over ? (returned === 0 ? ended : 'complete') : returned === 0 ? 'out' : 'partial'
  return {
    state,
    group: group === undefined ? null : groupId(group.number),
    size,
    returned,
    trusted: group?.trusted ?? 0,
    ...told(group, squares),
    squares,
    stages,
  }
}

/** What a complete group says. Until it is absorbed it is read from its rollouts, by the range in force. */
function told(
  group: GroupRow | undefined,
  squares: readonly Square[],
): Pick<GroupResult, 'mean' | 'variance' | 'informative'> {
  if (group === undefined || group.state === 'open') return { mean: null, variance: null, informative: null }
  if (group.mean !== null) return { mean: group.mean, variance: group.realisedVariance, informative: group.informative }
  const { mean, realisedVariance, informative } = spread(
    squares.flatMap(({ fill }) => (fill === null ? [] : [fill])),
    [0, 1],
  )
  return { mean, variance: realisedVariance, informative }
}

export function pickView(
  catalog: Catalog,
  stored: { position: number; task: number; slot: PickView['slot']; lease: number; record: PickRecord },
  groupSize: number,
  result: GroupResult,
  more = false,
): PickView {
  const task = taskAt(catalog, stored.task)
  const { record } = stored
  const kept = record.keptOut
  return {
    position: stored.position + 1,
    lease: leaseId(stored.lease),
    environment: task.environment,
    task,
    groupSize,
    slot: stored.slot,
    score: record.score,
    terms: record.terms,
    prediction: { ...record.prediction, shares: record.shares },
    reason: record.reason,
    runnerUp:
      kept === null
        ? null
        : {
            environment: taskAt(catalog, kept.task).environment,
            task: taskAt(catalog, kept.task),
            margin: kept.margin,
            rule: kept.rule,
            change: changeView(catalog, kept.change),
          },
    more,
    result,
  }
}

export function recordView(
  catalog: Catalog,
  record: BatchRecord,
): Pick<
  BatchDetail,
  | 'leftOut'
  | 'quotas'
  | 'eligible'
  | 'tasks'
  | 'notes'
  | 'expectedInformative'
  | 'insideSimilarity'
  | 'fallback'
  | 'stages'
  | 'shares'
> {
  return {
    fallback: record.fallback,
    leftOut: record.leftOut.map((left) => leftOutView(catalog, left, record.quotas)),
    quotas: record.quotas.map((use) => quotaView(catalog, use)),
    eligible: record.eligible,
    tasks: catalog.tasks.length,
    notes: record.notes,
    expectedInformative: record.expectedInformative,
    insideSimilarity: record.insideSimilarity,
    ...waysOf(catalog, record, []),
  }
}

/** How a batch hands out its rollouts, where it is not by picks of one stage. `groups`: what came of it. */
export function waysOf(
  catalog: Catalog,
  { stages, shares }: BatchRecord,
  groups: readonly GroupRow[],
): Pick<BatchDetail, 'stages' | 'shares'> {
  return {
    stages: stages === undefined ? null : [stages[0], stages[1]],
    shares: shares === undefined ? null : sharesView(catalog, shares, groups),
  }
}

/** Environments that the trainer took though they had no share stand behind the others. */
function sharesView(
  catalog: Catalog,
  shares: readonly EnvironmentShare[],
  groups: readonly GroupRow[],
): NonNullable<BatchDetail['shares']> {
  const came = new Map<number, number>()
  for (const group of groups) {
    const environment = environmentOf(catalog, group.task)
    came.set(environment, (came.get(environment) ?? 0) + 1)
  }
  const asked = new Set(shares.map(({ environment }) => environment))
  const others = [...came.keys()].filter((environment) => !asked.has(environment)).sort((a, b) => a - b)
  return [...shares, ...others.map((environment) => ({ environment, picks: 0 }))].map(({ environment, picks }) => ({
    environment: environmentAt(catalog, environment),
    picks,
    groups: came.get(environment) ?? 0,
  }))
}

/** A decision that was not issued, in the shape of a batch: leases are empty, nothing is back. */
export function proposedView(
  catalog: Catalog,
  decision: BatchDecision,
  at: { index: number; policyVersion: number; size: number; groupSize: number },
  overrides: { id: string; letter: string; sentence: string; since: number }[],
): ProposedBatch {
  return {
    ...at,
    picks: decision.picks.length,
    ...recordView(catalog, decision),
    pickList: decision.picks.map((pick, position) =>
      pickView(
        catalog,
        { position, task: pick.task, slot: pick.slot, lease: 0, record: pickRecord(pick, decision) },
        pick.groupSize,
        resultView(undefined, pick.groupSize, [], new Set()),
      ),
    ),
    overrides,
  }
}

export const markerOf = ({ id, letter, sentence, batch }: OverridePoint) => ({ id, letter, sentence, since: batch })
