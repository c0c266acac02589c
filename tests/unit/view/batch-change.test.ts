import { describe, expect, it } from 'vitest'
import { changeWords } from '@/lib/view/batch-change'
import { quotaScale } from '@/lib/view/batch-quota'
import { scrubberColumns } from '@/lib/view/batch-scrubber'
import { environment, leftOut, summary } from '@/tests/support/view-fixtures'

const none = new Map<string, number>()

describe('changeWords', () => {
  it('says the threshold with its direction, rounded to the side that still works, and drafts it', () => {
    const row = leftOut('a', 'RET', {
      change: { setting: 'similarity', environment: null, now: 0.35, needed: 0.2749 },
    })
    expect(changeWords(row, 65, none)).toEqual({
      needed: 'similarity penalty ≤\u00a00.27',
      now: 'now 0.35',
      draft: 'weight:similarity:0.27',
    })
    const up = leftOut('a', 'RET', {
      change: { setting: 'exploitation', environment: null, now: 1, needed: 1.011 },
    })
    expect(changeWords(up, 65, none).needed).toBe('exploitation ≥\u00a01.02')
  })

  it('keeps the lower quota when the upper one is what would change', () => {
    const row = leftOut('a', 'TRV', {
      rule: 'upper_quota',
      change: { setting: 'upper_quota', environment: environment('TRV'), now: 0.17, needed: 0.18 },
    })
    expect(changeWords(row, 65, new Map([['e4', 0.06]]))).toEqual({
      needed: 'upper quota ≥\u00a018\u00a0%',
      now: 'now 17\u00a0%',
      draft: 'quota:e4:0.06:0.18',
    })
  })

  it('tells waiting, leased and nothing found apart', () => {
    expect(changeWords(leftOut('a', 'GFS', { wait: 2 }), 65, none).now).toBe('free in batch 67')
    expect(changeWords(leftOut('a', 'GFS', { rule: 'leased' }), 65, none).needed).toBe('none, wait')
    expect(changeWords(leftOut('a', 'GFS'), 65, none).needed).toBe('none found')
    expect(changeWords(leftOut('a', 'GFS'), 65, none).hint).toContain('moved alone')
  })

  it('treats a needed value of 0 as a value', () => {
    const row = leftOut('a', 'RET', { change: { setting: 'recency', environment: null, now: 0.5, needed: 0 } })
    expect(changeWords(row, 65, none)).toEqual({
      needed: 'recency ≤\u00a00.00',
      now: 'now 0.50',
      draft: 'weight:recency:0',
    })
  })
})

describe('scrubberColumns', () => {
  const all = Array.from({ length: 10 }, (_, i) => summary(10 - i))

  it('is oldest first and ends at the newest', () => {
    expect(scrubberColumns(all, null, 4).map(({ index }) => index)).toEqual([7, 8, 9, 10])
  })

  it('moves its window to hold the shown batch', () => {
    expect(scrubberColumns(all, 2, 4).map(({ index }) => index)).toContain(2)
  })

  it('keeps not yet apart from zero, and says what a restore superseded', () => {
    const [zero, none, ...rest] = scrubberColumns(
      [
        summary(1, { informativeShare: 0 }),
        summary(2, { informativeShare: null, back: 0 }),
        summary(3, { superseded: true }),
      ],
      null,
      10,
    )
    expect(zero).toMatchObject({ share: 0, label: 'Batch 1: 0.0\u00a0% informative' })
    expect(none).toMatchObject({ share: null, label: 'Batch 2: no group yet, 0 of 64 back' })
    expect(rest).toMatchObject([
      { index: 3, superseded: true, label: 'Batch 3: 70.3\u00a0% informative, superseded by a restore' },
    ])
  })
})

describe('quotaScale', () => {
  const use = { used: 10, window: 100, lower: 0, upper: 1 }
  it('is not stretched by a quota that is not set', () => {
    expect(quotaScale([use])).toBe(0.24)
    expect(quotaScale([{ ...use, used: 0, window: 0 }])).toBe(0.24)
  })
  it('holds the largest use and bound', () => {
    expect(quotaScale([{ ...use, used: 40 }])).toBe(0.4)
    expect(quotaScale([{ ...use, upper: 0.33 }])).toBe(0.36)
  })
})
