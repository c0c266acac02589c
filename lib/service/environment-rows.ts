/**
 * One row an environment, with its state and the sentence that says why. Pure over history and the engine's view.
 * Owns: the rules of the states (starved, contract, drifts, …) and their order: the worst that holds is the state.
 */
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { SchedulerView } from '@/lib/engine/view'
import type { GroupRow } from '@/lib/store/group'
import { type Catalog, environmentOf } from './catalog'
import { boostOf } from './override-change'
import { groupsByBatch, type RunHistory } from './run-history'
import { RECENT } from './run-summary'
import { addCounts, informativeShare, judged, meanOf } from './tally'

const STARVED_BATCHES = 6
/** predicted and realised variance over this many groups at least before a drift is called one */
const DRIFT_GROUPS = 12
const DRIFT_SIZE = 0.05
const SOLVED = 0.9
const SATURATING = 0.8
const CONTRACT_GROUPS = 4

export interface AbilityNow {
  ability: ArrayLike<number>
}

export function environmentRows(
  catalog: Catalog,
  history: RunHistory,
  view: SchedulerView,
  now: AbilityNow,
): EnvironmentRow[] {
  const byBatch = groupsByBatch(history)
  const recentIndex = (history.batches.at(-RECENT)?.index ?? 1) - 1
  const byEnvironment = catalog.environments.map((): GroupRow[] => [])
  for (const group of history.groups.values()) byEnvironment[environmentOf(catalog, group.task)]?.push(group)
  const ability = catalog.environments.map(() => ({ sum: 0, count: 0 }))
  for (const [task, { environment }] of catalog.set.tasks.entries()) {
    const cell = ability[environment]
    if (cell === undefined) continue
    cell.sum += now.ability[task] ?? 0
    cell.count += 1
  }
  const inBatch = (byBatch.get(history.batches.at(-1)?.index ?? -1) ?? []).filter((group) => !group.late)
  return catalog.environments.map((ref, ordinal): EnvironmentRow => {
    const groups = byEnvironment[ordinal] ?? []
    const recent = groups.filter((group) => group.batch === null || group.batch > recentIndex)
    const scored = judged(recent).filter((group) => group.predictedVariance !== null)
    const state = view.environments[ordinal]
    if (state === undefined) throw new Error(`the engine's view has no environment ${ordinal}`)
    const statuses: Record<string, number> = {}
    for (const group of recent) addCounts(statuses, group.statuses)
    const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
    const trusted = (statuses.ok ?? 0) + (statuses.truncated ?? 0)
    const cell = ability[ordinal] ?? { sum: 0, count: 0 }
    const row: EnvironmentRow = {
      ...ref,
      tasks: catalog.islands[ordinal]?.tasks ?? 0,
      seen: new Set(groups.filter((group) => group.trusted > 0).map((group) => group.task)).size,
      tools: catalog.set.environments[ordinal]?.tools.length ?? 0,
      quota: {
        environment: ref,
        ...state.quota,
        used: state.used,
        window: state.window,
        picks: inBatch.filter((group) => environmentOf(catalog, group.task) === ordinal).length,
        state: quotaState({ ...state.quota, used: state.used, window: state.window }),
      },
      quotaSet: view.config.quotas[ordinal] ?? null,
      state: 'ok',
      sentence: null,
      predictedVariance: meanOf(scored, (group) => group.predictedVariance),
      realisedVariance: meanOf(scored, (group) => group.realisedVariance),
      ability: cell.count === 0 ? 0 : cell.sum / cell.count,
      drift: driftOf(groups, recentIndex),
      informativeShare: informativeShare(recent),
      statuses,
      failureShare: all === 0 ? null : (all - trusted) / all,
      seconds: ratio(recent, 'secondsSum', 'secondsCount'),
      tokens: ratio(recent, 'tokensSum', 'tokensCount'),
      leased: state.leased,
      batchesSincePick: state.lastPickedBatch === 0 ? null : view.batch - state.lastPickedBatch,
      paused: state.pause === null ? null : { mode: state.pause, batchesLeft: state.pauseLeft },
      boost: boostOf(view, ordinal),
    }
    const judgement = judge(row, groups, view.batch)
    return { ...row, ...judgement }
  })
}

