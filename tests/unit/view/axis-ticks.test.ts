import { describe, expect, it } from 'vitest'
import { niceTicks, roundTicks, tickDecimals } from '@/lib/view/axis'

describe('ticks of rollouts and rewards', () => {
  it('have the decimals that their step needs', () => {
    expect(tickDecimals([0, 0.25, 0.5])).toBe(2)
    expect(tickDecimals([0, 0.2])).toBe(1)
    expect(tickDecimals([0, 0.25, 0.5], 100)).toBe(0)
    expect(tickDecimals([0, 5])).toBe(0)
    expect(tickDecimals([0, 0.0025])).toBe(3)
    expect(tickDecimals([])).toBe(0)
    expect(tickDecimals(niceTicks(-0.03, 0.07, 5))).toBe(3)
  })

  it('stand at round figures behind the first', () => {
    expect(roundTicks(256, 15_360, 4)).toEqual([256, 5000, 10_000, 15_000])
    expect(roundTicks(0, 1, 4)[0]).toBe(0)
    expect(roundTicks(5, 5, 4)[0]).toBe(5)
  })
})
