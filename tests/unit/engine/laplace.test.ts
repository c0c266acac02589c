import { expect, test } from 'vitest'
import { laplace } from '@/lib/engine/laplace'
import { expect as expectation, NODE_WEIGHTS, NODES, sigmoid } from '@/lib/engine/nodes'

test('the mode solves the equation of prior and group', () => {
  for (const [mean, variance, successes, trials] of [
    [-1, 2, 3, 8],
    [4, 0.1, 0, 8],
    [-30, 5, 8, 8],
    [0, 1e-9, 1, 1],
    [2, 100, 0, 512],
  ] as const) {
    const { mode, variance: observed } = laplace(mean, variance, successes, trials, 0.01)
    expect((mean - mode) / variance + successes - trials * sigmoid(mode)).toBeCloseTo(0, 5)
    expect(observed).toBeGreaterThan(0)
    expect(observed).toBeLessThanOrEqual(100 / trials + 1e-12)
  }
})

test('the nodes are a distribution of mean 0 and variance 1', () => {
  expect(NODE_WEIGHTS.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 14)
  expect(NODES.reduce((sum, z, k) => sum + z * NODE_WEIGHTS[k]!, 0)).toBeCloseTo(0, 14)
  expect(NODES.reduce((sum, z, k) => sum + z * z * NODE_WEIGHTS[k]!, 0)).toBeCloseTo(1, 14)
})

test('expectations agree with a fine integral', () => {
  for (const [mean, deviation] of [
    [0, 1],
    [-2, 1.5],
    [3, 2.5],
    [0.5, 0],
  ] as const) {
    let sum = 0
    let weight = 0
    for (let z = -6; z <= 6; z += 0.01) {
      const w = Math.exp((-z * z) / 2)
      const q = sigmoid(mean + deviation * z)
      sum += w * q * (1 - q)
      weight += w
    }
    expect(Math.abs(expectation(mean, deviation, (q) => q * (1 - q)) - sum / weight)).toBeLessThan(0.006)
  }
})

test('sigmoid stays inside 0 and 1', () => {
  for (const x of [-1e308, -800, -0, 0, 800, 1e308]) {
    expect(sigmoid(x)).toBeGreaterThan(0)
    expect(sigmoid(x)).toBeLessThan(1)
  }
})
