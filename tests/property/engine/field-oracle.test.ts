import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passesOf } from '@/lib/engine/backward-pass'
import { absorbGroup, advanceField } from '@/lib/engine/field'
import { momentsOf } from '@/lib/engine/field-moments'
import type { FieldSettings } from '@/lib/engine/field-settings'
import { createField, type Field } from '@/lib/engine/field-state'
import { expect as expectation } from '@/lib/engine/nodes'
import { buildStructure } from '@/lib/engine/structure'
import { structurePart } from '@/lib/engine/structure-part'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import { type ChainWorld, chainWorld } from '@/tests/support/chain-world'
import { denseOracle } from '@/tests/support/dense-oracle'
import { FORMS } from '@/tests/support/field-forms'
import { randomSet, randomSteps, type Step } from '@/tests/support/random-set'

const cases = fc.record({
  environments: fc.integer({ min: 1, max: 6 }),
  tasks: fc.integer({ min: 1, max: 200 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  groups: fc.integer({ min: 1, max: 30 }),
  graded: fc.constantFrom(0, 0.5),
})

function fed(set: EngineTaskSet, settings: FieldSettings, steps: readonly Step[]): Field {
  const field = createField(structurePart(buildStructure(set), settings), set, settings)
  for (const { advance, group } of steps) {
    advanceField(field, advance)
    absorbGroup(field, group)
  }
  return field
}

test.each(FORMS)(
  'mean, variance and every credit agree with the dense oracle: %s',
  { timeout: 120_000 },
  (_, settings) => {
    fc.assert(
      fc.property(cases, ({ environments, tasks, seed, groups, graded }) => {
        const set = randomSet({ environments, tasks, seed, tools: 4 })
        const steps = randomSteps(set, groups, seed + 1, graded)
        const field = fed(set, settings, steps)
        const oracle = denseOracle(structurePart(buildStructure(set), settings), settings, steps, true)
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
      { numRuns: 6, seed: 3 },
    )
  },
)

/** Batches of groups of 8 in a world with a known truth, all of one policy version. */
function played(world: ChainWorld, batches: number): Step[] {
  const { set, chance, random } = world
  return Array.from({ length: batches * 12 }, (_, k) => {
    const policyVersion = Math.floor(k / 12)
    const task = Math.floor(random() * set.tasks.length)
    let high = 0
    for (let r = 0; r < 8; r++) high += random() < chance(task, policyVersion) ? 1 : 0
    const group = { task, policyVersion, lease: k, trusted: 8, sum: high, sumSquares: high, low: 8 - high, high }
    return { advance: k > 0 && k % 12 === 0 ? 1 : 0, group }
  })
}

/**
 * The engine's field beside the full update: rms difference of the mean over the mean deviation, the widest change of a deviation,
 * and the log loss of one rollout of each task that was never picked, under either.
 */
function compared(settings: FieldSettings, seeds: readonly number[]) {
  const losses = { restricted: 0, full: 0, unseen: 0 }
  let square = 0
  let deviation = 0
  let widest = 0
  let count = 0
  for (const seed of seeds) {
    const world = chainWorld(seed)
    const batches = 15
    const steps = played(world, batches)
    const field = fed(world.set, settings, steps)
    const full = denseOracle(field.structure, settings, steps, false, false)
    const seen = new Set(steps.map(({ group }) => group.task))
    for (let i = 0; i < field.structure.tasks; i++) {
      const { mean, variance } = momentsOf(field, i)
      square += (mean - full.mean[i]!) ** 2
      deviation += Math.sqrt(full.variance[i]!)
      widest = Math.max(widest, Math.abs(Math.sqrt(variance / full.variance[i]!) - 1))
      count++
      if (seen.has(i)) continue
      const truth = world.chance(i, batches - 1)
      const loss = (f: number, sd: number) => {
        const q = expectation(f, sd, (x) => x)
        return -truth * Math.log(q) - (1 - truth) * Math.log(1 - q)
      }
      losses.restricted += loss(mean, Math.sqrt(variance))
      losses.full += loss(full.mean[i]!, Math.sqrt(full.variance[i]!))
      losses.unseen++
    }
  }
  const loss = { restricted: losses.restricted / losses.unseen, full: losses.full / losses.unseen }
  return { share: Math.sqrt(square / count) / (deviation / count), widest, loss }
}

test.each(FORMS)(
  'leaving other environments alone differs little from the full update: %s',
  { timeout: 120_000 },
  (_, settings) => {
    const { share, widest, loss } = compared(settings, [1, 2, 3])
    expect(share).toBeLessThan(0.45)
    expect(widest).toBeLessThan(0.5)
    expect(Math.abs(loss.restricted - loss.full)).toBeLessThan(0.02)
  },
)
