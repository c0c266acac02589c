/**
 * One row an environment: what was picked of it, what came back, what is predicted. Pure over history and the engine's view.
 */
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { SchedulerView } from '@/lib/engine/view'
import type { GroupRow } from '@/lib/store/group'
import type { RunBook } from './alarms/alarm-book'
import type { Ring } from './alarms/ring'
import { type Catalog, environmentOf } from './catalog'
import { stateOf } from './environment-state'
import { boostOf } from './override-change'
import { groupsByBatch, type RunHistory } from './run-history'
import { RECENT } from './run-summary'
import { addCounts, informativeShare, judged, meanOf } from './tally'

interface AbilityNow {
  ability: ArrayLike<number>
}

export function environmentRows(
  catalog: Catalog,
  history: RunHistory,
  view: SchedulerView,
  now: AbilityNow,
  /** alarms that hold, worst first, and the book they were rung from */
  rings: readonly Ring[],
  book: RunBook,
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
      errorShare: ratio(recent, 'errors', 'returned'),
      seconds: ratio(recent, 'secondsSum', 'secondsCount'),
      tokens: ratio(recent, 'tokensSum', 'tokensCount'),
      leased: state.leased,
      batchesSincePick: state.lastPickedBatch === 0 ? null : view.batch - state.lastPickedBatch,
      paused: state.pause === null ? null : { mode: state.pause, batchesLeft: state.pauseLeft },
      boost: boostOf(view, ordinal),
      ...sinceItsPeak(book, ordinal),
    }
    return {
      ...row,
      ...stateOf(
        row,
        rings.filter((ring) => ring.environment === ordinal),
      ),
    }
  })
}

/** Reward on its uniform slots now and at its best; both null until there are enough rollouts. */
function sinceItsPeak(
  book: RunBook,
  ordinal: number,
): Pick<EnvironmentRow, 'uniformReward' | 'uniformPeak' | 'uniformRollouts'> {
  const known = book.environments[ordinal]?.forgetting
  const { now, peak } = known ?? { now: null, peak: null }
  return {
    uniformReward: now === null ? null : { value: now.value, low: now.low, high: now.high },
    uniformPeak: peak === null ? null : { value: peak.value, low: peak.low, high: peak.high, batch: peak.batch },
    uniformRollouts: known?.rollouts ?? 0,
  }
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
  sum: 'secondsSum' | 'tokensSum' | 'errors',
  count: 'secondsCount' | 'tokensCount' | 'returned',
): number | null {
  const n = groups.reduce((total, group) => total + group[count], 0)
  return n === 0 ? null : groups.reduce((total, group) => total + group[sum], 0) / n
}
