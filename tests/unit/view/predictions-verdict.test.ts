import { describe, expect, test } from 'vitest'
import type { Calibration } from '@/lib/contract/calibration'
import {
  depthTwin,
  depthWords,
  errorsTwin,
  evidenceTwin,
  reliabilityTwin,
  weightsTwin,
} from '@/lib/view/predictions-twins'
import { predictionsVerdict } from '@/lib/view/predictions-verdict'

const NAMES = ['all together', 'no structure', 'placebo', 'global mean', 'environment mean', 'task history']

function calibration(patch: Partial<Calibration> = {}): Calibration {
  const part = { groups: 600, errors: [0.08, 0.09, 0.091, 0.12, 0.1, 0.095], best: 0.06 }
  return {
    batch: 20,
    predictors: [],
    helps: { verdict: 'helps', sentence: '', rollouts: 4800, overNoStructure: null, overPlacebo: null },
    all: part,
    compared: NAMES.map((name, p) => ({
      name,
      ofCeiling: p === 0 ? 0.81 : 0.5,
      behind: p === 0 ? null : { value: 0.003, standardError: 0.0005 },
    })),
    reliability: [],
    high: { groups: 90, predicted: 0.2, realised: 0.2, standardError: 0.004 },
    leaning: [],
    depth: [{ from: 0, to: 0, ...part }],
    evidence: [{ kind: 'own', predicted: null, realised: null, groups: 0, errors: [null], best: null }],
    over: { of: 'batch', window: 5, at: [], best: [], errors: [] },
    weights: { at: [], models: [] },
    ...patch,
  }
}

const lead = (value: number, standardError: number | null) =>
  calibration({
    compared: NAMES.map((name, p) => ({ name, ofCeiling: null, behind: p === 0 ? null : { value, standardError } })),
  })

describe('whether to trust predictions', () => {
  test('is held against the best simple guess and the floor', () => {
    const { sentence, context } = predictionsVerdict(calibration())
    expect(sentence).toBe('Trust it: error 0.080 against 0.095 by task history, 0.060 at best. The graph helps.')
    expect(context).toBe('It reaches 81\u00a0% of the noise ceiling. 600 groups, each predicted before it was seen.')
  })

  test('can be unfavourable, or open', () => {
    expect(predictionsVerdict(lead(-0.001, 0.0001)).sentence).toMatch(/^Do not trust it here: error /)
    expect(predictionsVerdict(lead(0, 0)).sentence).toMatch(/^Do not trust it here: /)
    expect(predictionsVerdict(lead(0.001, 0.001)).sentence).toMatch(/^It may be no better than a simple guess: /)
    expect(predictionsVerdict(lead(0.001, null)).sentence).toMatch(/^Too early to trust it: /)
    const helps = { ...calibration().helps, verdict: 'does_not_help' as const }
    expect(predictionsVerdict(calibration({ helps })).sentence).toMatch(/The graph does not help\.$/)
  })

  test('claims nothing from nothing or little, and leaves out a floor that is not known', () => {
    const none = { groups: 0, errors: NAMES.map(() => null), best: null }
    expect(predictionsVerdict(calibration({ all: none })).sentence).toMatch(/^Nothing to judge yet: /)
    const few = { ...calibration().all, groups: 12 }
    expect(predictionsVerdict(calibration({ all: few })).sentence).toBe(
      'Not enough yet to trust predictions: 12 of 50 groups are scored.',
    )
    const open = { ...calibration().all, best: null }
    expect(predictionsVerdict(calibration({ all: open })).sentence).toContain('by task history. ')
  })

  test('says which way it leans, and where most', () => {
    const high = { groups: 90, predicted: 0.21, realised: 0.18, standardError: 0.004 }
    const clinic = {
      id: 'e1',
      code: 'CLI',
      name: 'Clinic',
      groups: 40,
      predicted: 0.2,
      realised: 0.14,
      standardError: 0.01,
    }
    expect(predictionsVerdict(calibration({ high, leaning: [clinic] })).context).toContain(
      'High variance is overestimated by 0.030, most in Clinic.',
    )
    const other = { ...clinic, predicted: 0.1 }
    expect(predictionsVerdict(calibration({ high, leaning: [other] })).context).toContain('overestimated by 0.030.')
    expect(predictionsVerdict(calibration({ leaning: [other] })).context).toContain('Clinic are 0.040 too low.')
  })
})

test('tables keep what is not known as null and zero as zero', () => {
  const known = calibration({
    reliability: [{ low: 0, high: 0.025, groups: 2, predicted: 0.01, realised: 0, interval: null }],
    over: { of: 'group', window: 20, at: [4, 8], best: [null, 0], errors: [{ name: 'placebo', values: [0.1, null] }] },
    weights: { at: [4], models: [{ name: 'additive', values: [0] }] },
  })
  expect(reliabilityTwin(known).rows).toEqual([[0, 0.025, 2, 0.01, 0, null, null]])
  expect(errorsTwin(known)).toMatchObject({
    columns: ['group', 'Placebo', 'best possible'],
    rows: [
      [4, 0.1, null],
      [8, null, 0],
    ],
  })
  expect(weightsTwin(known).rows).toEqual([[4, 0]])
  expect(evidenceTwin(known).rows[0]?.slice(0, 5)).toEqual(['own', 0, null, null, null])
  expect(depthTwin(known).rows.at(-1)).toEqual(['groups', 600, 600, null])
  expect(
    [
      { from: 0, to: 0 },
      { from: 1, to: 2 },
      { from: 6, to: null },
    ].map(depthWords),
  ).toEqual(['0', '1 to 2', '6 or more'])
})
