import { describe, expect, it } from 'vitest'
import { joinMarkers } from '@/components/charts/chart-series'

const marker = (x: number, letter: string) => ({ x, letter, tip: letter })

describe('markers of a time axis', () => {
  it('join where two overrides hold from the same batch', () => {
    const joined = joinMarkers([marker(14, 'A'), marker(14, 'B'), marker(20, 'C')])
    expect(joined.map(({ x, word }) => [x, word])).toEqual([
      [14, 'A, B'],
      [20, 'C'],
    ])
    expect(joined[0]?.markers).toHaveLength(2)
  })

  it('join where they are nearer than letters are wide', () => {
    const joined = joinMarkers([marker(14, 'A'), marker(15, 'B'), marker(16, 'C'), marker(20, 'D')], 8, 3)
    expect(joined.map(({ x, word }) => [x, word])).toEqual([
      [14, 'A to C'],
      [20, 'D'],
    ])
    expect(joinMarkers([], 8, 3)).toEqual([])
  })

  it('are at most as many as fit, and lose none', () => {
    const many = Array.from({ length: 20 }, (_, i) => marker(i, String.fromCharCode(65 + i)))
    const joined = joinMarkers(many, 8)
    expect(joined.length).toBeLessThanOrEqual(8)
    expect(joined.flatMap(({ markers }) => markers)).toEqual(many)
  })
})
