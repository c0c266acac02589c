/**
 * What one rollout of a task is expected to cost, beside the run's mean: seconds, where they are not reported tokens, else turns.
 * Owns: the measures, their fading means, the shrinkage of a task's mean to its environment's and of that to the run's.
 * Must never know: rewards, weights. Units: a relative cost is a ratio, 1 = the run's mean; 1 where nothing was reported.
 * Invariants: each environment is compared within one measure; a relative cost lies in [1/16, 16].
 * Measured (world slow, two stages, seeds 1 to 6, weight .25 against 0): rollout seconds to the target 79.6 thousand against 142.9
 * (-63.4 ± 11.7), steps +1.0 ± 3.1, area -.002 ± .006. One model before: .25 -75.0 ± 12.3 and +8.7 ± 4.1 steps; 1 -70.8 ± 11.1 and +22.2 ± 4.9.
 * Shapes: columns are 3 N or 3 E long, measure first. Cost: O(1) a group, O(N) a batch.
 */
import type { GroupEntry } from './log-entry'
import type { State } from './state'

/** In the order of preference. */
export const MEASURES = ['seconds', 'tokens', 'turns'] as const

/** a group of its own forgets the ones before: costs belong to environments and hardly move */
const FADE = { task: 0.9, environment: 0.98 }
/** rollouts that the wider mean weighs as much as */
const PRIOR = { environment: 8, task: 8 }
const MOST = 16

interface CostColumns {
  costWeight: Float64Array
  costSum: Float64Array
}

function fold(columns: CostColumns, at: number, fade: number, cost: number, weight: number): void {
  columns.costWeight[at] = fade * columns.costWeight[at]! + weight
  columns.costSum[at] = fade * columns.costSum[at]! + weight * cost
}

/** Folds the costs of a group that was reported with some; a cost that is not a number of 0 or more is passed over. */
export function foldCost(state: State, entry: GroupEntry, environment: number): void {
  const { tasks, environments } = state
  const n = tasks.picks.length
  const e = environments.picks.length
  MEASURES.forEach((name, m) => {
    const cost = entry[name] ?? null
    if (cost === null || !Number.isFinite(cost) || cost < 0 || entry.trusted <= 0) return
    fold(tasks, m * n + entry.task, FADE.task, cost, entry.trusted)
    fold(environments, m * e + environment, FADE.environment, cost, entry.trusted)
  })
}

/** Mean of a measure over the environments that report it, null where none does. */
function meanOf({ costWeight, costSum }: CostColumns, measure: number, environments: number): number | null {
  let weight = 0
  let sum = 0
  for (let k = measure * environments; k < (measure + 1) * environments; k++) {
    weight += costWeight[k]!
    sum += costSum[k]!
  }
  return weight > 0 ? sum / weight : null
}

/** Expected cost of a rollout of each task over the run's mean. */
export function relativeCosts(state: State, environmentOf: Int32Array): Float64Array {
  const { tasks, environments } = state
  const n = environmentOf.length
  const count = environments.picks.length
  const run = MEASURES.map((_, m) => meanOf(environments, m, count))
  const measure = Array.from({ length: count }, (_, e) =>
    MEASURES.findIndex((_, m) => environments.costWeight[m * count + e]! > 0),
  )
  return Float64Array.from(environmentOf, (e, i) => {
    const m = measure[e]!
    const all = m < 0 ? null : run[m]!
    if (all === null || all <= 0) return 1
    const around = m * count + e
    const here =
      (environments.costSum[around]! + PRIOR.environment * all) / (environments.costWeight[around]! + PRIOR.environment)
    const own = m * n + i
    const expected = (tasks.costSum[own]! + PRIOR.task * here) / (tasks.costWeight[own]! + PRIOR.task)
    return Math.min(MOST, Math.max(1 / MOST, expected / all))
  })
}
