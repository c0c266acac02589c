import { describe, expect, it } from 'vitest'
import { SCHEDULERS } from '@/lib/engine/config'
import { configIssues } from '@/lib/engine/issues'
import {
  applyEntry,
  changeIssues,
  createScheduler,
  decodeScheduler,
  encodeScheduler,
  evidence,
  predictions,
  proposeBatch,
  viewOf,
} from '@/lib/engine/scheduler'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import { config, groupEntry, sum, taskSetOf } from '@/tests/property/engine/random-run'

const request = (size: number) => ({ size, groupSize: 8, policyVersion: 1, at: 0 })

function twins(count: number): EngineTaskSet {
  const [environment] = taskSetOf({ tasks: 0, environments: 1, seed: 1 }, false).environments
  const task = { environment: 0, text: null, tools: ['tool 0'], state: [], checks: [] }
  return {
    environments: [environment!],
    tasks: Array.from({ length: count }, (_, i) => ({ ...task, key: `twin ${i}` })),
  }
}

describe('a scheduler at its edges', () => {
  it('answers an empty task set with an empty batch and a note', () => {
    for (const scheduler of SCHEDULERS) {
      const s = createScheduler({ environments: [], tasks: [] }, config(0, { scheduler }), 'seed')
      const decision = proposeBatch(s, request(4))
      expect(decision.picks).toEqual([])
      expect(decision.notes).toEqual(['4 picks were asked for, only 0 tasks could be given.'])
      expect(Object.values(predictions(s, 8)).map(({ length }) => length)).toEqual([0, 0, 0, 0])
      expect(viewOf(s).of).toEqual({ environments: 0, tasks: 0, patterns: 0 })
      expect(encodeScheduler(decodeScheduler(s.set, encodeScheduler(s)))).toEqual(encodeScheduler(s))
    }
  })

  it('gives one task once, and nothing while it is out', () => {
    const s = createScheduler(twins(1), config(1), 'seed')
    expect(proposeBatch(s, request(3)).picks.map(({ task }) => task)).toEqual([0])
    applyEntry(s, {
      kind: 'batch',
      batch: 1,
      at: 0,
      policyVersion: 1,
      groupSize: 8,
      picks: [{ task: 0, slot: 'score', lease: 1 }],
    })
    const { picks, notes } = proposeBatch(s, request(1))
    expect(picks).toEqual([])
    expect(notes).toEqual(['1 pick was asked for, only 0 tasks could be given (1 leased).'])
  })

  it('passes over counts too large to be added up, and scores on', () => {
    const s = createScheduler(twins(4), config(1), 'seed')
    for (let k = 0; k < 5; k++) {
      applyEntry(s, groupEntry(s, 0, null, 8, 4, { trusted: 1e308 }))
      applyEntry(s, groupEntry(s, 0, null, 8, 4, { untrusted: 1e308 }))
    }
    for (const { score, terms } of proposeBatch(s, request(4)).picks) {
      expect(Number.isFinite(score)).toBe(true)
      expect(sum(terms)).toBeCloseTo(score, 6)
    }
  })

  it('parts tasks that are all equal by the seed alone', () => {
    const order = (seed: string) =>
      proposeBatch(createScheduler(twins(40), config(1), seed), request(10)).picks.map(({ task }) => task)
    expect(order('a')).toEqual(order('a'))
    expect(order('a')).not.toEqual(order('b'))
  })

  it('takes any size as the whole number it holds', () => {
    const s = createScheduler(twins(5), config(1), 'seed')
    for (const [size, given] of [
      [0, 0],
      [-0, 0],
      [-3, 0],
      [2.9, 2],
      [Number.NaN, 0],
      [Number.POSITIVE_INFINITY, 0],
      [99, 5],
    ] as const)
      expect(proposeBatch(s, request(size)).picks.length, String(size)).toBe(given)
  })

  it('goes down the ladder when the field is broken, and says why', () => {
    const s = createScheduler(taskSetOf({ tasks: 30, environments: 3, seed: 5 }, false), config(3), 'seed')
    applyEntry(s, groupEntry(s, 0, null, 8, 4))
    const rung = () => {
      const { fallback, picks } = proposeBatch(s, request(6))
      expect(picks.length).toBe(6)
      for (const { terms, score, shares, prediction } of picks) {
        expect(Math.abs(sum(terms) - score)).toBeLessThan(1e-9)
        expect(Math.abs(sum(shares) - prediction.predictedVariance)).toBeLessThan(1e-9)
      }
      return fallback.rung
    }
    expect(rung()).toBe('full')
    for (const field of s.models.fields) field.mean.fill(Number.NaN)
    expect(proposeBatch(s, request(6)).fallback.why).toMatch(/field/)
    expect(rung()).toBe('no_cross')
    s.state.tasks.mass.fill(Number.NaN)
    expect(rung()).toBe('environment_means')
    s.state.environments.mass.fill(Number.NaN)
    expect(rung()).toBe('uniform')
    expect(proposeBatch(s, request(6)).picks.every(({ slot }) => slot === 'uniform')).toBe(true)
  })

  it('answers for one task with evidence that adds up', () => {
    const s = createScheduler(taskSetOf({ tasks: 30, environments: 3, seed: 5 }, false), config(3), 'seed')
    for (let i = 0; i < 30; i++) applyEntry(s, groupEntry(s, i, null, 8, i % 9))
    const { shares, prediction, contributions } = evidence(s, 3, 8)
    expect(Math.abs(sum(shares) - prediction.predictedVariance)).toBeLessThan(1e-6)
    expect(contributions.length).toBeGreaterThan(0)
  })

  it('refuses bytes of another task set', () => {
    const s = createScheduler(twins(5), config(1), 'seed')
    expect(() => decodeScheduler(twins(6), encodeScheduler(s))).toThrow(RangeError)
    expect(() => decodeScheduler(twins(5), new Uint8Array(12))).toThrow('These bytes are not a scheduler state.')
  })
})

