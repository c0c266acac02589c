import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SCHEDULERS } from '@/lib/engine/config'
import { applyEntry, createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import { config, groupEntry, randomOf, setShape, taskSetOf } from '@/tests/property/engine/random-run'

/** Order of a shuffle by seed: position -> old index. */
function shuffled(n: number, seed: number): number[] {
  const random = randomOf(seed)
  const order = Array.from({ length: n }, (_, i) => i)
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return order
}

describe('renumbering tasks', () => {
  it('changes nothing where no scores nearly tie', () => {
    let compared = 0
    fc.assert(
      fc.property(
        setShape,
        fc.constantFrom(...SCHEDULERS),
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 1, max: 24 }),
        (shape, scheduler, seed, size) => {
          const set = taskSetOf(shape)
          const order = shuffled(shape.tasks, seed)
          const other: EngineTaskSet = { ...set, tasks: order.map((i) => set.tasks[i]!) }
          const newIndex = new Map(order.map((old, at) => [old, at]))
          const a = createScheduler(set, config(shape.environments, { scheduler }), 'seed')
          const b = createScheduler(other, config(shape.environments, { scheduler }), 'seed')
          const random = randomOf(seed)
          for (let batch = 1; batch <= 5; batch++) {
            const request = { size, groupSize: 8, policyVersion: batch, at: 0 }
            const mine = proposeBatch(a, request)
            const scores = [...mine.picks.filter(({ slot }) => slot === 'score'), ...mine.leftOut].map(
              ({ score }) => score,
            )
            scores.sort((x, y) => x - y)
            fc.pre(
              scheduler === 'uniform' ||
                scores.every((score, k) => k === 0 || score - scores[k - 1]! > 1e-7 || score === scores[k - 1]),
            )
            const keys = (picks: { task: number; slot: string }[], tasks: EngineTaskSet['tasks']) =>
              picks.map(({ task, slot }) => `${slot} ${tasks[task]!.environment} ${tasks[task]!.key}`)
            const yours = proposeBatch(b, request)
            expect(keys(yours.picks, other.tasks)).toEqual(keys(mine.picks, set.tasks))
            compared += mine.picks.length
            const picks = mine.picks.map(({ task, slot }, k) => ({ task, slot, lease: 1000 * batch + k }))
            const entry = { kind: 'batch', batch, at: 0, policyVersion: batch, groupSize: 8 } as const
            applyEntry(a, { ...entry, picks })
            applyEntry(b, { ...entry, picks: picks.map((pick) => ({ ...pick, task: newIndex.get(pick.task)! })) })
            for (const { task, lease } of picks) {
              const solved = Math.floor(9 * random())
              applyEntry(a, groupEntry(a, task, lease, 8, solved))
              applyEntry(b, groupEntry(b, newIndex.get(task)!, lease, 8, solved))
            }
          }
        },
      ),
      { numRuns: 25 },
    )
    expect(compared).toBeGreaterThan(100)
  })
})
