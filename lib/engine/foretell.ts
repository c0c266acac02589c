/**
 * What is said of a group just before it is absorbed, for the pages that hold predictions against what came back.
 * Owns: the prediction, that of the predictors it is compared with, what each lost by the group, and where a prediction came from. A predicted
 * variance of a simple shadow is E[q (1 - q)] of its Beta, times the environment's ratio of realised to binomial variance as the models' is.
 * Must never know: storage, pages. Invariant: says nothing that the group itself told. Cost: two fields beside the prediction's; evidence
 * walks the whole trace, so of a long one only every so many groups are explained.
 */
import type { Prediction, Shares } from './decision'
import { summariesOf } from './evidence'
import type { GroupEntry } from './log-entry'
import { predictMixedTask } from './mixture'
import { type Models, weightsOf } from './models'
import { predictTask } from './predict'
import { SIMPLE_SHADOWS, shadowVariances } from './simple-shadows'
import { ratioOf } from './variance-book'

const PLAIN = 'no structure'
const PLACEBO = 'placebo'
const TOGETHER = 'all together'

/** Predictors that the prediction is compared with, in the order of `variance`. */
export const RIVALS: readonly string[] = [PLAIN, PLACEBO, ...SIMPLE_SHADOWS]
/** Predictors whose loss is told, in the order of `loss`: what was predicted, and the two that say whether the graph helps. */
export const LOSERS: readonly string[] = [TOGETHER, PLAIN, PLACEBO]

export interface Foretold extends Prediction {
  /** null where nobody asked, or where the walk is too long for this group */
  shares: Shares | null
  variance: (number | null)[]
  rollouts: number
  loss: (number | null)[]
  weights: number[]
}

/** numbers of all traces that a group's evidence may walk through; longer ones are walked for every second, third, … group */
const WALKED = 1_500_000

function rivalsOf(models: Models, { task, trusted }: GroupEntry): (number | null)[] {
  const ofField = (name: string) => {
    const field = models.fields[models.names.indexOf(name)]
    return field === undefined ? null : predictTask(field, task, trusted).predictedVariance
  }
  const [first] = models.fields
  const environment = first?.structure.environmentOf[task] ?? 0
  const ratio = first === undefined ? 1 : ratioOf(first.book, environment)
  const simple = shadowVariances(models.shadows, { task, environment }).map((one) => Math.min(0.25, ratio * one))
  return [ofField(PLAIN), ofField(PLACEBO), ...simple]
}

/** Whether this group's evidence is walked: all while traces are short, then evenly fewer. */
function isExplained(models: Models): boolean {
  const weights = weightsOf(models)
  const numbers = models.fields.reduce((sum, { trace }, m) => {
    const [one] = trace
    if (one === undefined || weights[m] === 0) return sum
    return sum + trace.length * (one.commonGain.length + one.ownGain.length)
  }, 0)
  const [first] = models.fields
  const absorbed = first === undefined ? 0 : first.merged + first.trace.length
  return absorbed % Math.max(1, Math.ceil(numbers / WALKED)) === 0
}

/** Summed minus log likelihoods, in the order of LOSERS; null where the models have no such predictor. */
function summedLosses({ losses, names }: Models): (number | null)[] {
  return LOSERS.map((name) => losses[name === TOGETHER ? losses.length - 1 : names.indexOf(name)] ?? null)
}

/** `explained`: shares are asked for. Call what it answers once the group was absorbed: it adds what each predictor lost by it. */
export function foretell(models: Models, entry: GroupEntry, explained: boolean): () => Foretold {
  const prediction = predictMixedTask(models, entry.task, Math.min(entry.judged ?? entry.trusted, entry.trusted))
  const variance = rivalsOf(models, entry)
  const shares = explained && isExplained(models) ? (summariesOf(models, [entry.task])[0]?.shares ?? null) : null
  const weights = [...weightsOf(models)].filter((_, m) => models.used[m] === true)
  const before = summedLosses(models)
  const rolloutsBefore = models.rollouts[0] ?? 0
  return () => ({
    ...prediction,
    shares,
    variance,
    rollouts: (models.rollouts[0] ?? 0) - rolloutsBefore,
    loss: summedLosses(models).map((now, at) => (now === null ? null : now - (before[at] ?? 0))),
    weights,
  })
}
