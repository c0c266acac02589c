import { describe, expect, it } from 'vitest'
import { entrySpans, type Fork, isIn, rolloutSpans } from '@/lib/store/line'

const fork = (seq: number, epoch: number, to: number, rollouts: number, kept: number): Fork => ({
  seq,
  epoch,
  rollouts,
  to: { seq: to, rollouts: kept },
})

/** back from 100 to 30, from 150 to 120, from 200 to 40, which is on no line of the second restore's end */
const forks = [fork(101, 2, 30, 1000, 300), fork(151, 3, 120, 1400, 1150), fork(201, 4, 20, 1600, 200)]

describe('the line of a run', () => {
  it('is everything without restores', () => {
    expect(entrySpans([], 12)).toEqual([[0, 12]])
    expect(entrySpans([], 0)).toEqual([])
    expect(rolloutSpans([], 12, 0)).toEqual([])
  })

  it('leaves out what a restore went back over, on each line of the past as it was', () => {
    expect(entrySpans(forks, 90)).toEqual([[0, 90]])
    expect(entrySpans(forks, 140)).toEqual([
      [0, 30],
      [100, 140],
    ])
    expect(entrySpans(forks, 180)).toEqual([
      [0, 30],
      [100, 120],
      [150, 180],
    ])
    expect(entrySpans(forks, 201)).toEqual([
      [0, 20],
      [200, 201],
    ])
    expect(rolloutSpans(forks, 180, 1500)).toEqual([
      [0, 300],
      [1000, 1150],
      [1400, 1500],
    ])
    expect(rolloutSpans(forks, 201, 1600)).toEqual([[0, 200]])
  })

  it('begins anew where a history was taken over', () => {
    expect(entrySpans([fork(8, 2, 0, 5, 0)], 20)).toEqual([[7, 20]])
  })

  it('knows what lies on it', () => {
    const spans = entrySpans(forks, 140)
    expect([0, 1, 30, 31, 100, 101, 140, 141].filter((seq) => isIn(spans, seq))).toEqual([1, 30, 101, 140])
  })
})
