import { describe, expect, it } from 'vitest'
import type { TrainingResult } from '@/lib/testbed/training'
import { median, pairedDifference, reportArm, stepsToTarget } from '@/lib/testbed/training-report'

const training = (curve: number[]): TrainingResult => ({
  curve,
  informativeShare: 0.3,
  informativeSize: 4,
  worstTenth: 0,
  lowestOnceSolved: null,
  tasksSeen: 1,
  rollouts: 1,
  picks: [1],
})

describe('stepsToTarget', () => {
  it('is the first step that reaches it, 0 at once, null never', () => {
    expect(stepsToTarget([0.1, 0.2, 0.3, 0.2], 0.3)).toBe(2)
    expect(stepsToTarget([0, 0.2], 0)).toBe(0)
    expect(stepsToTarget([0.1, 0.2], 0.5)).toBeNull()
  })
})

describe('pairedDifference', () => {
  it('has the standard error of the differences, not of the values', () => {
    expect(pairedDifference([11, 22, 33], [10, 21, 32])).toEqual({ mean: 1, standardError: 0 })
    const { mean, standardError } = pairedDifference([3, 5], [1, 1])
    expect(mean).toBe(3)
    expect(standardError).toBeCloseTo(1, 12)
    expect(pairedDifference([3], [1])).toEqual({ mean: 2, standardError: null })
  })
})

describe('reportArm', () => {
  const results = [
    { seed: 1, target: 0.3, training: training([0.1, 0.2, 0.3]) },
    { seed: 2, target: 0.3, training: training([0.1, 0.1, 0.1]) },
    { seed: 3, target: 0.3, training: training([0.1, 0.1, 0.2]) },
  ]

  it('is null where most seeds never reach the target, and censors differences at one step more', () => {
    const report = reportArm('some', results, results)
    expect(report.stepsToTarget).toEqual({ median: null, low: 2, high: null })
    expect(report.perSeed.map((seed) => seed.stepsToTarget)).toEqual([2, null, null])
    expect(report.againstUniform!.steps.mean).toBe(0)
    expect(report.ratioToUniform).toBe(1)
    expect(report.scoreAt).toEqual({ '2': (0.3 + 0.1 + 0.2) / 3 })
  })

  it('has no difference without uniform choice', () => {
    const report = reportArm('some', results, null)
    expect(report.againstUniform).toBeNull()
    expect(report.ratioToUniform).toBeNull()
  })

  it('refuses the median of nothing', () => {
    expect(() => median([])).toThrow('nothing')
  })
})
