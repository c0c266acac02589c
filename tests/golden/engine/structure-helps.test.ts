import { expect, test } from 'vitest'
import { absorbGroup, advanceField } from '@/lib/engine/field'
import { FIELD_SETTINGS, type FieldSettings } from '@/lib/engine/field-settings'
import { createField, type Field } from '@/lib/engine/field-state'
import { predictAll } from '@/lib/engine/predict'
import { buildStructure } from '@/lib/engine/structure'
import { type ChainWorld, chainWorld, spearman } from '@/tests/support/chain-world'

const NOTHING = { tool: 0, role: 0, state: 0, check: 0, pattern: 0, length: 0 }

function without(...scopes: ('within' | 'cross' | 'slope')[]): FieldSettings {
  const deviation = { ...FIELD_SETTINGS.deviation }
  for (const scope of scopes) {
    if (scope === 'slope') deviation.slope = 0
    else deviation[scope] = NOTHING
  }
  return { ...FIELD_SETTINGS, deviation }
}

/** The world's set with each environment's tool lists dealt to its tasks anew. */
function shuffled(world: ChainWorld): ChainWorld['set'] {
  const tasks = world.set.tasks.map((task) => ({ ...task }))
  world.set.environments.forEach((_, e) => {
    const mine = tasks.filter((task) => task.environment === e)
    const lists = mine.map((task) => task.tools)
    for (let k = lists.length - 1; k > 0; k--) {
      const j = Math.floor(world.random() * (k + 1))
      ;[lists[k], lists[j]] = [lists[j]!, lists[k]!]
    }
    mine.forEach((task, k) => {
      task.tools = lists[k]!
    })
  })
  return { ...world.set, tasks }
}

test('on unseen tasks the field ranks variances better with shared things than without or shuffled', () => {
  const arms = ['both', 'within only', 'none', 'placebo'] as const
  const ranks = Object.fromEntries(arms.map((arm) => [arm, [] as number[]])) as Record<(typeof arms)[number], number[]>
  for (let seed = 1; seed <= 5; seed++) {
    const world = chainWorld(seed)
    const structure = buildStructure(world.set)
    const placebo = shuffled(world)
    const fields: Record<(typeof arms)[number], Field> = {
      both: createField(structure, world.set),
      'within only': createField(structure, world.set, without('cross')),
      none: createField(structure, world.set, without('within', 'cross', 'slope')),
      placebo: createField(buildStructure(placebo), placebo),
    }
    const seen = new Set<number>()
    for (let step = 0; step < 15; step++) {
      for (const arm of arms) advanceField(fields[arm], 1)
      for (let pick = 0; pick < 8; pick++) {
        const task = Math.floor(world.random() * structure.tasks)
        seen.add(task)
        const solved = Array.from({ length: 8 }, () => world.random() < world.chance(task, step)).filter(Boolean).length
        const facts = { task, policyVersion: step, lease: null, trusted: 8, sum: solved, sumSquares: solved }
        for (const arm of arms) absorbGroup(fields[arm], { ...facts, low: 8 - solved, high: solved })
      }
    }
    const unseen = Array.from({ length: structure.tasks }, (_, i) => i).filter((i) => !seen.has(i))
    const truth = unseen.map((i) => world.chance(i, 15) * (1 - world.chance(i, 15)))
    for (const arm of arms) {
      const { predictedVariance } = predictAll(fields[arm], 8)
      const rank = spearman(
        unseen.map((i) => predictedVariance[i]!),
        truth,
      )
      ranks[arm].push(rank)
    }
  }
  const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length
  expect(mean(ranks.both)).toBeGreaterThan(0.55)
  expect(mean(ranks.both)).toBeGreaterThan(mean(ranks['within only']) + 0.05)
  expect(mean(ranks['within only'])).toBeGreaterThan(mean(ranks.none) + 0.1)
  expect(mean(ranks.both)).toBeGreaterThan(mean(ranks.placebo) + 0.25)
})
