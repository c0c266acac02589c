import { expect, test } from 'vitest'
import type { Calibration } from '@/lib/contract/calibration'
import { calibrationTwin, competing, lookOf, lossRows } from '@/lib/view/calibration-words'

const predictor = (name: string, kind: 'model' | 'shadow' | 'mixture', weight = 0) => ({
  name,
  kind,
  weight,
  logLoss: 0.5,
  recentLogLoss: null,
})

const calibration: Calibration = {
  batch: 2,
  predictors: [
    predictor('conjunctive', 'model', 0.75),
    predictor('no structure', 'model', 0.25),
    predictor('placebo', 'shadow'),
    predictor('task history', 'shadow'),
    predictor('all together', 'mixture'),
  ],
  weights: [
    { batch: 1, weights: { conjunctive: 1, 'no structure': 0, placebo: 0 }, losses: { conjunctive: null } },
    { batch: 2, weights: { conjunctive: 0.75 }, losses: { conjunctive: 0.6, 'all together': 0 } },
  ],
  helps: { verdict: 'not_yet', sentence: '', rollouts: 0, overNoStructure: null, overPlacebo: null },
}

test('the prediction stands first, then the model without structure, then shadows', () => {
  expect(lossRows(calibration).map(({ name }) => name)).toEqual([
    'all together',
    'no structure',
    'placebo',
    'task history',
  ])
})

test('only models have a weight to draw, the one without structure as a reference', () => {
  expect(competing(calibration).map(({ name }, i) => lookOf(name, i))).toEqual(['ours', 'reference-dash'])
})

test('a weight of 0 stays 0 and what is not known stays unknown', () => {
  const { columns, rows } = calibrationTwin(calibration)
  expect(columns.slice(0, 3)).toEqual(['batch', 'weight conjunctive', 'weight no structure'])
  expect(columns).toHaveLength(8)
  expect(rows).toEqual([
    [1, 1, 0, null, null, null, null, null],
    [2, 0.75, null, 0.6, null, null, null, 0],
  ])
})
