import { describe, expect, test } from 'vitest'
import { rolloutInput } from '@/lib/contract/rollout'
import { spread, widened } from '@/lib/service/group-entry'
import { judgeReward } from '@/lib/service/reward-trust'
import { wilson } from '@/lib/service/tally'

const rollout = (fields: object) => rolloutInput.parse({ id: 'r', policyVersion: 0, ...fields })
const judge = (fields: object, declared: [number, number] | null = [0, 1]) =>
  judgeReward(rollout(fields), declared, declared ?? [0, 1])

describe('a reward', () => {
  test('that is missing, null or no number is never 0', () => {
    expect(judge({})).toMatchObject({ value: null, reward: null, distrust: 'reward_missing' })
    expect(judge({ reward: null })).toMatchObject({ value: null, distrust: 'reward_missing' })
    for (const reward of ['NaN', 'Infinity', '', 'x'])
      expect(judge({ reward })).toMatchObject({ value: null, distrust: 'reward_invalid' })
  })

  test('of 0, -0, 1 and a boolean counts as it is', () => {
    expect(judge({ reward: 0 })).toMatchObject({ value: 0, distrust: null })
    expect(judge({ reward: -0 }).value).toBeCloseTo(0, 12)
    expect(judge({ reward: true })).toMatchObject({ value: 1, distrust: null })
  })

  test('outside a declared range is distrusted, not clipped; without one it may be anything', () => {
    expect(judge({ reward: 1.2 })).toMatchObject({ value: null, reward: 1.2, distrust: 'out_of_range' })
    expect(judge({ reward: -3 }, null)).toMatchObject({ value: -3, distrust: null })
  })

  test('of a failed rollout does not count, of a truncated one does', () => {
    expect(judge({ reward: 0, status: 'infra_error' })).toMatchObject({ value: null, distrust: 'status' })
    expect(judge({ reward: 0, status: 'truncated' })).toMatchObject({ value: 0, distrust: null })
  })

  test('beside an outcome gives way to it, on its own scale', () => {
    expect(judge({ reward: 3, outcome: 1 }, [-1, 5])).toMatchObject({ value: 5, reward: 3, outcome: 1 })
    expect(judge({ reward: 3, outcome: 0 }, [-1, 5])).toMatchObject({ value: -1 })
    expect(judge({ reward: 3, outcome: 2 }, [-1, 5])).toMatchObject({ value: null, distrust: 'out_of_range' })
  })
})

describe('a group', () => {
  test('has nothing, a mean, or a mean and an unbiased variance', () => {
    expect(spread([], [0, 1])).toEqual({ mean: null, realisedVariance: null, informative: null, low: 0, high: 0 })
    expect(spread([1], [0, 1])).toMatchObject({ mean: 1, realisedVariance: null, informative: null })
    expect(spread([1, 1, 1], [0, 1])).toMatchObject({ mean: 1, realisedVariance: 0, informative: false, high: 3 })
    expect(spread([1, 0, 1, 0, 1, 0, 1, 0], [0, 1]).realisedVariance).toBeCloseTo(2 / 7, 12)
    expect(spread([-1, 3], [-1, 3])).toMatchObject({ mean: 0.5, realisedVariance: 0.5, informative: true })
  })

  test('widens a range only when it must', () => {
    expect(widened([0, 1], [])).toBeNull()
    expect(widened([0, 1], [0, 1])).toBeNull()
    expect(widened([0, 1], [-2, 0.5])).toEqual([-2, 1])
  })
})

test('an interval of a share holds the share and stays in 0 to 1', () => {
  for (const [hits, n] of [
    [0, 1],
    [1, 1],
    [5, 10],
    [64, 64],
  ] as const) {
    const { low, high } = wilson(hits, n)
    expect(low).toBeGreaterThanOrEqual(0)
    expect(high).toBeLessThanOrEqual(1)
    expect(low).toBeLessThanOrEqual(hits / n)
    expect(high).toBeGreaterThanOrEqual(hits / n)
  }
})
