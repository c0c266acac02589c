import { describe, expect, it } from 'vitest'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { nearestQuota } from '@/lib/service/nearest-change'
import { comparedBatches, measureOf, overlapping } from '@/lib/service/override-effect'
import { beside, onLine, type Row, resumedPause, ruling, spanOf } from '@/lib/service/override-span'

const coverage = (value: number): OverrideChange => ({ kind: 'weight', name: 'coverage', value })
const row = (number: number, fromBatch: number, change: OverrideChange, parts: Partial<Row> = {}): Row => ({
  number,
  seq: number * 10,
  fromBatch,
  change,
  batches: null,
  note: '',
  author: 'mira',
  at: 0,
  before: `before ${number}`,
  after: `after ${number}`,
  lifts: null,
  undoneBy: null,
  superseded: false,
  ...parts,
})

describe('the span of an override', () => {
  it('ends by its batches, by an undo, by a resume, whichever is first', () => {
    const rows = [
      row(1, 5, coverage(1), { batches: 4 }),
      row(2, 5, coverage(2), { batches: 9, undoneBy: 3 }),
      row(3, 7, { kind: 'lift', override: 2 }, { lifts: 2 }),
      row(4, 6, { kind: 'pause', environment: 1, mode: 'hold' }),
      row(5, 8, { kind: 'resume', environment: 1 }),
      row(6, 9, { kind: 'resume', environment: 2 }),
    ]
    expect(rows.map((one) => spanOf(rows, one)?.until ?? null)).toEqual([9, 7, null, 8, null, null])
    expect(spanOf(rows, rows[2]!)).toBeNull()
    expect(resumedPause(rows, rows[4]!)?.number).toBe(4)
    expect(resumedPause(rows, rows[5]!)).toBeNull()
  })

  it('counts the batches of the line: what a restore left behind is no part of it', () => {
    const restore = { epoch: 2, at: '1970-01-01T00:00:01.000Z', author: 'mira', from: 20, to: 11, source: null }
    const rows = [
      // holds for 10, 11 and, after the restore, 21
      row(1, 10, coverage(1), { batches: 3 }),
      row(2, 12, coverage(2), { batches: 2 }),
      row(3, 3, coverage(3), { batches: 2 }),
      row(4, 22, coverage(4), { batches: 2, at: 2000 }),
      row(5, 14, coverage(5), { batches: 2, superseded: true }),
    ]
    const moved = onLine(rows, [restore])
    expect(moved.map((one) => [spanOf(moved, one)?.from, spanOf(moved, one)?.until])).toEqual([
      [10, 22],
      [21, 23],
      [3, 5],
      [22, 24],
      [14, 16],
    ])
    const taken = { ...restore, source: { run: 'r', name: 'first', batch: 3 } }
    expect(onLine(rows, [taken]).map(({ fromBatch }) => fromBatch)).toEqual([10, 12, 3, 22, 14])
  })

  it('the later of two rules, and undoing the earlier changes nothing', () => {
    const rows = [row(1, 5, coverage(1)), row(2, 8, coverage(2)), row(3, 8, { kind: 'uniform_share', value: 0.5 })]
    expect(ruling(rows, 'weight coverage', 6, 100)?.number).toBe(1)
    expect(ruling(rows, 'weight coverage', 8, 100)?.number).toBe(2)
    expect(ruling(rows, 'weight coverage', 8, 20)?.number).toBe(1)
    expect(ruling(rows, 'weight coverage', 4, 100)).toBeNull()
    const all = () => true
    expect(beside(rows, rows[0]!, all)).toMatchObject({ later: { number: 2 }, backTo: 'after 2' })
    expect(beside(rows, rows[1]!, all)).toEqual({ later: null, backTo: 'after 1' })
    expect(beside(rows, rows[2]!, all)).toEqual({ later: null, backTo: 'before 3' })
  })
})

describe('compared batches', () => {
  const rows = [row(1, 11, coverage(1)), row(2, 15, coverage(2)), row(3, 13, { kind: 'pin', task: 0 }, { batches: 1 })]

  it('never count on both sides, and end where another takes over', () => {
    expect(comparedBatches(rows, rows[0]!, 10, 40)).toEqual({
      before: { from: 1, to: 10, batches: 10 },
      after: { from: 11, to: 14, batches: 4 },
      cut: 'replaced',
    })
    expect(comparedBatches(rows, rows[1]!, 3, 40)).toEqual({
      before: { from: 12, to: 14, batches: 3 },
      after: { from: 15, to: 17, batches: 3 },
      cut: null,
    })
    expect(comparedBatches(rows, rows[2]!, 3, 40)).toMatchObject({ after: { from: 13, to: 13 }, cut: 'ended' })
  })

  it('are none where there are none', () => {
    expect(comparedBatches([row(1, 1, coverage(1))], row(1, 1, coverage(1)), 5, 0)).toEqual({
      before: null,
      after: null,
      cut: 'newest',
    })
  })

  it('name what else began or ended in them', () => {
    const compared = comparedBatches(rows, rows[0]!, 10, 40)
    expect(overlapping(rows, rows[0]!, compared).map((one) => [one.row.number, one.how, one.batch])).toEqual([
      [3, 'began', 13],
      [3, 'ended', 14],
    ])
  })
})

describe('the interval of a difference', () => {
  it('holds the difference, and is not told from one group', () => {
    const of = (value: number, groups = 9) => ({ value, low: value - 0.3, high: value + 0.4, groups })
    const { difference } = measureOf(of(0.5), of(0.5))
    expect(difference?.value).toBe(0)
    expect(difference?.low).toBeCloseTo(-0.5)
    expect(difference?.high).toBeCloseTo(0.5)
    expect(measureOf(of(0.5, 1), of(0.5)).difference).toBeNull()
    expect(measureOf(null, of(0.5)).difference).toBeNull()
  })
})

describe('the nearest quota', () => {
  const free = { lower: 0, upper: 1 }
  it('moves back the bound that was moved', () => {
    const quotas = [{ lower: 0.1, upper: 0.2 }, free]
    expect(nearestQuota({ lower: 0.3, upper: 0.2 }, quotas, 0)).toEqual({ lower: 0.2, upper: 0.2 })
    expect(nearestQuota({ lower: 0.1, upper: 0.05 }, quotas, 0)).toEqual({ lower: 0.1, upper: 0.1 })
  })
  it('keeps the sums possible', () => {
    expect(nearestQuota({ lower: 0.7, upper: 1 }, [free, { lower: 0.6, upper: 1 }], 0)).toEqual({
      lower: 0.4,
      upper: 1,
    })
    expect(nearestQuota({ lower: 0, upper: 0.2 }, [free, { lower: 0, upper: 0.5 }], 0)).toEqual({
      lower: 0,
      upper: 0.5,
    })
    expect(nearestQuota({ lower: 0, upper: 0.2 }, [free], 0)).toEqual({ lower: 0, upper: 1 })
  })
})
