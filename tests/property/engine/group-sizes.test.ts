import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedDeviation, sizeStep } from '@/lib/engine/group-sizes'
import { configIssues } from '@/lib/engine/issues'
import { applyEntry, changeIssues, createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import { config, groupEntry, playRun, randomOf, taskSetOf } from '@/tests/property/engine/random-run'

function played(seed: number, uniformShare: number, sizing: 'fixed' | 'adaptive' = 'adaptive') {
  const set = taskSetOf({ tasks: 90, environments: 5, seed }, false)
  const weights = { ...config(5).weights, cost: 0.5 }
  const s = createScheduler(set, config(5, { uniformShare, weights, groupSizing: sizing }), `seed ${seed}`)
  playRun(s, seed, { batches: 4, size: () => 10 })
  // costs make tasks unlike that the batch needs all the same
  for (let i = 0; i < set.tasks.length; i++) applyEntry(s, groupEntry(s, i, null, 8, i % 9, { seconds: 1 + (i % 7) }))
  return s
}

const ask = (size: number, groupSize: number) => ({ size, groupSize, policyVersion: 99, at: 0 })

describe('adaptive group sizes', () => {
  it('spend the budget exactly, or less than a step under it and say so', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 0.25, 1),
        (seed, size, groupSize, share) => {
          const { picks, notes } = proposeBatch(played(seed % 7, share), ask(size, groupSize), [], false)
          expect(picks.length).toBe(size)
          const step = sizeStep(groupSize)
          const total = picks.reduce((sum, pick) => sum + pick.groupSize, 0)
          expect(total).toBeLessThanOrEqual(size * groupSize)
          expect(total).toBeGreaterThan(size * groupSize - step)
          if (groupSize % 2 === 0) expect(total).toBe(size * groupSize)
          expect(notes.some((note) => note.includes('rollouts are asked for'))).toBe(total < size * groupSize)
          for (const pick of picks) {
            if (pick.slot !== 'score' || groupSize <= 2) expect(pick.groupSize).toBe(groupSize)
            else {
              expect(pick.groupSize % step).toBe(0)
              expect(pick.groupSize).toBeGreaterThanOrEqual(2)
              expect(pick.groupSize).toBeLessThanOrEqual(2 * groupSize)
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('choose the tasks that fixed sizes choose, and predict each for its own size', () => {
    const s = played(3, 0.25)
    const fixed = proposeBatch(played(3, 0.25, 'fixed'), ask(40, 8), [], false).picks
    const { picks } = proposeBatch(s, ask(40, 8), [], false)
    expect(picks.map(({ task }) => task)).toEqual(fixed.map(({ task }) => task))
    expect(new Set(picks.map(({ groupSize }) => groupSize)).size).toBeGreaterThan(1)
    picks.forEach((pick, k) => {
      const same = fixed[k]!
      // a batch goes by the size that was asked for: only what is foretold of a group goes by its own
      if (pick.groupSize > 8) expect(pick.prediction.informative).toBeGreaterThan(same.prediction.informative)
      else if (pick.groupSize < 8) expect(pick.prediction.informative).toBeLessThan(same.prediction.informative)
      else expect(pick.prediction.informative).toBe(same.prediction.informative)
    })
  })

  it('come by a setting, by an override and back', () => {
    const s = played(2, 0, 'fixed')
    const sizes = () => new Set(proposeBatch(s, ask(40, 8), [], false).picks.map(({ groupSize }) => groupSize)).size
    expect(sizes()).toBe(1)
    applyEntry(s, {
      kind: 'override',
      at: 0,
      override: 77,
      change: { kind: 'group_sizing', value: 'adaptive' },
      batches: null,
    })
    expect(sizes()).toBeGreaterThan(1)
    applyEntry(s, { kind: 'override', at: 0, override: 78, change: { kind: 'lift', override: 77 }, batches: null })
    expect(sizes()).toBe(1)
  })

  it('are refused with a scheduler that does not know them', () => {
    const of = (scheduler: 'uniform' | 'envsched') => config(2, { scheduler, groupSizing: 'adaptive' })
    expect(configIssues(of('envsched'))).toEqual([])
    expect(configIssues(of('uniform')).map(({ path }) => path)).toEqual(['groupSizing'])
    const s = createScheduler(
      taskSetOf({ tasks: 4, environments: 2, seed: 1 }),
      config(2, { scheduler: 'uniform' }),
      's',
    )
    expect(changeIssues(s, { kind: 'group_sizing', value: 'adaptive' }).length).toBe(1)
    expect(changeIssues(s, { kind: 'group_sizing', value: 'fixed' })).toEqual([])
  })
})

describe('the expected deviation of n rewards', () => {
  it('is that of simulated groups', () => {
    const random = randomOf(5)
    for (const [q, n] of [
      [0.1, 8],
      [0.5, 4],
      [0.8, 16],
    ] as const) {
      let sum = 0
      for (let k = 0; k < 20_000; k++) {
        let solved = 0
        for (let j = 0; j < n; j++) if (random() < q) solved++
        sum += Math.sqrt((solved / n) * (1 - solved / n))
      }
      expect(expectedDeviation(q, n)).toBeCloseTo(sum / 20_000, 2)
    }
  })

  it('grows with n, less each time: so the greedy split is the best one', () => {
    for (const q of [0.02, 0.1, 0.3, 0.5, 0.9])
      for (const step of [2, 4])
        for (let n = step; n + 2 * step <= 64; n += step) {
          const next = expectedDeviation(q, n + step) - expectedDeviation(q, n)
          expect(next).toBeGreaterThan(0)
          expect(expectedDeviation(q, n + 2 * step) - expectedDeviation(q, n + step)).toBeLessThan(next)
        }
  })

  it('goes on smoothly where it is taken from the moments', () => {
    expect(expectedDeviation(0.3, 65)).toBeCloseTo(expectedDeviation(0.3, 64), 2)
  })
})

it('steps are even and divide an even group size', () => {
  expect([2, 3, 4, 8, 12, 16, 18, 20, 64].map(sizeStep)).toEqual([2, 2, 2, 2, 2, 4, 2, 4, 16])
})
