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

describe('the nearest key of many', () => {
  it('is the one that the plain table of all cells says', () => {
    const plain = (a: string, b: string) => {
      const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
      for (let i = 1; i <= a.length; i += 1) {
        const [above = [], row] = [rows[i - 1], [i]]
        for (let j = 1; j <= b.length; j += 1)
          row.push(
            Math.min((above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1), (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1),
          )
        rows.push(row)
      }
      return rows[a.length]?.[b.length] ?? 0
    }
    let seed = 7
    const word = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return Array.from({ length: seed % 9 }, (_, i) => 'abc'[(seed >> i) % 3] ?? 'a').join('')
    }
    for (let k = 0; k < 3000; k += 1) {
      const [a, b, limit] = [word(), word(), k % 6]
      const distance = plain(a, b)
      expect(editDistance(a, b, limit), `${a} ${b} ${limit}`).toBe(distance > limit ? null : distance)
    }
  })

  it('is looked for in a bounded time among 100,000 that are all far', () => {
    const keys = Array.from(
      { length: 100_000 },
      (_, i) => `env/customer-service/scenario-${i}-variant-${i % 17}-with-a-suffix`,
    )
    const started = performance.now()
    expect(nearestKey('quite other words, as long as those keys are, 0123456789', keys)).toBeNull()
    expect(nearestKey('ENV/CUSTOMER_SERVICE/SCENARIO_17_VARIANT_0_WITH_A_SUFFIX', keys)).toBeNull()
    expect(performance.now() - started).toBeLessThan(2000)
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
