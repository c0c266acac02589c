/**
 * How good forecasts were: rank correlation with the realised variance, and what was said of informativeness.
 * Invariant: null where a score is not defined (no spread, one class only, nothing scored), never 0 in its place.
 * Units: variances of normalised rewards; log loss in nats, probabilities kept within 1e-3 of 0 and 1.
 */
import { mean } from '@/lib/testbed/training-report'

export interface Scored {
  /** forecast */
  variance: number
  informative: number
  /** realised */
  realised: number
  wasInformative: boolean
}

export interface PredictionScore {
  spearman: number | null
  auc: number | null
  logLoss: number | null
  meanAbsoluteError: number | null
}

const LEAST_PROBABILITY = 1e-3

/** Ranks from 1, equal values share their mean rank. */
export function ranksOf(values: readonly number[]): Float64Array {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Float64Array(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let k = from; k < to; k++) ranks[order[k]!] = (from + 1 + to) / 2
    from = to
  }
  return ranks
}

/** Rank correlation, null where either side has no spread. */
export function spearman(x: readonly number[], y: readonly number[]): number | null {
  if (x.length < 3) return null
  const a = ranksOf(x)
  const b = ranksOf(y)
  const middle = (x.length + 1) / 2
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = 0; i < a.length; i++) {
    xy += (a[i]! - middle) * (b[i]! - middle)
    xx += (a[i]! - middle) ** 2
    yy += (b[i]! - middle) ** 2
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null
}

/** Chance that a positive is scored above a negative, ties half; null with one class only. */
export function areaUnderCurve(scores: readonly number[], positive: readonly boolean[]): number | null {
  const ranks = ranksOf(scores)
  let sum = 0
  let count = 0
  positive.forEach((is, i) => {
    if (!is) return
    sum += ranks[i]!
    count++
  })
  const others = positive.length - count
  return count > 0 && others > 0 ? (sum - (count * (count + 1)) / 2) / (count * others) : null
}

function lossOf({ informative, wasInformative }: Scored): number {
  const p = Math.min(1 - LEAST_PROBABILITY, Math.max(LEAST_PROBABILITY, informative))
  return -Math.log(wasInformative ? p : 1 - p)
}

export function scorePredictions(scored: readonly Scored[]): PredictionScore {
  const realised = scored.map((one) => one.realised)
  const was = scored.map((one) => one.wasInformative)
  return {
    spearman: spearman(
      scored.map((one) => one.variance),
      realised,
    ),
    auc: areaUnderCurve(
      scored.map((one) => one.informative),
      was,
    ),
    logLoss: scored.length > 0 ? mean(scored.map(lossOf)) : null,
    meanAbsoluteError:
      scored.length > 0 ? mean(scored.map(({ variance, realised: real }) => Math.abs(variance - real))) : null,
  }
}
