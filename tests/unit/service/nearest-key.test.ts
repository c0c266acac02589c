import { describe, expect, it } from 'vitest'
import { editDistance, mending, nearestKey } from '@/lib/service/nearest-key'

describe('the nearest key', () => {
  it('is the one with the fewest edits, the first of equals', () => {
    expect(nearestKey('airline-27', ['airline_28', 'airline_27', 'retail_27'])).toEqual({
      key: 'airline_27',
      distance: 1,
    })
    expect(nearestKey('ab', ['ax', 'bb'])).toEqual({ key: 'ax', distance: 1 })
    expect(nearestKey('same', ['other', 'same'])).toEqual({ key: 'same', distance: 0 })
  })

  it('is none where all are far, or there are none', () => {
    expect(nearestKey('airline-27', ['kitchen', 'garage'])).toBeNull()
    expect(nearestKey('a', [])).toBeNull()
    expect(nearestKey('', ['ab', 'abc'])).toEqual({ key: 'ab', distance: 2 })
  })

  it('counts edits up to a limit', () => {
    expect(editDistance('kitten', 'sitting', 9)).toBe(3)
    expect(editDistance('kitten', 'sitting', 2)).toBeNull()
    expect(editDistance('', '', 0)).toBe(0)
  })
})

describe('how keys are mended', () => {
  it('finds the one rule that makes a key right', () => {
    const mended = (wrong: string, right: string, other: string) => mending(wrong, right)?.(other) ?? null
    expect(mended('airline-27', 'airline_27', 'retail-3-b')).toBe('retail_3_b')
    expect(mended('Task_1', 'task_1', 'TASK_2')).toBe('task_2')
    expect(mended('env/a', 'a', 'env/b')).toBe('b')
    expect(mended('a', 'env/a', 'b')).toBe('env/b')
    expect(mended('a.json', 'a', 'b.json')).toBe('b')
    expect(mended('a', 'a#0', 'b')).toBe('b#0')
    expect(mended('abc', 'xbz', 'abc')).toBeNull()
    expect(mending('a', 'a')).toBeNull()
  })
})
