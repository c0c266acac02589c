/**
 * Plain data about the state for pages: per environment, per task, overrides in force, coverage.
 * Owns: the shape. Must never know: names, the field. Invariant: copies; changing a view changes nothing.
 * Shapes: `tasks` columns by task index, `environments` one object each. Cost: O(N + window).
 */
import type { Quota, SchedulerConfig } from './config'
import type { OverrideChange } from './log-entry'
import { inForce } from './overrides'
import { type Places, uniformShareOf } from './picks'
import { type State, typicalBatch, windowLength } from './state'
import { trustOf, waitOf } from './trust'

export interface EnvironmentView {
  /** picks in the quota window and the picks that window holds so far */
  used: number
  window: number
  quota: Quota
  pause: 'hold' | 'drain' | null
  /** batches until the pause ends, null = until lifted, or not paused */
  pauseLeft: number | null
  picks: number
  leased: number
  groups: number
  trusted: number
  untrusted: number
  verifierErrors: number
  /** 0 = never */
  lastPickedBatch: number
  /** fading mean of the realised variance, null before the first group of two */
  realisedVariance: number | null
  /** the lowest that mean has been after 16 groups: what a noisy verifier may manufacture; null = not enough yet */
  noise: number | null
}

export interface TaskViews {
  picks: Int32Array
  groups: Int32Array
  /** 0 = never */
  lastPickedBatch: Int32Array
  leased: Int32Array
  banned: Uint8Array
  pinned: Uint8Array
  boost: Float64Array
  /** batches until it is free again, 0 = it does not wait */
  waiting: Float64Array
  /** expected trusted share of its next group, (0, 1] */
  trustedShare: Float64Array
}

export interface OverrideView {
  override: number
  change: OverrideChange
  /** first batch it holds in */
  from: number
  /** null = until lifted */
  batchesLeft: number | null
}

export interface SchedulerView {
  batch: number
  policyVersion: number | null
  picks: number
  typicalBatch: number
  uniformEpoch: number
  /** length of the quota window in picks */
  windowPicks: number
  environments: EnvironmentView[]
  tasks: TaskViews
  overrides: OverrideView[]
  /** the configuration with every override applied */
  config: SchedulerConfig
  coverage: { environments: number; tasks: number; patterns: number }
  /** sizes of what can be covered */
  of: { environments: number; tasks: number; patterns: number }
}

function left(state: State, until: number | null): number | null {
  return until === null ? null : Math.max(0, until - state.totals.clock)
}

function positive(column: Int32Array | Float64Array): number {
  let count = 0
  for (const value of column) if (value > 0) count++
  return count
}

export function viewOfState(state: State, places: Places): SchedulerView {
  const { tasks, environments, patterns, totals } = state
  const { environmentOf } = places
  const now = inForce(state, environmentOf)
  const used = new Int32Array(environments.low.length)
  for (const { environment, position } of state.window)
    if (position >= environments.windowFrom[environment]!) used[environment]!++
  const environmentView = (e: number): EnvironmentView => ({
    used: used[e]!,
    window: state.window.reduce((count, pick) => count + (pick.position >= environments.windowFrom[e]! ? 1 : 0), 0),
    quota: { ...now.quotas[e]! },
    pause: now.pause[e] ?? null,
    pauseLeft: left(state, now.pauseBy[e]?.until ?? null),
    picks: environments.picks[e]!,
    leased: environments.leased[e]!,
    groups: environments.groups[e]!,
    trusted: environments.trustedRollouts[e]!,
    untrusted: environments.untrustedRollouts[e]!,
    verifierErrors: environments.verifierErrors[e]!,
    lastPickedBatch: environments.lastBatch[e]!,
    realisedVariance: environments.tried[e]! > 0 ? environments.realised[e]! : null,
    noise: environments.noise[e]! >= 0 ? environments.noise[e]! : null,
  })
  return {
    batch: totals.batch,
    policyVersion: totals.policyVersion,
    picks: totals.picks,
    typicalBatch: typicalBatch(totals),
    uniformEpoch: totals.uniformEpoch,
    windowPicks: windowLength(state),
    environments: Array.from(environments.low, (_, e) => environmentView(e)),
    tasks: {
      picks: tasks.picks.slice(),
      groups: tasks.groups.slice(),
      lastPickedBatch: tasks.lastBatch.slice(),
      leased: tasks.leased.slice(),
      banned: now.banned,
      pinned: now.pinned,
      boost: now.boost,
      waiting: Float64Array.from(environmentOf, (_, i) => waitOf(state, i)),
      trustedShare: Float64Array.from(environmentOf, (e, i) => trustOf(state, i, e)),
    },
    overrides: state.overrides.map(({ override, change, since, until }) => ({
      override,
      change: { ...change },
      from: since + 1,
      batchesLeft: left(state, until),
    })),
    config: {
      ...structuredClone(state.config),
      weights: { ...now.weights },
      groupSizing: now.groupSizing,
      uniformShare: uniformShareOf(state.config.scheduler, now.uniformShare),
      quotas: now.quotas.map((quota, e) =>
        quota.lower === 0 && quota.upper === 1 && (state.config.quotas[e] ?? null) === null ? null : { ...quota },
      ),
    },
    coverage: {
      environments: positive(environments.groups),
      tasks: positive(tasks.groups),
      patterns: positive(patterns.groups),
    },
    of: { environments: environments.low.length, tasks: environmentOf.length, patterns: patterns.groups.length },
  }
}
