/**
 * What the realised variances of groups say beyond their means: graded rewards and noisy verifiers.
 * Owns: per environment the ratio of realised to binomial variance, and the noise floor; the recent groups of each task they
 * come from. Units: rewards normalised to [0, 1].
 * Invariants: an environment that only ever paid its two end values has a ratio of exactly 1; ratio in (0, 1.5], floor 0 to 0.1.
 */
export interface VarianceBook {
  /** 1 where an environment has paid anything between its ends */
  graded: Float64Array
  realised: Float64Array
  binomial: Float64Array
  floor: Float64Array
  /** groups of each task, and faded sums over them: rollouts, mean times rollouts, variance and its weight */
  groups: Float64Array
  rollouts: Float64Array
  reward: Float64Array
  variance: Float64Array
  weight: Float64Array
}

/** Prior weight of a ratio of 1, in degrees of freedom times variance: two full-variance degrees. */
const RATIO_WEIGHT = 0.5
const RATIO_LEAST = 0.02
const RATIO_MOST = 1.5
const RATIO_FADE = 0.98
const FADE = 0.9
/** A floor needs this many nearly solved or nearly failing tasks, each seen this often, and never exceeds the last. */
const FLOOR_TASKS = 3
const FLOOR_GROUPS = 4
const FLOOR_ROLLOUTS = 24
const FLOOR_END = 0.2
const FLOOR_MOST = 0.1

export function emptyBook(tasks: number, environments: number): VarianceBook {
  const perEnvironment = () => new Float64Array(environments)
  const perTask = () => new Float64Array(tasks)
  return {
    graded: perEnvironment(),
    realised: perEnvironment(),
    binomial: perEnvironment(),
    floor: perEnvironment(),
    groups: perTask(),
    rollouts: perTask(),
    reward: perTask(),
    variance: perTask(),
    weight: perTask(),
  }
}

/** Realised to binomial variance of an environment; 1 exactly for binary rewards. */
export function ratioOf(book: VarianceBook, environment: number): number {
  if (book.graded[environment] === 0) return 1
  const ratio = (RATIO_WEIGHT + book.realised[environment]!) / (RATIO_WEIGHT + book.binomial[environment]!)
  return Math.max(RATIO_LEAST, Math.min(RATIO_MOST, ratio))
}

function floorOf(book: VarianceBook, tasks: readonly number[]): number {
  let near = 0
  let least = FLOOR_MOST
  for (const i of tasks) {
    if (book.groups[i]! < FLOOR_GROUPS || book.rollouts[i]! < FLOOR_ROLLOUTS) continue
    const mean = book.reward[i]! / book.rollouts[i]!
    if (mean > FLOOR_END && mean < 1 - FLOOR_END) continue
    near++
    least = Math.min(least, book.variance[i]! / book.weight[i]!)
  }
  return near < FLOOR_TASKS ? 0 : least
}

/** Books a group: `mean` and unbiased `variance` of `size` normalised rewards. `peers`: the tasks of the environment. */
export function bookGroup(
  book: VarianceBook,
  group: { task: number; environment: number; size: number; mean: number; variance: number; binary: boolean },
  peers: readonly number[],
): void {
  const { task, environment, size, mean, variance } = group
  if (!group.binary) book.graded[environment] = 1
  const weight = size - 1
  if (weight > 0) {
    book.realised[environment] = RATIO_FADE * book.realised[environment]! + weight * variance
    book.binomial[environment] =
      RATIO_FADE * book.binomial[environment]! + weight * (mean * (1 - mean) + variance / size)
  }
  book.groups[task]! += 1
  book.rollouts[task] = FADE * book.rollouts[task]! + size
  book.reward[task] = FADE * book.reward[task]! + size * mean
  book.variance[task] = FADE * book.variance[task]! + weight * variance
  book.weight[task] = FADE * book.weight[task]! + weight
  book.floor[environment] = book.graded[environment] === 0 ? floorOf(book, peers) : 0
}
