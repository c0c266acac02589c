import fc from 'fast-check'
import { expect, test } from 'vitest'
import { absorbGroup, advanceField } from '@/lib/engine/field'
import type { FieldSettings } from '@/lib/engine/field-settings'
import { createField } from '@/lib/engine/field-state'
import { knowledgeOf } from '@/lib/engine/knowledge'
import { expect as expectation } from '@/lib/engine/nodes'
import { aliveOf, predictAll, worthOf } from '@/lib/engine/predict'
import { buildStructure } from '@/lib/engine/structure'
import { structurePart } from '@/lib/engine/structure-part'
import { denseOracle } from '@/tests/support/dense-oracle'
import { FORMS } from '@/tests/support/field-forms'
import { randomSet, randomSteps } from '@/tests/support/random-set'

interface Case {
  environments: number
  tasks: number
  seed: number
  groups: number
}

function both({ environments, tasks, seed, groups }: Case, settings: FieldSettings) {
  const set = randomSet({ environments, tasks, seed, tools: 4 })
  const structure = structurePart(buildStructure(set), settings)
  const steps = randomSteps(set, groups, seed + 1)
  const field = createField(structure, set, settings)
  for (const { advance, group } of steps) {
    advanceField(field, advance)
    absorbGroup(field, group)
  }
  const { value } = predictAll(field, 8)
  const alive = value.map((_, i) => aliveOf(field, i))
  const threshold = [...value].sort((a, b) => b - a)[Math.min(tasks - 1, 5)]!
  const worth = (task: number, q: number) => worthOf(field, task, q, 1)
  const found = knowledgeOf(field, { value, alive }, worth, threshold)
  const { mean, covariance } = denseOracle(structure, settings, steps, true, false)
  // E[max(0, v - t)] - max(0, E v - t), and the share of its uncertainty that a group of six of task i takes
  const hope = (j: number) => {
    const f = (q: number) => Math.max(0, alive[j]! * worth(j, q) - threshold)
    const gap = expectation(mean[j]!, Math.sqrt(covariance(j, j)), f) - Math.max(0, value[j]! - threshold)
    return gap > 1e-5 ? gap : 0
  }
  const expected = Array.from(value, (_, i) => {
    const information = expectation(mean[i]!, Math.sqrt(covariance(i, i)), (q) => q * (1 - q))
    const seen = covariance(i, i) + 1 / Math.max(0.02, 6 * information)
    return structure.tasksOf[structure.environmentOf[i]!]!.reduce(
      (sum, j) => sum + alive[i]! * hope(j) * Math.min(1, covariance(i, j) ** 2 / (covariance(j, j) * seen)),
      0,
    )
  })
  return { found, expected }
}

test.each(FORMS)('knowledge is its formula over the dense covariance: %s', (_, settings) => {
  const cases = fc.record({
    environments: fc.integer({ min: 1, max: 4 }),
    tasks: fc.integer({ min: 1, max: 60 }),
    seed: fc.integer({ min: 0, max: 1e6 }),
    groups: fc.integer({ min: 0, max: 20 }),
  })
  let most = 0
  fc.assert(
    fc.property(cases, (input) => {
      const { found, expected } = both(input, settings)
      expected.forEach((x, i) => {
        // hopes are rounded to 2^-32, and one near the least that counts may fall on either side of it
        expect(Math.abs(found[i]! - x)).toBeLessThan(2.1e-5)
        expect(found[i]).toBeGreaterThanOrEqual(0)
        most = Math.max(most, x)
      })
    }),
    { numRuns: 6 },
  )
  expect(most).toBeGreaterThan(1e-3)
})
