/**
 * Every constant a person may change, in one object, with its range and default.
 * Owns: names, ranges, defaults of the scheduler's configuration. The field's own constants are in field-settings.ts.
 * Invariant: a configuration that passed `configIssues` can be scheduled with; nothing else is checked later.
 */
export const SCHEDULERS = ['envsched', 'uniform', 'env-then-task', 'env-then-task-protected', 'env-bandit'] as const
export type SchedulerName = (typeof SCHEDULERS)[number]

export const WEIGHTS = ['exploitation', 'coverage', 'similarity', 'recency', 'headroom', 'cost'] as const
export type WeightName = (typeof WEIGHTS)[number]

/**
 * `fixed`: every pick gets the group size that was asked for. `adaptive`: size times group size is a budget of rollouts, and
 * scored picks get from it what their next rollouts are expected to teach (group-sizes.ts).
 */
export const GROUP_SIZINGS = ['fixed', 'adaptive'] as const
export type GroupSizing = (typeof GROUP_SIZINGS)[number]

/**
 * Range and default of each weight: multipliers of a term, except two exponents: headroom, the h of E[q (1-q)^(1+h)], and
 * cost: a score is divided by (expected cost / the run's mean cost)^cost, 0 = cost does not count.
 */
export const WEIGHT_RANGES: Record<WeightName, { low: number; high: number; default: number; step: number }> = {
  exploitation: { low: 0, high: 2, default: 1, step: 0.05 },
  coverage: { low: 0, high: 2, default: 1, step: 0.05 },
  similarity: { low: 0, high: 1, default: 0.3, step: 0.05 },
  recency: { low: 0, high: 1, default: 0.6, step: 0.05 },
  headroom: { low: 0, high: 3, default: 1, step: 0.1 },
  cost: { low: 0, high: 1, default: 0, step: 0.05 },
}

/** An environment's lower and upper share of the picks of a window, 0 to 1. */
export interface Quota {
  lower: number
  upper: number
}

export interface SchedulerConfig {
  scheduler: SchedulerName
  weights: Record<WeightName, number>
  /** share of a batch drawn uniformly, 0 to 1 */
  uniformShare: number
  groupSizing: GroupSizing
  /** by environment index; null = [0, 1] */
  quotas: (Quota | null)[]
  /** length of the quota window, in picks; null = ten typical batches */
  windowPicks: number | null
  /** the informative share that a researcher wants, 0 to 1: drawn and alarmed on, never optimised */
  target: number
}

export function defaultConfig(environments: number): SchedulerConfig {
  return {
    scheduler: 'envsched',
    weights: {
      exploitation: WEIGHT_RANGES.exploitation.default,
      coverage: WEIGHT_RANGES.coverage.default,
      similarity: WEIGHT_RANGES.similarity.default,
      recency: WEIGHT_RANGES.recency.default,
      headroom: WEIGHT_RANGES.headroom.default,
      cost: WEIGHT_RANGES.cost.default,
    },
    uniformShare: 0.25,
    groupSizing: 'fixed',
    quotas: new Array<Quota | null>(environments).fill(null),
    windowPicks: null,
    target: 0.6,
  }
}
