import { expect, test } from 'vitest'
import { varianceNoise } from '@/lib/service/variance-noise'
import { seededRandom } from '@/lib/testbed/random'

const variance = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}

/** Mean noise told by groups against the mean squared error of a predictor that knows every true variance. */
function held(groups: number, size: number, draw: (random: () => number) => { truth: number; next: () => number }) {
  const random = seededRandom(41)
  let told = 0
  let error = 0
  for (let g = 0; g < groups; g++) {
    const { truth, next } = draw(random)
    const values = Array.from({ length: size }, next)
    told += varianceNoise(values, [0, 1]) ?? Number.NaN
    error += (variance(values) - truth) ** 2
  }
  return { told: told / groups, error: error / groups }
}

test.each([4, 8, 16])('of solved or failed rollouts, %i a group, it is the error of who knows every chance', (size) => {
  const { told, error } = held(30_000, size, (random) => {
    const chance = random()
    return { truth: chance * (1 - chance), next: () => (random() < chance ? 1 : 0) }
  })
  expect(Math.abs(told / error - 1)).toBeLessThan(0.05)
})

test('it holds for graded rewards, whose distribution is none of a known kind', () => {
  const levels = [0, 0.25, 0.5, 1]
  const { told, error } = held(30_000, 8, (random) => {
    const weights = levels.map(() => random() ** 2)
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const mean = levels.reduce((sum, level, i) => sum + (level * (weights[i] ?? 0)) / total, 0)
    const truth = levels.reduce((sum, level, i) => sum + ((level - mean) ** 2 * (weights[i] ?? 0)) / total, 0)
    const next = () => {
      const drawn = random() * total
      return levels.find((_, i) => weights.slice(0, i + 1).reduce((sum, weight) => sum + weight, 0) >= drawn) ?? 1
    }
    return { truth, next }
  })
  expect(Math.abs(told / error - 1)).toBeLessThan(0.05)
})

test('it is taken on the normalised scale', () => {
  const values = [1, 3, 3, 5, 1]
  expect(varianceNoise(values, [1, 5])).toBeCloseTo(varianceNoise([0, 0.5, 0.5, 1, 0], [0, 1]) ?? Number.NaN, 12)
})

test('equal rewards tell no noise, and groups too small, or of what is no number, tell nothing', () => {
  expect(varianceNoise([1, 1, 1, 1], [0, 1])).toBeCloseTo(0, 12)
  expect(varianceNoise([-0, 0, 0, 0], [0, 1])).toBeCloseTo(0, 12)
  expect(varianceNoise([], [0, 1])).toBeNull()
  expect(varianceNoise([0, 1, 1], [0, 1])).toBeNull()
  expect(varianceNoise([0, 1, Number.NaN, 1], [0, 1])).toBeNull()
  expect(varianceNoise([0, 1, 1, 1], [1, 1])).toBeNull()
})