function quotaState({
  lower,
  upper,
  used,
  window,
}: {
  lower: number
  upper: number
  used: number
  window: number
}): EnvironmentRow['quota']['state'] {
  if (window === 0) return 'ok'
  const share = used / window
  if (share > upper + 1e-9) return 'over'
  if (share < lower - 1e-9) return 'under'
  return upper < 1 && share > upper - 0.005 ? 'near' : 'ok'
}

/** Mean success of its groups in the last ten batches minus that of the ten before; null without both. */
function driftOf(groups: readonly GroupRow[], recentIndex: number): number | null {
  const late = meanOf(
    groups.filter((group) => (group.batch ?? 0) > recentIndex),
    (group) => group.mean,
  )
  const early = meanOf(
    groups.filter((group) => (group.batch ?? 0) <= recentIndex && (group.batch ?? 0) > recentIndex - RECENT),
    (group) => group.mean,
  )
  return late === null || early === null ? null : late - early
}

function ratio(
  groups: readonly GroupRow[],
  sum: 'secondsSum' | 'tokensSum',
  count: 'secondsCount' | 'tokensCount',
): number | null {
  const n = groups.reduce((total, group) => total + group[count], 0)
  return n === 0 ? null : groups.reduce((total, group) => total + group[sum], 0) / n
}

const percent = (share: number) => `${Math.round(share * 100)} %`

function judge(
  row: EnvironmentRow,
  groups: readonly GroupRow[],
  batch: number,
): Pick<EnvironmentRow, 'state' | 'sentence'> {
  if (row.paused !== null) {
    const left = row.paused.batchesLeft
    return {
      state: 'paused',
      sentence: `Paused (${row.paused.mode})${left === null ? ' until resumed' : `, ${Math.ceil(left)} batches left`}.`,
    }
  }
  const done = groups.filter((group) => group.state === 'absorbed' && group.returned > 0)
  const broken = new Set(
    done.filter((group) => group.verifierErrors > 0 && group.trusted === 0).map((group) => group.task),
  ).size
  const since = row.batchesSincePick ?? batch
  if (batch >= STARVED_BATCHES && since >= STARVED_BATCHES) {
    const why = broken > 0 ? `: ${broken} of its ${row.tasks} tasks ended in verifier errors` : ''
    const quota = row.quota.lower > 0 ? ` although its lower quota is ${percent(row.quota.lower)}` : ''
    return { state: 'starved', sentence: `No picks for ${since} batches${quota}${why}.` }
  }
  const trusted = done.filter((group) => group.trusted > 0)
  const errors = done.filter((group) => group.verifierErrors > 0).length
  if (trusted.length >= CONTRACT_GROUPS && trusted.every((group) => group.mean === 0) && errors * 2 >= done.length) {
    return {
      state: 'contract',
      sentence: `Its first ${trusted.length} groups are all zero and ${errors} of ${done.length} report verifier errors: the contract may not match.`,
    }
  }
  const known = judged(groups)
    .filter((group) => group.predictedVariance !== null)
    .slice(-DRIFT_GROUPS * 3)
  const predicted = meanOf(known, (group) => group.predictedVariance)
  const realised = meanOf(known, (group) => group.realisedVariance)
  if (
    known.length >= DRIFT_GROUPS &&
    predicted !== null &&
    realised !== null &&
    Math.abs(predicted - realised) > DRIFT_SIZE
  ) {
    return {
      state: 'drifts',
      sentence: `Predicted variance ${predicted.toFixed(3)}, realised ${realised.toFixed(3)} over ${known.length} groups.`,
    }
  }
  if (row.seen === 0) return { state: 'unseen', sentence: null }
  if (row.quota.state === 'near' || row.quota.state === 'over')
    return { state: 'at_upper_quota', sentence: `At its upper quota of ${percent(row.quota.upper)}.` }
  if (row.ability >= SOLVED) return { state: 'nearly_solved', sentence: null }
  if (row.ability >= SATURATING) return { state: 'saturating', sentence: null }
  return { state: 'ok', sentence: null }
}
