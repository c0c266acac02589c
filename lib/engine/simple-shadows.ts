/**
 * Simple predictors of the next group, scored beside the models and never used: the mean of all, of the environment, of the task.
 * Each is a Beta distribution of the success probability over fading counts, shrunk to the one above; the score of a group is the log
 * likelihood of its rewards under the Beta-binomial (without the number of orders, as the models' scores).
 * Invariant: scores are finite; a group of nothing changes nothing. Cost: O(1) a group.
 */
export const SIMPLE_SHADOWS = ['global mean', 'environment mean', 'task history'] as const

export interface SimpleShadows {
  /** fading successes and failures of all, by environment, by task */
  all: Float64Array
  environment: Float64Array
  task: Float64Array
}

/** kept of a count at each further group of the same task, environment, run */
const FADE = { all: 0.98, environment: 0.95, task: 0.9 }
/** rollouts that the level above is worth */
const PRIOR = 2

export function emptyShadows(tasks: number, environments: number): SimpleShadows {
  return {
    all: new Float64Array(2),
    environment: new Float64Array(2 * environments),
    task: new Float64Array(2 * tasks),
  }
}

export function cloneShadows({ all, environment, task }: SimpleShadows): SimpleShadows {
  return { all: all.slice(), environment: environment.slice(), task: task.slice() }
}

const LANCZOS = [676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905]
const LANCZOS_REST = [-0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7]

/** Natural logarithm of the gamma function for x > 0 (Lanczos, 15 digits). */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  let sum = 0.9999999999998099
  for (const [k, factor] of [...LANCZOS, ...LANCZOS_REST].entries()) sum += factor / (shifted + k + 1)
  const t = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum)
}

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b)

/** Beta of two fading counts, shrunk to `mean` with PRIOR rollouts. */
function betaOf(counts: Float64Array, at: number, mean: number): [number, number] {
  return [PRIOR * mean + counts[2 * at]!, PRIOR * (1 - mean) + counts[2 * at + 1]!]
}

/** The Beta of each shadow, in the order of SIMPLE_SHADOWS. */
function betasOf(shadows: SimpleShadows, of: { task: number; environment: number }): [number, number][] {
  const all = betaOf(shadows.all, 0, 0.5)
  const mean = ([a, b]: [number, number]) => a / (a + b)
  const environment = betaOf(shadows.environment, of.environment, mean(all))
  return [all, environment, betaOf(shadows.task, of.task, mean(environment))]
}

/** Log likelihoods of a group, in the order of SIMPLE_SHADOWS, before it is counted. */
export function shadowLikelihoods(
  shadows: SimpleShadows,
  group: { task: number; environment: number; successes: number; trials: number },
): number[] {
  const failures = group.trials - group.successes
  return betasOf(shadows, group).map(([a, b]) => logBeta(a + group.successes, b + failures) - logBeta(a, b))
}

/** E[q (1 - q)] under each shadow, 0 to 0.25, in the order of SIMPLE_SHADOWS. */
export function shadowVariances(shadows: SimpleShadows, of: { task: number; environment: number }): number[] {
  return betasOf(shadows, of).map(([a, b]) => (a * b) / ((a + b) * (a + b + 1)))
}

export function countGroup(
  shadows: SimpleShadows,
  group: { task: number; environment: number; successes: number; trials: number },
): void {
  const add = (counts: Float64Array, at: number, fade: number) => {
    counts[2 * at] = fade * counts[2 * at]! + group.successes
    counts[2 * at + 1] = fade * counts[2 * at + 1]! + group.trials - group.successes
  }
  add(shadows.all, 0, FADE.all)
  add(shadows.environment, group.environment, FADE.environment)
  add(shadows.task, group.task, FADE.task)
}
