/**
 * Control scheduler: environments in proportion to their informative share, a task inside at random.
 * Owns: the race that turns proportional draws into scores: each environment's tasks arrive, in shuffled order, at the
 * times of a Poisson process whose rate is its share; the earliest arrivals are what drawing one by one would give.
 * Must never know: the field, task histories. Shapes: by task and environment. Cost: O(N log N).
 */
export interface BanditColumns {
  environmentOf: Int32Array
  /** fading groups and informative groups */
  tried: Float64Array
  informative: Float64Array
  /** independent draws in [0, 1) by task: the order inside an environment, and the waiting times */
  order: Float64Array
  waiting: Float64Array
}

const FLOOR = 0.02
const PRIOR = { tried: 1, informative: 0.5 }

/** 1 / (1 + arrival time), in (0, 1]. */
export function envBanditScores(columns: BanditColumns): Float64Array {
  const { environmentOf, tried, informative, order, waiting } = columns
  const scores = new Float64Array(environmentOf.length)
  const clock = new Float64Array(tried.length)
  const shuffled = Array.from(environmentOf, (_, i) => i).sort((a, b) => order[b]! - order[a]! || a - b)
  for (const i of shuffled) {
    const e = environmentOf[i]!
    const rate = FLOOR + (informative[e]! + PRIOR.informative) / (tried[e]! + PRIOR.tried)
    clock[e]! -= Math.log1p(-waiting[i]!) / rate
    scores[i] = 1 / (1 + clock[e]!)
  }
  return scores
}
