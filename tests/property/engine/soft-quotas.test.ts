/* Quotas are never infeasible: whatever is banned, held, out or pinned, the batch is full, and what gave way is said. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configIssues } from '@/lib/engine/issues'
import { applyEntry, createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import { config, playRun, randomOf, taskSetOf } from '@/tests/property/engine/random-run'

const scene = fc.record({
  tasks: fc.integer({ min: 20, max: 160 }),
  environments: fc.integer({ min: 2, max: 8 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  size: fc.integer({ min: 1, max: 30 }),
  limits: fc.boolean(),
  uniformShare: fc.constantFrom(0, 0.25, 1),
})

/** Possible quotas that are as tight as they may be: lower ones that sum to one, upper ones too, some environments at nothing. */
function tightQuotas(environments: number, seed: number) {
  const random = randomOf(seed)
  const weights = Array.from({ length: environments }, () => (random() < 0.3 ? 0 : random()))
  weights[0] = 1
  const total = weights.reduce((a, b) => a + b, 0)
  const tight = random()
  return weights.map((weight) => ({
    lower: (tight * weight) / total,
    upper: Math.min(1, (weight / total) * (1 + (1 - tight) * random()) + 1e-9),
  }))
}

describe('soft quotas', () => {
  it('give a full batch in every circumstance, and say what was relaxed', () => {
    let relaxed = 0
    let missed = 0
    fc.assert(
      fc.property(scene, ({ tasks, environments, seed, size, limits, uniformShare }) => {
        const settings = config(environments, { quotas: tightQuotas(environments, seed), uniformShare })
        expect(configIssues(settings)).toEqual([])
        const s = createScheduler(taskSetOf({ tasks, environments, seed }, limits), settings, `seed ${seed}`)
        playRun(s, seed, { batches: 3, size: () => size, silent: 0.3 })
        const random = randomOf(seed + 1)
        for (let k = 0; k < 12; k++)
          applyEntry(s, {
            kind: 'override',
            at: 0,
            override: 500 + k,
            change: { kind: random() < 0.7 ? 'ban' : 'pin', task: Math.floor(random() * tasks) },
            batches: null,
          })
        if (random() < 0.5)
          applyEntry(s, {
            kind: 'override',
            at: 0,
            override: 600,
            change: { kind: 'pause', environment: 0, mode: 'hold' },
            batches: null,
          })
        const { picks, quotas, notes, eligible } = proposeBatch(s, { size, groupSize: 8, policyVersion: 9, at: 0 })
        if (limits) expect(picks.length).toBeLessThanOrEqual(size)
        else expect(picks.length).toBeGreaterThanOrEqual(Math.min(size, eligible))
        const said = notes.join(' ')
        if (picks.length < size) expect(said).toMatch(/asked for, only/)
        for (const { state, environment } of quotas) {
          const name = s.set.environments[environment]!.key
          if (state === 'relaxed') {
            relaxed += 1
            expect(
              said.includes(`${name} goes over its upper quota`) || /more environments miss a quota/.test(said),
            ).toBe(true)
          }
          if (state === 'under') {
            missed += 1
            expect(said.includes(`${name}: `) || /more environments miss a quota/.test(said)).toBe(true)
          }
        }
      }),
      { numRuns: 60, seed: 3 },
    )
    expect(relaxed).toBeGreaterThan(5)
    expect(missed).toBeGreaterThan(5)
  })
})
