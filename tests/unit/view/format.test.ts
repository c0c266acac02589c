import { describe, expect, it } from 'vitest'
import {
  countWord,
  formatAgo,
  formatBare,
  formatCount,
  formatFixed,
  formatNumber,
  formatPoints,
  formatSpan,
  formatTime,
} from '@/lib/view/format'

describe('formatFixed', () => {
  it('sets gaps, a true minus, and no minus on what rounds to zero', () => {
    expect(formatFixed(12_400, 0)).toBe('12\u00a0400')
    expect(formatFixed(1_234_567.891, 2)).toBe('1\u00a0234\u00a0567.89')
    expect(formatFixed(999, 0)).toBe('999')
    expect(formatFixed(-0.31, 2)).toBe('\u22120.31')
    expect(formatFixed(-0.001, 2)).toBe('0.00')
    expect(formatFixed(0.12, 2, true)).toBe('+0.12')
    expect(formatFixed(0, 2, true)).toBe('0.00')
  })
})

describe('formatNumber', () => {
  it('fixes decimals by kind and puts the unit behind', () => {
    expect(formatNumber('share', 0.715, 'n/a')).toBe('71.5\u00a0%')
    expect(formatNumber('variance', 0.2142, 'n/a')).toBe('0.214')
    expect(formatNumber('score', 0.666, 'n/a')).toBe('0.67')
    expect(formatNumber('seconds', 31, 'n/a')).toBe('31.0\u00a0s')
  })

  it('keeps 0 a figure and unknown a word', () => {
    expect(formatNumber('share', 0, 'no group')).toBe('0.0\u00a0%')
    expect(formatNumber('count', 0, 'no group')).toBe('0')
    for (const unknown of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatBare('share', unknown, 'no group')).toBe('no group')
      expect(formatNumber('share', unknown, 'no group')).toBe('no group')
    }
  })

  it('signs differences in points', () => {
    expect(formatPoints(0.287, 'n/a')).toBe('+28.7')
    expect(formatPoints(-0.031, 'n/a')).toBe('\u22123.1')
    expect(formatPoints(null, 'n/a')).toBe('n/a')
  })
})

describe('time', () => {
  it('takes the largest unit that reads well', () => {
    expect(formatSpan(4)).toBe('4\u00a0s')
    expect(formatSpan(660)).toBe('11\u00a0min')
    expect(formatSpan(7200)).toBe('2\u00a0h')
    expect(formatSpan(86_400 * 3)).toBe('3 days')
    expect(formatSpan(-5)).toBe('0\u00a0s')
  })

  it('says how long ago, and the caller’s words where there is none', () => {
    const now = Date.parse('2026-11-29T14:00:10Z')
    expect(formatAgo('2026-11-29T14:00:06Z', now, 'none yet')).toBe('4\u00a0s ago')
    expect(formatAgo(null, now, 'none yet')).toBe('none yet')
    expect(formatAgo('never', now, 'none yet')).toBe('none yet')
    expect(formatTime('2026-11-27T09:02:00Z', 'n/a')).toBe('27 Nov 09:02')
    expect(formatTime('x', 'n/a')).toBe('n/a')
  })
})

describe('counts in words', () => {
  it('agrees with its noun', () => {
    expect(formatCount(1, 'task')).toBe('1 task')
    expect(formatCount(0, 'task')).toBe('0 tasks')
    expect(formatCount(2, 'batch', 'batches')).toBe('2 batches')
    expect(countWord(2, true)).toBe('Two')
    expect(countWord(9, false)).toBe('nine')
    expect(countWord(13, false)).toBe('13')
  })
})