describe('what is refused', () => {
  const good = config(2)
  const paths = (change: Partial<typeof good>) => configIssues({ ...good, ...change }).map(({ path }) => path)

  it('only what is impossible', () => {
    expect(configIssues(good)).toEqual([])
    expect(paths({ uniformShare: Number.NaN })).toEqual(['uniformShare'])
    expect(paths({ uniformShare: -0 })).toEqual([])
    expect(paths({ weights: { ...good.weights, headroom: 3.01, recency: Number.POSITIVE_INFINITY } })).toEqual([
      'weights.recency',
      'weights.headroom',
    ])
    expect(paths({ windowPicks: 0 })).toEqual(['windowPicks'])
    expect(paths({ quotas: [{ lower: 0.5, upper: 0.4 }, null] })).toEqual(['quotas.0'])
    expect(
      paths({
        quotas: [
          { lower: 0.7, upper: 1 },
          { lower: 0.7, upper: 1 },
        ],
      }),
    ).toEqual(['quotas'])
    expect(
      paths({
        quotas: [
          { lower: 0, upper: 0.4 },
          { lower: 0, upper: 0.5 },
        ],
      }),
    ).toEqual(['quotas'])
    expect(paths({ quotas: [{ lower: Number.NaN, upper: 0.5 }, null] })).toEqual(['quotas.0.lower'])
    expect(paths({ quotas: [{ lower: 0, upper: 0 }, null] })).toEqual([])
  })

  it('a change by what is in force', () => {
    const s = createScheduler(taskSetOf({ tasks: 4, environments: 2, seed: 1 }), config(2), 'seed')
    applyEntry(s, {
      kind: 'override',
      at: 0,
      override: 7,
      change: { kind: 'quota', environment: 0, lower: 0.7, upper: 1 },
      batches: null,
    })
    const messages = (change: Parameters<typeof changeIssues>[1]) =>
      changeIssues(s, change).map(({ message }) => message)
    expect(messages({ kind: 'quota', environment: 1, lower: 0.4, upper: 1 })).toEqual([
      'Lower quotas come to 110 %; bring their sum to 100 % or less.',
    ])
    expect(messages({ kind: 'quota', environment: 1, lower: 0.3, upper: 1 })).toEqual([])
    expect(messages({ kind: 'ban', task: 4 })).toEqual(['There is no task 4; choose one of 4.'])
    expect(messages({ kind: 'boost', task: null, environment: null, factor: 5 })).toHaveLength(2)
    expect(messages({ kind: 'lift', override: 7 })).toEqual([])
    expect(messages({ kind: 'lift', override: 8 })).toEqual(['Override 8 is not in force; nothing is lifted.'])
  })
})
