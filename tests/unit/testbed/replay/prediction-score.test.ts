import { describe, expect, it } from 'vitest'
import { seededRandom } from '@/lib/testbed/random'
import { buildLadder, type ReplayGroup } from '@/lib/testbed/replay/ladder'
import { noiseCeiling } from '@/lib/testbed/replay/noise-ceiling'
import { areaUnderCurve, scorePredictions, spearman } from '@/lib/testbed/replay/prediction-score'
import { rolloutsOf } from '@/tests/support/replay-rows'

function groupsOf(chanceOf: (i: number) => number, size: number, count: number, graded = false): ReplayGroup[] {
  const random = seededRandom(5)
  const rows = Array.from({ length: count }, (_, i) => {
    const rewards = Array.from({ length: size }, () =>
      graded ? 0.5 + chanceOf(i) * (random() - 0.5) : random() < chanceOf(i) ? 1 : 0,
    )
    return rolloutsOf('a', String(i), 'm', rewards)
  }).flat()
  return buildLadder('any', rows).rungs[0]!.groups.filter((group) => group !== null)
}

describe('prediction scores', () => {
  it('rank correlation with ties, against known values', () => {
    expect(spearman([1, 2, 3, 4], [1, 2, 3, 4])).toBe(1)
    expect(spearman([1, 2, 3, 4], [4, 3, 2, 1])).toBe(-1)
    expect(spearman([1, 1, 2, 2], [1, 2, 1, 2])).toBe(0)
    expect(spearman([1, 2, 3, 3], [1, 1, 2, 2])).toBeCloseTo(0.9428, 4)
    expect(spearman([1, 1, 1], [1, 2, 3])).toBeNull()
  })

  it('area under the curve counts ties half', () => {
    expect(areaUnderCurve([1, 2, 3], [false, false, true])).toBe(1)
    expect(areaUnderCurve([1, 1], [true, false])).toBe(0.5)
    expect(areaUnderCurve([3, 2, 1], [false, true, true])).toBe(0)
    expect(areaUnderCurve([1, 2], [true, true])).toBeNull()
  })

  it('log loss and error, null of nothing', () => {
    const scored = [
      { variance: 0.25, informative: 0.5, realised: 0, wasInformative: false },
      { variance: 0.25, informative: 0.5, realised: 0.5, wasInformative: true },
    ]
    expect(scorePredictions(scored)).toMatchObject({ logLoss: Math.log(2), meanAbsoluteError: 0.25, spearman: null })
    expect(scorePredictions([])).toEqual({ spearman: null, auc: null, logLoss: null, meanAbsoluteError: null })
  })
})

describe('the noise ceiling', () => {
  it('is near the published value for uniformly spread chances and groups of 4 and 8', () => {
    const four = noiseCeiling(
      groupsOf((i) => (i + 0.5) / 3000, 4, 3000),
      1,
    )
    const eight = noiseCeiling(
      groupsOf((i) => (i + 0.5) / 3000, 8, 3000),
      1,
    )
    expect(four?.method).toBe('mixture')
    expect(Math.abs(four!.spearman - 0.51)).toBeLessThan(0.06)
    expect(Math.abs(eight!.spearman - 0.68)).toBeLessThan(0.05)
  })

  it('splits graded groups, and says nothing where they are too short', () => {
    const long = noiseCeiling(
      groupsOf((i) => 0.1 + 0.9 * ((i % 10) / 10), 6, 400, true),
      1,
    )
    expect(long?.method).toBe('split')
    expect(long!.spearman > 0.5 && long!.spearman <= 1).toBe(true)
    expect(
      noiseCeiling(
        groupsOf(() => 0.5, 3, 400, true),
        1,
      ),
    ).toBeNull()
    expect(
      noiseCeiling(
        groupsOf(() => 0.5, 4, 5),
        1,
      ),
    ).toBeNull()
  })
})
