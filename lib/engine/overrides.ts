/**
 * Instructions of people, and the settings that hold once they are applied in order over the run's configuration.
 * Owns: which overrides are in force, and what they come to. Must never know: scores.
 * Invariant: the later of two on the same thing wins; when it ends, the earlier one holds again. Unknown targets do nothing.
 */
import { GROUP_SIZINGS, type GroupSizing, type Quota, type WeightName } from './config'
import type { OverrideChange, OverrideEntry } from './log-entry'
import type { ActiveOverride, State } from './state'

export interface InForce {
  weights: Record<WeightName, number>
  uniformShare: number
  groupSizing: GroupSizing
  /** by environment */
  quotas: Quota[]
  pause: ('hold' | 'drain' | null)[]
  /** by task */
  banned: Uint8Array
  pinned: Uint8Array
  boost: Float64Array
  /** of each task or environment that an override rules, the override's number; for what is shown */
  pauseBy: (ActiveOverride | null)[]
  /** environment whose quota window would begin anew, as a change of its quota makes it; null in what is in force */
  renewed: number | null
}

const WHOLE: Quota = { lower: 0, upper: 1 }

/** The settings in force. Cost: O(N + overrides). */
export function inForce(state: State, environmentOf: Int32Array): InForce {
  const { config } = state
  const n = environmentOf.length
  const e = state.environments.low.length
  const now: InForce = {
    weights: { ...config.weights },
    uniformShare: config.uniformShare,
    groupSizing: config.groupSizing,
    quotas: Array.from({ length: e }, (_, k) => config.quotas[k] ?? WHOLE),
    pause: new Array<'hold' | 'drain' | null>(e).fill(null),
    banned: new Uint8Array(n),
    pinned: new Uint8Array(n),
    boost: new Float64Array(n).fill(1),
    pauseBy: new Array<ActiveOverride | null>(e).fill(null),
    renewed: null,
  }
  const boosts = { task: new Map<number, number>(), environment: new Map<number, number>() }
  for (const active of state.overrides) applyChange(now, active, boosts)
  for (const [environment, factor] of boosts.environment)
    for (let i = 0; i < n; i++) if (environmentOf[i] === environment) now.boost[i]! *= factor
  for (const [task, factor] of boosts.task) now.boost[task]! *= factor
  return now
}

/** The share of uniform slots in force, without working out the rest. */
export function uniformShareInForce(state: State): number {
  const last = state.overrides.findLast(({ change }) => change.kind === 'uniform_share')
  return last?.change.kind === 'uniform_share' ? last.change.value : state.config.uniformShare
}

function applyChange(
  now: InForce,
  active: ActiveOverride,
  boosts: { task: Map<number, number>; environment: Map<number, number> },
): void {
  const { change } = active
  switch (change.kind) {
    case 'weight':
      now.weights[change.name] = change.value
      break
    case 'uniform_share':
      now.uniformShare = change.value
      break
    case 'group_sizing':
      now.groupSizing = change.value
      break
    case 'quota':
      now.quotas[change.environment] = { lower: change.lower, upper: change.upper }
      break
    case 'pause':
      now.pause[change.environment] = change.mode
      now.pauseBy[change.environment] = active
      break
    case 'pin':
      now.pinned[change.task] = 1
      break
    case 'ban':
      now.banned[change.task] = 1
      break
    case 'boost':
      if (change.task !== null) boosts.task.set(change.task, change.factor)
      else if (change.environment !== null) boosts.environment.set(change.environment, change.factor)
      break
    case 'resume':
    case 'lift':
      break
  }
}

function known(state: State, change: OverrideChange): boolean {
  const task = (i: number) => Number.isInteger(i) && i >= 0 && i < state.tasks.picks.length
  const environment = (e: number) => Number.isInteger(e) && e >= 0 && e < state.environments.low.length
  switch (change.kind) {
    case 'weight':
    case 'uniform_share':
      return Number.isFinite(change.value)
    case 'group_sizing':
      return GROUP_SIZINGS.includes(change.value)
    case 'quota':
      return environment(change.environment) && Number.isFinite(change.lower) && Number.isFinite(change.upper)
    case 'pause':
    case 'resume':
      return environment(change.environment)
    case 'pin':
    case 'ban':
      return task(change.task)
    case 'boost':
      return (
        Number.isFinite(change.factor) &&
        (change.task === null || task(change.task)) &&
        (change.environment === null || environment(change.environment))
      )
    case 'lift':
      return true
  }
}

/** A quota that changes starts its environment's window anew. */
function renewWindow(state: State, change: OverrideChange): void {
  if (change.kind === 'quota') state.environments.windowFrom[change.environment] = state.totals.picks
}

function drop(state: State, gone: (active: ActiveOverride) => boolean): void {
  const leaving = state.overrides.filter(gone)
  if (leaving.length === 0) return
  state.overrides = state.overrides.filter((active) => !gone(active))
  for (const active of leaving) renewWindow(state, active.change)
}

/** Puts one override in force (or takes one out). Anything unknown is passed over. */
export function foldOverride(state: State, entry: OverrideEntry): void {
  const { change } = entry
  if (!known(state, change)) return
  if (change.kind === 'lift') {
    drop(state, (active) => active.override === change.override)
    return
  }
  if (change.kind === 'resume') {
    drop(state, ({ change: c }) => c.kind === 'pause' && c.environment === change.environment)
    return
  }
  const { batch, clock } = state.totals
  const until = entry.batches !== null && Number.isFinite(entry.batches) ? clock + entry.batches : null
  state.overrides.push({ override: entry.override, change, since: batch, until })
  renewWindow(state, change)
}

/** Ends what has run out by now. */
export function expireOverrides(state: State): void {
  const now = state.totals.clock + 1e-9
  drop(state, ({ until }) => until !== null && until <= now)
}
