/**
 * Control scheduler: an average of the reward's variance by environment, then by task, with counts as coverage.
 * Owns: the shrinkage of a task's mean to its environment's and of that to all. Must never know: the field, the graph.
 * Shapes: columns by task and by environment; `value` is mass times variance (or variance with headroom). Cost: O(N).
 */
export interface MeanColumns {
  environmentOf: Int32Array
  task: { mass: Float64Array; value: Float64Array }
  environment: { mass: Float64Array; value: Float64Array }
  all: { mass: number; value: number }
  /** draws in [0, 1) by task: they part equal scores */
  tie: Float64Array
}

const PRIOR = { mass: 4, value: 0.4, environment: 4, task: 1.5 }
const COVERAGE = 0.05
const PARTING = 1e-3

export function envThenTaskScores(columns: MeanColumns): Float64Array {
  const { environmentOf, task, environment, all, tie } = columns
  const everywhere = (all.value + PRIOR.value) / (all.mass + PRIOR.mass)
  const here = environment.mass.map(
    (mass, e) => (environment.value[e]! + PRIOR.environment * everywhere) / (mass + PRIOR.environment),
  )
  const bonus = environment.mass.map((mass) => COVERAGE / Math.sqrt(1 + mass))
  return task.mass.map((mass, i) => {
    const e = environmentOf[i]!
    const mean = (task.value[i]! + PRIOR.task * here[e]!) / (mass + PRIOR.task)
    return mean + bonus[e]! + COVERAGE / Math.sqrt(1 + mass) + PARTING * tie[i]!
  })
}
