import { describe, expect, it } from 'vitest'
import { environmentShares } from '@/lib/service/environment-shares'

describe('integer shares', () => {
  it('come to the size by largest remainder, ties to the first', () => {
    expect(environmentShares([], 5)).toEqual([])
    expect(environmentShares([2, 0, 2], 3)).toEqual([
      { environment: 2, picks: 2 },
      { environment: 0, picks: 1 },
    ])
    expect(environmentShares([0, 1, 2], 10).map(({ picks }) => picks)).toEqual([4, 3, 3])
    for (const size of [1, 2, 7, 1000])
      expect(environmentShares([0, 0, 1, 5, 5, 5], size).reduce((sum, { picks }) => sum + picks, 0)).toBe(size)
  })
})
