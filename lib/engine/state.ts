/**
 * What is folded from the log beside the field: leases, recency, window, trust, uniform epochs, overrides in force.
 * Owns: the shape, creation and copying. `fold.ts` changes it, `state-bytes.ts` stores it.
 * Must never know: the field, scores, names. Invariant: everything in here follows from the log to the bit.
 * Shapes: `tasks` columns have N entries, `environments` E, `patterns` P. Ages are in batches: picks over the typical batch.
 */
import type { SchedulerConfig } from './config'
import { MEASURES } from './cost'
import { hashText } from './hash'
import type { OverrideChange, Slot } from './log-entry'
import type { EngineTaskSet } from './task-set'

export interface Lease {
  lease: number
  task: number
  slot: Slot
  batch: number
  at: number
  policyVersion: number
  /** the task's clock of its last pick before this one, so that a pick that is given back costs it nothing */
  before: number
}

export interface ActiveOverride {
  override: number
  change: OverrideChange
  /** batches issued when it was applied: it holds from the next one on */
  since: number
  /** the clock at which it ends, null = until lifted */
  until: number | null
}

/** One pick of the quota window. `position` is the pick's number in the run. */
export interface WindowPick {
  environment: number
  lease: number
  position: number
}

/** Plain numbers of the whole run. */
export interface Totals {
  batch: number
  picks: number
  /** batches that passed, in picks over the typical batch size */
  clock: number
  /** fading mean of the picks a batch; 0 before the first */
  requestPicks: number
  /** fading mean of the picks a policy version; 0 before one was completed */
  versionPicks: number
  /** picks since the policy last advanced */
  sinceVersion: number
  /** newest policy version known, null before the first */
  policyVersion: number | null
  uniformEpoch: number
  /** uniform slots owed: share times picks minus uniform picks */
  uniformCredit: number
  /** groups absorbed, and running mass, variance and variance with headroom over all tasks */
  groups: number
  mass: number
  variance: number
  frontier: number
}

export interface State {
  seed: number
  config: SchedulerConfig
  totals: Totals
  overrides: ActiveOverride[]
  leases: Map<number, Lease>
  window: WindowPick[]
  tasks: ReturnType<typeof taskColumns>
  environments: ReturnType<typeof environmentColumns>
  patterns: ReturnType<typeof patternColumns>
}

function taskColumns(n: number) {
  return {
    picks: new Int32Array(n),
    groups: new Int32Array(n),
    /** open leases */
    leased: new Int32Array(n),
    /** number of the last batch that picked it, 0 = never */
    lastBatch: new Int32Array(n),
    /** clock after that batch, -1 = never */
    lastClock: new Float64Array(n).fill(-1),
    /** uniform epochs in which it has been drawn */
    drawn: new Int32Array(n),
    /** groups in a row without any trusted rollout */
    dry: new Int32Array(n),
    /** clock until which it waits, 0 = not */
    waitUntil: new Float64Array(n),
    /** fading counts of trusted and untrusted rollouts */
    trusted: new Float64Array(n),
    untrusted: new Float64Array(n),
    /** last group: normalised mean, size, how many at the high end, binary or not, policy version */
    lastMean: new Float64Array(n),
    lastSize: new Int32Array(n),
    lastHigh: new Int32Array(n),
    lastBinary: new Uint8Array(n),
    lastVersion: new Float64Array(n),
    /** by measure of MEASURES (cost.ts), then task: fading trusted rollouts, and cost times them */
    costWeight: new Float64Array(MEASURES.length * n),
    costSum: new Float64Array(MEASURES.length * n),
    /** fading mass (n - 1)/2 a group, with mean, variance and variance times (1 - mean) */
    mass: new Float64Array(n),
    mean: new Float64Array(n),
    variance: new Float64Array(n),
    frontier: new Float64Array(n),
  }
}

function environmentColumns(e: number) {
  return {
    low: new Float64Array(e),
    high: new Float64Array(e).fill(1),
    picks: new Int32Array(e),
    leased: new Int32Array(e),
    lastBatch: new Int32Array(e),
    groups: new Int32Array(e),
    trustedRollouts: new Float64Array(e),
    untrustedRollouts: new Float64Array(e),
    verifierErrors: new Float64Array(e),
    /** fading counts: trust by rollouts, acceptance by leases */
    trusted: new Float64Array(e),
    untrusted: new Float64Array(e),
    returned: new Float64Array(e),
    lost: new Float64Array(e),
    /** fading picks: what coverage counts */
    covered: new Float64Array(e),
    /** as a task's, by measure and environment */
    costWeight: new Float64Array(MEASURES.length * e),
    costSum: new Float64Array(MEASURES.length * e),
    /** fading mass (n - 1)/2 a group, with mean, variance and variance times (1 - mean) */
    mass: new Float64Array(e),
    mean: new Float64Array(e),
    variance: new Float64Array(e),
    frontier: new Float64Array(e),
    /** fading groups and informative groups, for the environment bandit */
    tried: new Float64Array(e),
    informative: new Float64Array(e),
    /** fading mean of the realised variance, and the lowest it has been after 16 groups (-1 = not yet) */
    realised: new Float64Array(e),
    noise: new Float64Array(e).fill(-1),
    /** position of the first pick that its quota counts */
    windowFrom: new Float64Array(e),
  }
}

function patternColumns(p: number) {
  return {
    covered: new Float64Array(p),
    lastBatch: new Int32Array(p),
    groups: new Int32Array(p),
  }
}

/** An empty run. `patterns` = number of interaction patterns. */
export function createState(set: EngineTaskSet, config: SchedulerConfig, seed: string, patterns: number): State {
  const environments = environmentColumns(set.environments.length)
  for (let e = 0; e < set.environments.length; e++) {
    const range = set.environments[e]!.rewardRange
    if (range !== null) {
      environments.low[e] = range[0]
      environments.high[e] = range[1]
    }
  }
  return {
    seed: hashText(seed),
    config: structuredClone(config),
    totals: {
      batch: 0,
      picks: 0,
      clock: 0,
      requestPicks: 0,
      versionPicks: 0,
      sinceVersion: 0,
      policyVersion: null,
      uniformEpoch: 1,
      uniformCredit: 0,
      groups: 0,
      mass: 0,
      variance: 0,
      frontier: 0,
    },
    overrides: [],
    leases: new Map(),
    window: [],
    tasks: taskColumns(set.tasks.length),
    environments,
    patterns: patternColumns(patterns),
  }
}

/** A copy that shares nothing. Cost: O(N + E). */
export function cloneState(state: State): State {
  return structuredClone(state)
}

/** Requests smaller than this are pooled by policy version: a trainer that asks one at a time still has batches. */
const SMALL_REQUEST = 8

/** Picks a typical batch has, at least 1. */
export function typicalBatch(totals: Totals): number {
  const request = Math.max(1, totals.requestPicks)
  return request < SMALL_REQUEST ? Math.max(request, totals.versionPicks) : request
}

/** Length of the quota window in picks, at least 1. */
export function windowLength(state: State): number {
  const asked = state.config.windowPicks
  return Math.max(1, Math.round(asked ?? 10 * typicalBatch(state.totals)))
}
