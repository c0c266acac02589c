/**
 * How the field's mean came about: one entry an absorbed group, and what older groups merged into.
 * Shapes: gains of n common and m block effects; the mean moved by gain times (target - row.mean) / scale, the row being the amounts that
 * the task's logit then had.
 * Invariant: an entry never changes, so clones share it. Merged groups keep an exact split of their mean by environment and, by source
 * task, the part that stays with the common effects, the source's own block and the source itself.
 */
export interface GroupFacts {
  task: number
  policyVersion: number
  lease: number | null
  /** trusted rollouts; raw sum and sum of squares; how many at the low and high end */
  trusted: number
  sum: number
  sumSquares: number
  low: number
  high: number
}

export interface TracedGroup extends GroupFacts {
  /** policy versions the field had advanced when it absorbed the group */
  versions: number
  /** of the normalised rewards; the variance unbiased, 0 of a single rollout */
  mean: number
  variance: number
  /** pseudo-observation of row times deviations from the prior, its innovation variance and its own variance */
  target: number
  scale: number
  observation: number
  /** amounts of the task's row */
  row: Float64Array
  commonGain: Float64Array
  ownGain: Float64Array
  taskGain: number
}

export interface OlderSource {
  policyVersion: number
  versions: number
  groups: number
  rollouts: number
  /** sums over groups of mean, variance and observation variance, each times its rollouts */
  reward: number
  variance: number
  observation: number
  /** what its groups still contribute to the means of the common effects (a window of `Older.common`), of its own block, of itself */
  common: Float64Array
  own: Float64Array
  deviation: number
}

export interface Older {
  sources: Map<number, OlderSource>
  /** `common` of all sources one after the other, in the order of `sources`, and the environment of each; with room for more */
  common: Float64Array
  homes: Int32Array
  /** by source environment: what its merged groups contribute to the whole state */
  environments: Map<number, Float64Array>
}

export function emptyOlder(): Older {
  return { sources: new Map(), common: new Float64Array(0), homes: new Int32Array(0), environments: new Map() }
}
