import { describe, expect, it } from 'vitest'
import { shownSteps } from '@/lib/service/shown-steps'

describe('shownSteps', () => {
  it('keeps few as they are', () => {
    expect(shownSteps(0)).toEqual([])
    expect(shownSteps(1)).toEqual([0])
    expect(shownSteps(400)).toHaveLength(400)
  })

  it('thins many to the limit, with the first and the newest among them', () => {
    for (const count of [401, 799, 800, 801, 5000, 100_000]) {
      const shown = shownSteps(count)
      expect(shown.length).toBeLessThanOrEqual(401)
      expect(shown[0]).toBe(0)
      expect(shown.at(-1)).toBe(count - 1)
      expect([...shown].sort((a, b) => a - b)).toEqual(shown)
    }
  })
})
