import { describe, expect, it } from 'vitest'
import { meanOverPairs, seedDifference, standing } from '@/lib/view/seed-difference'

const of = (...values: (number | null)[]) => values.map((value, seed) => ({ seed: String(seed), value }))

describe('seedDifference', () => {
  it('has nothing where a side has nothing', () => {
    expect(seedDifference([], of(1))).toBeNull()
    expect(seedDifference(of(1), [])).toBeNull()
    expect(seedDifference(of(null, Number.NaN), of(1, 2))).toBeNull()
    expect(meanOverPairs([])).toBeNull()
    expect(meanOverPairs([Number.NaN, Number.POSITIVE_INFINITY])).toBeNull()
    expect(standing(null)).toBe('n/a')
  })

  it('has a value and no interval with one pair', () => {
    const one = seedDifference(of(0.5), of(0.4))
    expect(one).toMatchObject({ low: null, high: null, pairs: 1, freedom: null, halfWithOneMore: null })
    expect(one?.value).toBeCloseTo(0.1, 12)
    expect(standing(one)).toBe('no interval')
  })

  // Differences .09 and .12: mean .105, s / sqrt(2) = .015, t = 12.7062, half .190593; a third: 4.30265 s / sqrt(3).
  it('has the t-interval of two pairs, and what a third would make of it', () => {
    const two = seedDifference(of(0.555, 0.575), of(0.465, 0.455))
    expect(two?.value).toBeCloseTo(0.105, 12)
    expect(two?.low).toBeCloseTo(0.105 - 0.190593071, 8)
    expect(two?.high).toBeCloseTo(0.105 + 0.190593071, 8)
    expect(two?.freedom).toBe(1)
    expect(two?.halfWithOneMore).toBeCloseTo(0.0526963, 6)
    expect(standing(two)).toBe('not shown yet')
  })

  it('pairs by seed whatever the order, and leaves out seeds of one side', () => {
    const ours = [
      { seed: 'b', value: 3 },
      { seed: 'a', value: 1 },
      { seed: 'only', value: 99 },
    ]
    const theirs = [
      { seed: 'a', value: 0 },
      { seed: 'b', value: 1 },
    ]
    expect(seedDifference(ours, theirs)).toMatchObject({ value: 1.5, pairs: 2 })
  })

  it('counts several runs of one seed as their mean', () => {
    const ours = [
      { seed: 'a', value: 1 },
      { seed: 'a', value: 3 },
    ]
    expect(seedDifference(ours, [{ seed: 'a', value: 0 }])).toMatchObject({ value: 2, pairs: 1, low: null })
  })

  it('has a point for an interval where all differences are equal', () => {
    const equal = seedDifference(of(2, 3, 4), of(1, 2, 3))
    expect(equal).toMatchObject({ value: 1, low: 1, high: 1 })
    expect(standing(equal)).toBe('shown')
    const zero = seedDifference(of(2, 3, -0), of(2, 3, 0))
    expect(zero).toMatchObject({ value: 0, low: 0, high: 0 })
    expect(standing(zero)).toBe('not shown yet')
  })

  it('shows only what leaves out zero, on either side', () => {
    expect(standing(seedDifference(of(1, 1.1, 0.9), of(0, 0, 0)))).toBe('shown')
    expect(standing(seedDifference(of(0, 0, 0), of(1, 1.1, 0.9)))).toBe('shown')
    expect(standing(seedDifference(of(1, -1, 0.5), of(0, 0, 0)))).toBe('not shown yet')
  })

  // Welch: means 2 and 11, variances 1 and 1, n 3 and 3: standard error sqrt(2/3), 4 degrees, t = 2.7764.
  it('sets runs without a shared seed side by side', () => {
    const apart = seedDifference(
      [1, 2, 3].map((value) => ({ seed: `a${value}`, value })),
      [10, 11, 12].map((value) => ({ seed: `b${value}`, value })),
    )
    expect(apart).toMatchObject({ value: -9, pairs: null, runs: [3, 3] })
    expect(apart?.freedom).toBeCloseTo(4, 12)
    expect(apart?.high).toBeCloseTo(-9 + 2.7764451052 * Math.sqrt(2 / 3), 8)
    const single = seedDifference([{ seed: 'a', value: 1 }], [{ seed: 'b', value: 0 }])
    expect(single).toMatchObject({ value: 1, pairs: null, low: null })
    const equal = seedDifference(
      [1, 1].map((value, i) => ({ seed: `a${i}`, value })),
      [1, 1].map((value, i) => ({ seed: `b${i}`, value })),
    )
    expect(equal).toMatchObject({ value: 0, low: 0, high: 0, freedom: 2 })
  })
})
