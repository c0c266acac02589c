import { expect, test } from 'vitest'
import { emptyGroup } from '@/lib/service/group-book'
import { predictionError } from '@/lib/service/prediction-error'
import { emptyHistory, type RunHistory, takeGroups } from '@/lib/service/run-history'

/** [log number, predicted, realised] */
function history(rows: [number, number | null, number | null][]): RunHistory {
  const groups = rows.map(([logSeq, predictedVariance, realisedVariance], number) => ({
    ...emptyGroup({ number, lease: null, batch: null, slot: null, task: 0, policyVersion: 0 }),
    logSeq,
    predictedVariance,
    realisedVariance,
  }))
  const known = emptyHistory()
  takeGroups(known, groups)
  return known
}

test('predictions and the mean so far are judged on the same groups, in log order', () => {
  const known = predictionError(
    history([
      [3, 0.1, 0.3],
      [1, 0.2, 0],
      [2, 0.1, 0.2],
      [4, 0.2, null],
      [5, null, 0.1],
    ]),
  )
  expect(known?.groups).toBe(2)
  expect(known?.error).toBeCloseTo((0.1 + 0.2) / 2)
  expect(known?.errorOfMean).toBeCloseTo((0.2 + 0.2) / 2)
})

test('groups of one rollout tell nothing', () => {
  expect(predictionError(history([[1, 0.2, null]]))).toBeNull()
  expect(predictionError(history([[1, 0.2, 0.1]]))).toBeNull()
})
