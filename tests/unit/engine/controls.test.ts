import { describe, expect, it } from 'vitest'
import { envBanditScores } from '@/lib/engine/controls/env-bandit'
import { envThenTaskScores } from '@/lib/engine/controls/env-then-task'
import { acceptanceCorrection, largestRemainder } from '@/lib/engine/quota'
import { applyEntry, createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import { config, groupEntry, playRun, randomOf, taskSetOf } from '@/tests/property/engine/random-run'

describe('the environment bandit', () => {
  it('draws environments in proportion to .02 and their informative share', () => {
    const random = randomOf(4)
    const environmentOf = Int32Array.from({ length: 400 }, (_, i) => i % 2)
    const tried = Float64Array.of(9, 9)
    const informative = Float64Array.of(8.5, 0.5)
    let rich = 0
    const draws = 3000
    for (let k = 0; k < draws; k++) {
      const column = () => Float64Array.from(environmentOf, random)
      const scores = envBanditScores({ environmentOf, tried, informative, order: column(), waiting: column() })
      const best = scores.indexOf(Math.max(...scores))
      rich += environmentOf[best] === 0 ? 1 : 0
    }
    const expected = (0.02 + 0.9) / (0.02 + 0.9 + 0.02 + 0.1)
    expect(Math.abs(rich / draws - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / draws))
  })
})

describe('the environment-then-task average', () => {
  it('shrinks a task to its environment, and an environment to all', () => {
    const zero = new Float64Array(3)
    const scores = envThenTaskScores({
      environmentOf: Int32Array.of(0, 0, 1),
      task: { mass: Float64Array.of(3.5, 0, 0), value: Float64Array.of(3.5 * 0.25, 0, 0) },
      environment: { mass: Float64Array.of(3.5, 0), value: Float64Array.of(3.5 * 0.25, 0) },
      all: { mass: 3.5, value: 3.5 * 0.25 },
      tie: zero,
    })
    const all = (0.875 + 0.4) / 7.5
    const first = (0.875 + 4 * all) / 7.5
    const bonus = (mass: number) => 0.05 / Math.sqrt(1 + mass)
    expect(scores[0]).toBeCloseTo((0.875 + 1.5 * first) / 5 + 2 * bonus(3.5), 12)
    expect(scores[1]).toBeCloseTo(first + bonus(3.5) + bonus(0), 12)
    expect(scores[2]).toBeCloseTo(all + 2 * bonus(0), 12)
  })
})

describe('control schedulers', () => {
  it('keep bans, leases and slots, and put their own score into exploitation', () => {
    for (const scheduler of ['env-then-task', 'env-then-task-protected', 'env-bandit'] as const) {
      const s = createScheduler(
        taskSetOf({ tasks: 80, environments: 5, seed: 3 }, false),
        config(5, { scheduler }),
        'seed',
      )
      playRun(s, 3, { batches: 4, size: () => 8 })
      applyEntry(s, { kind: 'override', at: 0, override: 1, change: { kind: 'ban', task: 7 }, batches: null })
      const { picks } = proposeBatch(s, { size: 40, groupSize: 8, policyVersion: 9, at: 0 })
      expect(picks.length).toBe(40)
      expect(picks.map(({ task }) => task)).not.toContain(7)
      expect(picks.filter(({ slot }) => slot === 'uniform').length).toBe(
        scheduler === 'env-then-task-protected' ? 10 : 0,
      )
      for (const { terms, score } of picks)
        expect(terms).toEqual({
          exploitation: score,
          coverage: 0,
          recency: 0,
          similarity: 0,
          quota: 0,
          override: 0,
          cost: 0,
        })
    }
  })

  it('prefer the headroom when protected', () => {
    const first = (scheduler: 'env-then-task' | 'env-then-task-protected') => {
      const s = createScheduler(
        taskSetOf({ tasks: 20, environments: 2, seed: 3 }, false),
        config(2, { scheduler, uniformShare: 0 }),
        'seed',
      )
      for (let k = 0; k < 3; k++) {
        applyEntry(s, groupEntry(s, 0, null, 8, 4))
        applyEntry(s, groupEntry(s, 1, null, 8, 3))
      }
      const { picks } = proposeBatch(s, { size: 20, groupSize: 8, policyVersion: 9, at: 0 })
      return picks.findIndex(({ task }) => task === 0) < picks.findIndex(({ task }) => task === 1)
    }
    expect(first('env-then-task')).toBe(true)
    expect(first('env-then-task-protected')).toBe(false)
  })
})

describe('quota arithmetic', () => {
  it('splits slots by largest remainder, never over what can be taken', () => {
    expect([...largestRemainder(Float64Array.of(1.5, 2.5, 2), Int32Array.of(9, 9, 9), 3)]).toEqual([1, 1, 1])
    expect([...largestRemainder(Float64Array.of(0.2, 5.8), Int32Array.of(9, 9), 3)]).toEqual([0, 3])
    expect([...largestRemainder(Float64Array.of(4, 4), Int32Array.of(1, 9), 5)]).toEqual([1, 3])
    expect([...largestRemainder(Float64Array.of(0, -0, -2), Int32Array.of(9, 9, 9), 5)]).toEqual([0, 0, 0])
  })

  it('corrects for what does not come back, at most 1.5 times', () => {
    expect(acceptanceCorrection(20, 0)).toBe(1)
    expect(acceptanceCorrection(0, 100)).toBe(1.5)
    expect(acceptanceCorrection(16, 6)).toBeCloseTo(1.25, 12)
  })
})
