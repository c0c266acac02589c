import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passesOf } from '@/lib/engine/backward-pass'
import { absorbGroup, advanceField } from '@/lib/engine/field'
import { momentsOf } from '@/lib/engine/field-moments'
import { createField } from '@/lib/engine/field-state'
import { buildStructure } from '@/lib/engine/structure'
import { denseOracle } from '@/tests/support/dense-oracle'
import { randomSet, randomSteps } from '@/tests/support/random-set'

const cases = fc.record({
  environments: fc.integer({ min: 1, max: 6 }),
  tasks: fc.integer({ min: 1, max: 200 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  groups: fc.integer({ min: 1, max: 40 }),
  graded: fc.constantFrom(0, 0.5),
})

test('mean, variance and every credit agree with the dense oracle', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(cases, ({ environments, tasks, seed, groups, graded }) => {
      const set = randomSet({ environments, tasks, seed, tools: 4 })
      const structure = buildStructure(set)
      const steps = randomSteps(set, groups, seed + 1, graded)
      const field = createField(structure, set)
      for (const { advance, group } of steps) {
        advanceField(field, advance)
        absorbGroup(field, group)
      }
      const oracle = denseOracle(structure, steps, true)
      const passes = passesOf(
        field,
        set.tasks.map((_, i) => i),
      )
      let worst = 0
      passes.forEach((pass, i) => {
        const { mean, variance } = momentsOf(field, i)
        worst = Math.max(worst, Math.abs(mean - oracle.mean[i]!), Math.abs(variance - oracle.variance[i]!))
        pass.credits.forEach((credit, g) => {
          worst = Math.max(worst, Math.abs(credit - oracle.credit[i]![g]!))
        })
      })
      expect(worst).toBeLessThan(1e-8)
    }),
    { numRuns: 12, seed: 3 },
  )
})

test('leaving other environments alone differs little from the full update', { timeout: 60_000 }, () => {
  let square = 0
  let deviation = 0
  let widest = 0
  let count = 0
  for (let seed = 1; seed <= 3; seed++) {
    const set = randomSet({ environments: 6, tasks: 80, seed, tools: 5 })
    const structure = buildStructure(set)
    const steps = randomSteps(set, 100, seed + 50)
    const field = createField(structure, set)
    for (const { advance, group } of steps) {
      advanceField(field, advance)
      absorbGroup(field, group)
    }
    const full = denseOracle(structure, steps, false)
    for (let i = 0; i < structure.tasks; i++) {
      const { mean, variance } = momentsOf(field, i)
      square += (mean - full.mean[i]!) ** 2
      deviation += Math.sqrt(full.variance[i]!)
      widest = Math.max(widest, Math.abs(Math.sqrt(variance / full.variance[i]!) - 1))
      count++
    }
  }
  expect(Math.sqrt(square / count) / (deviation / count)).toBeLessThan(0.3)
  expect(widest).toBeLessThan(0.1)
})
