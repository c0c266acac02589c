import { describe, expect, it } from 'vitest'
import { incompleteBeta, logGamma, studentCdf, studentQuantile } from '@/lib/view/student-t'

describe('studentQuantile', () => {
  // From printed tables of the 97.5 % point, and closed forms: df 1 is tan(pi (p - 1/2)), df 2 is x / sqrt(...).
  it.each([
    [1, 12.7062047362],
    [2, 4.3026527297],
    [3, 3.1824463053],
    [4, 2.7764451052],
    [5, 2.5705818356],
    [9, 2.2621571628],
    [10, 2.228138852],
    [30, 2.0422724563],
    [100, 1.9839715185],
    [1e6, 1.9599663569],
  ])('has the 97.5 %% point of %d degrees of freedom', (freedom, expected) => {
    expect(studentQuantile(0.975, freedom)).toBeCloseTo(expected, 6)
  })

  it('agrees with the closed forms of one and two degrees', () => {
    for (const p of [0.51, 0.6, 0.9, 0.99, 0.9995]) {
      expect(studentQuantile(p, 1)).toBeCloseTo(Math.tan(Math.PI * (p - 0.5)), 7)
      expect(studentQuantile(p, 2)).toBeCloseTo((2 * p - 1) / Math.sqrt(2 * p * (1 - p)), 8)
    }
  })

  it('is odd around a half, undoes the distribution, and takes broken degrees', () => {
    expect(studentQuantile(0.5, 3)).toBe(0)
    expect(studentQuantile(0.025, 3)).toBeCloseTo(-3.1824463053, 8)
    for (const freedom of [1, 1.37, 2.5, 7.9]) {
      expect(studentCdf(studentQuantile(0.975, freedom), freedom)).toBeCloseTo(0.975, 10)
    }
    expect(studentQuantile(0.975, 1.5)).toBeLessThan(studentQuantile(0.975, 1))
    expect(studentQuantile(0.975, 1.5)).toBeGreaterThan(studentQuantile(0.975, 2))
  })

  it('is no number where there is none', () => {
    for (const [p, freedom] of [
      [0, 3],
      [1, 3],
      [Number.NaN, 3],
      [0.975, 0],
      [0.975, -1],
      [0.975, Number.NaN],
    ] as const) {
      expect(studentQuantile(p, freedom)).toBeNaN()
    }
    expect(studentCdf(Number.NaN, 2)).toBeNaN()
    expect(studentCdf(0, 0)).toBeNaN()
  })

  it('rests on the gamma and beta functions', () => {
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 12)
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12)
    expect(logGamma(0.25)).toBeCloseTo(1.2880225246980774, 12)
    expect(incompleteBeta(0, 1, 1)).toBe(0)
    expect(incompleteBeta(1, 1, 1)).toBe(1)
    expect(incompleteBeta(0.3, 1, 1)).toBeCloseTo(0.3, 14)
    expect(incompleteBeta(0.5, 2.5, 2.5)).toBeCloseTo(0.5, 14)
    expect(studentCdf(0, 4)).toBe(0.5)
    expect(studentCdf(-1, 1)).toBeCloseTo(0.25, 14)
  })
})
