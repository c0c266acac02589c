import { expect, test } from 'vitest'
import { calibrationWords, fillOf, lineWords, lookOf, lossRows } from '@/lib/view/calibration-words'

const predictor = (name: string, kind: 'model' | 'shadow' | 'mixture', weight = 0) => ({
  name,
  kind,
  weight,
  logLoss: 0.5,
  recentLogLoss: null,
})

const predictors = [
  predictor('conjunctive', 'model', 0.75),
  predictor('no structure', 'model', 0.25),
  predictor('placebo', 'shadow'),
  predictor('task history', 'shadow'),
  predictor('all together', 'mixture'),
]

test('the prediction stands first, then the model without structure, then shadows', () => {
  expect(lossRows({ predictors }).map(({ name }) => name)).toEqual([
    'all together',
    'no structure',
    'placebo',
    'task history',
  ])
})

test('what is compared differs in its stroke, the placebo in its hue, too', () => {
  const looks = ['all together', 'no structure', 'placebo', 'task history', 'environment mean', 'global mean'].map(
    lookOf,
  )
  expect(new Set(looks).size).toBe(looks.length)
  expect(looks.slice(0, 3)).toEqual(['ours', 'reference-dash', 'placebo'])
})

test('the model without structure is grey, and a name that is not known stays itself', () => {
  const fills = ['conjunctive', 'conjunctive, loose', 'additive', 'no structure'].map(fillOf)
  expect(new Set(fills).size).toBe(4)
  expect(fills[3]).not.toContain('seq')
  expect(calibrationWords('a new one')).toBe('a new one')
  expect(lineWords('no structure')).toBe('no structure')
  expect(lineWords('all together')).toBe('EnvSched')
})
