import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configIssues } from '@/lib/engine/issues'
import { createScheduler } from '@/lib/engine/scheduler'
import { config, playRun, randomOf, taskSetOf } from '@/tests/property/engine/random-run'

/** Random feasible quotas: lower ones under 1 in sum, upper ones over it. */
function quotasOf(environments: number, seed: number) {
  const random = randomOf(seed)
  const weights = Array.from({ length: environments }, () => 0.2 + random())
  const total = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => ({
    lower: 0.8 * random() * (weight / total),
    upper: Math.min(1, (weight / total) * (1.05 + random())),
  }))
}

describe('quotas', () => {
  it('hold over the window within one pick', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 0, max: 1e6 }),
        (environments, size, seed) => {
          const set = taskSetOf({ tasks: 200, environments, seed }, false)
          const quotas = quotasOf(environments, seed)
          const settings = config(environments, { quotas, uniformShare: 0, windowPicks: 5 * size + 7 })
          expect(configIssues(settings)).toEqual([])
          const s = createScheduler(set, settings, `seed ${seed}`)
          const tasksOf = new Int32Array(environments)
          for (const { environment } of set.tasks) tasksOf[environment]!++
          fc.pre(tasksOf.every((count) => count >= size))
          playRun(s, seed, {
            batches: 16,
            size: () => size,
            seen: (decision) => {
              for (const { used, picks, window, lower, upper, environment } of decision.quotas) {
                const share = used + picks
                const length = window + size
                expect(share, `upper of ${environment}`).toBeLessThan(upper * length + 1)
                expect(share, `lower of ${environment}`).toBeGreaterThan(lower * length - 1)
              }
            },
          })
        },
      ),
      { numRuns: 15 },
    )
  })
})
