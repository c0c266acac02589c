import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { niceTicks, stepTicks } from '@/lib/view/axis'
import { knownRange, lastKnown } from '@/lib/view/series'
import { spreadLabels } from '@/lib/view/spread-labels'

describe('niceTicks', () => {
  it('covers the data with round steps', () => {
    expect(niceTicks(0, 0.74, 4)).toEqual([0, 0.25, 0.5, 0.75])
    expect(niceTicks(0.31, 0.58, 3)).toEqual([0.2, 0.4, 0.6])
  })

  it('covers any range, ascending', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        (low, span) => {
          const ticks = niceTicks(low, low + span)
          expect(ticks.length).toBeGreaterThanOrEqual(2)
          expect(ticks.length).toBeLessThanOrEqual(6)
          const slack = 1e-6 * Math.max(1, Math.abs(low), span)
          expect(ticks[0]!).toBeLessThanOrEqual(low + slack)
          expect(ticks.at(-1)!).toBeGreaterThanOrEqual(low + span - slack)
          for (let i = 1; i < ticks.length; i += 1) expect(ticks[i]!).toBeGreaterThan(ticks[i - 1]!)
        },
      ),
    )
  })

  it('has ticks for a flat or unknown range', () => {
    expect(niceTicks(0.5, 0.5).length).toBeGreaterThanOrEqual(2)
    expect(niceTicks(Number.NaN, 1)).toEqual([0, 0.5, 1])
  })
})

describe('stepTicks', () => {
  it('holds both ends and no value twice', () => {
    expect(stepTicks(1, 64, 5)).toEqual([1, 17, 33, 48, 64])
    expect(stepTicks(1, 2, 5)).toEqual([1, 2])
    expect(stepTicks(3, 3, 5)).toEqual([3])
  })
})

describe('spreadLabels', () => {
  it('keeps labels 15 px apart, in order, inside the plot', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 192, noNaN: true }), { minLength: 1, maxLength: 6 }), (wanted) => {
        const placed = spreadLabels(wanted, 15, 192)
        const sorted = [...placed].sort((a, b) => a - b)
        for (let i = 1; i < sorted.length; i += 1) expect(sorted[i]! - sorted[i - 1]!).toBeGreaterThanOrEqual(15 - 1e-9)
        expect(sorted.at(-1)!).toBeLessThanOrEqual(192)
        expect(sorted[0]!).toBeGreaterThanOrEqual(0)
        wanted.forEach((a, i) => {
          wanted.forEach((b, j) => {
            if (a < b) expect(placed[i]!).toBeLessThan(placed[j]!)
          })
        })
      }),
    )
  })

  it('moves nothing that is apart already', () => {
    expect(spreadLabels([10, 40, 100], 15, 192)).toEqual([10, 40, 100])
  })
})

describe('series', () => {
  it('reads 0 as known and null as unknown', () => {
    const points = [{ v: 0.2 }, { v: 0 }, { v: null }]
    expect(lastKnown(points, (point) => point.v)).toEqual({ v: 0 })
    expect(knownRange(points, (point) => point.v)).toEqual({ low: 0, high: 0.2 })
    expect(knownRange([{ v: null }], (point) => point.v)).toBeNull()
  })
})
