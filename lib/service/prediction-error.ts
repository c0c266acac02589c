/**
 * How far predictions were from what came back, beside the plainest guess there is. Pure over a run's groups.
 * Owns: which groups count: with a prediction made before they were absorbed, a realised variance (two trusted rollouts or
 * more), and one such group before them, so that both guesses are judged on the same groups.
 */
import type { Overview } from '@/lib/contract/overview'
import { asAbsorbed, type RunHistory } from './run-history'

/** Mean absolute errors of the predicted variance and of the mean realised variance so far; null without a group. */
export function predictionError(history: RunHistory): Overview['predictionError'] {
  const absorbed = [...history.groups.values()]
    .filter((group) => group.logSeq !== null && group.realisedVariance !== null)
    .sort(asAbsorbed)
  let before = 0
  let sum = 0
  let groups = 0
  let error = 0
  let errorOfMean = 0
  for (const { realisedVariance, predictedVariance } of absorbed) {
    const realised = realisedVariance ?? 0
    if (before > 0 && predictedVariance !== null) {
      groups += 1
      error += Math.abs(predictedVariance - realised)
      errorOfMean += Math.abs(sum / before - realised)
    }
    before += 1
    sum += realised
  }
  return groups === 0 ? null : { groups, error: error / groups, errorOfMean: errorOfMean / groups }
}
