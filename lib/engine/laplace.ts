/**
 * One group against a normal prior of its logit: the mode, and the observation that would have led there linearly.
 * Shapes: scalars. Source: one-dimensional Laplace approximation of a binomial likelihood; successes may be fractional.
 * Invariants: finite for finite input; the mode lies between the prior mean and the group's logit.
 */
import { sigmoid } from './nodes'

export interface Observation {
  /** posterior mode of the logit */
  mode: number
  /** variance of the pseudo-observation that the group is worth, > 0 */
  variance: number
}

const ROUNDS = 60
const LONGEST_STEP = 2
const TOLERANCE = 1e-12

/** `trials` > 0, `successes` 0 to trials, `priorVariance` > 0; `least`: least information of one trial, 0 to 0.25. */
export function laplace(
  priorMean: number,
  priorVariance: number,
  successes: number,
  trials: number,
  least: number,
): Observation {
  let x = priorMean
  for (let round = 0; round < ROUNDS; round++) {
    const q = sigmoid(x)
    const slope = (priorMean - x) / priorVariance + successes - trials * q
    const step = slope / (1 / priorVariance + trials * q * (1 - q))
    x += Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, step))
    if (Math.abs(step) < TOLERANCE) break
  }
  const q = sigmoid(x)
  return { mode: x, variance: 1 / (trials * Math.max(q * (1 - q), least)) }
}
