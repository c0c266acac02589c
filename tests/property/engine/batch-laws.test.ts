import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SCHEDULERS } from '@/lib/engine/config'
import type { BatchDecision } from '@/lib/engine/decision'
import { inForce } from '@/lib/engine/overrides'
import { blockedTasks } from '@/lib/engine/proposal'
import { createScheduler, encodeScheduler, proposeBatch, type Scheduler } from '@/lib/engine/scheduler'
import { BLOCKED } from '@/lib/engine/select'
import { config, playRun, randomOf, sameBytes, setShape, sum, taskSetOf } from '@/tests/property/engine/random-run'

const run = fc.record({
  shape: setShape,
  scheduler: fc.constantFrom('envsched', 'envsched', ...SCHEDULERS),
  seed: fc.integer({ min: 0, max: 1e6 }),
  size: fc.integer({ min: 0, max: 40 }),
  batches: fc.integer({ min: 1, max: 8 }),
})

/** Picks that could be given at most: free and waiting tasks, within what each environment runs at once. */
function capacity(s: Scheduler): { most: number; blocked: Uint8Array } {
  const { structure, state, set } = s
  const now = inForce(state, structure.environmentOf)
  const blocked = blockedTasks({ state, environmentOf: structure.environmentOf } as never, now)
  const free = new Array<number>(structure.environments).fill(0)
  blocked.forEach((rule, i) => {
    if (rule === BLOCKED.free || rule === BLOCKED.waiting) free[structure.environmentOf[i]!]!++
  })
  const most = free.reduce((total, count, e) => {
    const limit = set.environments[e]!.maxConcurrent ?? Number.POSITIVE_INFINITY
    return total + Math.min(count, Math.max(0, limit - state.environments.leased[e]!))
  }, 0)
  return { most, blocked }
}

function checkBatch(s: Scheduler, decision: BatchDecision, size: number): void {
  const { structure, state, set } = s
  const { most, blocked } = capacity(s)
  const tasks = decision.picks.map(({ task }) => task)
  expect(new Set(tasks).size).toBe(tasks.length)
  expect(tasks.length).toBe(Math.min(size, most))
  const leased = state.environments.leased.slice()
  for (const { task, terms, score, shares, prediction, reason, runnerUp } of decision.picks) {
    expect(blocked[task] === BLOCKED.free || blocked[task] === BLOCKED.waiting).toBe(true)
    leased[structure.environmentOf[task]!]!++
    expect(Math.abs(sum(terms) - score)).toBeLessThan(1e-9)
    expect(Math.abs(sum(shares) - prediction.predictedVariance)).toBeLessThan(1e-6)
    expect(reason.length).toBeGreaterThan(10)
    expect(reason.length).toBeLessThanOrEqual(66)
    expect(reason).not.toMatch(/NaN|undefined|null|Infinity/)
    if (runnerUp !== null) expect(decision.leftOut[runnerUp]).toBeDefined()
  }
  set.environments.forEach(({ maxConcurrent }, e) => {
    if (maxConcurrent !== null) expect(leased[e]).toBeLessThanOrEqual(maxConcurrent)
  })
  for (const { task, terms, score, change } of decision.leftOut) {
    expect(tasks).not.toContain(task)
    expect(Math.abs(sum(terms) - score)).toBeLessThan(1e-9)
    if (change !== null) expect(change.needed).not.toBe(change.now)
  }
  const scoredIn = (e: number) =>
    decision.picks.some(({ slot, task }) => slot === 'score' && structure.environmentOf[task] === e)
  const over = decision.quotas.some(
    ({ picks, used, window, upper, environment }) =>
      scoredIn(environment) && used + picks > Math.ceil(upper * (window + size) - 1e-9),
  )
  if (over) expect(decision.notes.join(' ')).toMatch(/upper quota/)
  expect(decision.predictedVariance.length).toBe(structure.tasks)
}

describe('every batch of a random run', () => {
  it('has no duplicate, is full when it can be, keeps the rules, adds up', () => {
    fc.assert(
      fc.property(run, ({ shape, scheduler, seed, size, batches }) => {
        const s = createScheduler(taskSetOf(shape), config(shape.environments, { scheduler }), `seed ${seed}`)
        const random = randomOf(seed)
        playRun(s, seed, {
          batches,
          size: () => (random() < 0.3 ? Math.floor(60 * random()) : size),
          steering: 0.5,
          silent: 0.3,
          explain: true,
          seen: (decision, asked) => checkBatch(s, decision, asked),
        })
      }),
      { numRuns: 40 },
    )
  })

  it('is proposed without touching the scheduler', () => {
    fc.assert(
      fc.property(run, ({ shape, scheduler, seed, size, batches }) => {
        const s = createScheduler(taskSetOf(shape), config(shape.environments, { scheduler }), `seed ${seed}`)
        playRun(s, seed, { batches, size: () => size, steering: 0.5, silent: 0.2 })
        const before = encodeScheduler(s)
        const request = { size, groupSize: 8, policyVersion: batches + 1, at: 0 }
        const first = proposeBatch(s, request)
        const draft = [{ change: { kind: 'uniform_share', value: 0.9 } as const, batches: 2 }]
        proposeBatch(s, request, draft)
        expect(sameBytes(encodeScheduler(s), before)).toBe(true)
        expect(proposeBatch(s, request)).toEqual(first)
      }),
      { numRuns: 20 },
    )
  })
})
