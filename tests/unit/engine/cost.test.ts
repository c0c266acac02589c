import { describe, expect, it } from 'vitest'
import { relativeCosts } from '@/lib/engine/cost'
import { configIssues } from '@/lib/engine/issues'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { applyEntry, createScheduler, proposeBatch, type Scheduler } from '@/lib/engine/scheduler'
import { config, groupEntry, playRun, randomOf, sum, taskSetOf } from '@/tests/property/engine/random-run'

const ENVIRONMENTS = 4
const request = (size: number) => ({ size, groupSize: 8, policyVersion: 99, at: 0 })

/** Environment 0 takes eight times as long as the others. */
function slowWorld(weight: number, report: (e: number) => object): Scheduler {
  const set = taskSetOf({ tasks: 80, environments: ENVIRONMENTS, seed: 4 }, false)
  const weights = { ...config(ENVIRONMENTS).weights, cost: weight }
  const s = createScheduler(set, config(ENVIRONMENTS, { weights, uniformShare: 0 }), 'seed')
  const random = randomOf(1)
  for (let i = 0; i < 60; i++)
    applyEntry(s, groupEntry(s, i, null, 8, 2 + Math.floor(4 * random()), report(s.structure.environmentOf[i]!)))
  return s
}

const costs = (s: Scheduler) => relativeCosts(s.state, s.structure.environmentOf)
const seconds = (e: number) => ({ seconds: e === 0 ? 80 : 10 })

describe('expected cost', () => {
  it('is the mean over what is known, shrunk to the environment and the run', () => {
    const s = slowWorld(0, seconds)
    const { tasks, environments } = s.state
    const n = s.structure.tasks
    const total = environments.costSum.slice(0, ENVIRONMENTS).reduce((a, b) => a + b, 0)
    const all = total / environments.costWeight.slice(0, ENVIRONMENTS).reduce((a, b) => a + b, 0)
    for (const i of [0, 30, 79]) {
      const e = s.structure.environmentOf[i]!
      const here = (environments.costSum[e]! + 8 * all) / (environments.costWeight[e]! + 8)
      const own = (tasks.costSum[i]! + 8 * here) / (tasks.costWeight[i]! + 8)
      expect(costs(s)[i]!).toBeCloseTo(own / all, 12)
    }
    expect(tasks.costWeight[n - 1]).toBe(0)
  })

  it('takes tokens, then turns, where an environment reports no seconds, each beside its own mean', () => {
    const s = slowWorld(0, (e) => (e === 0 ? { turns: 6 } : e === 1 ? { tokens: 900, turns: 3 } : { seconds: 10 }))
    const of = (e: number) => costs(s)[s.structure.environmentOf.indexOf(e)]!
    expect(of(1)).toBeCloseTo(1, 9)
    expect(of(2)).toBeCloseTo(1, 9)
    expect(of(0)).toBeGreaterThan(1.1)
  })

  it('is 1 for all where nothing is reported, and no cost that is no number counts', () => {
    const s = slowWorld(1, (e) => ({ seconds: e === 0 ? Number.NaN : -1, tokens: Number.POSITIVE_INFINITY }))
    expect([...costs(s)].every((cost) => cost === 1)).toBe(true)
  })
})

describe('the cost weight', () => {
  it('divides the score by the relative cost to its power, and the terms still sum', () => {
    const plain = proposeBatch(slowWorld(0, seconds), request(40)).picks
    const half = slowWorld(0.5, seconds)
    const cost = costs(half)
    const picks = proposeBatch(half, request(40)).picks
    for (const { task, score, terms } of picks) {
      expect(sum(terms)).toBeCloseTo(score, 9)
      const before = terms.exploitation + terms.override + terms.coverage + terms.recency + terms.similarity
      expect(before + terms.cost).toBeCloseTo(before / cost[task]! ** 0.5, 9)
    }
    const slow = (of: typeof picks) => of.filter(({ task }) => half.structure.environmentOf[task] === 0).length
    expect(slow(picks)).toBeLessThan(slow(plain))
    expect(plain.every(({ facts }) => facts.relativeCost === null)).toBe(true)
  })

  it('says that cost kept a task out, and which weight would let it in', () => {
    const found = { rule: 0, change: 0 }
    for (let seed = 0; seed < 8; seed++) {
      const set = taskSetOf({ tasks: 120, environments: 6, seed }, false)
      const weights = { ...config(6).weights, cost: 0.1, coverage: 0, similarity: 0, recency: 0 }
      const s = createScheduler(set, config(6, { weights }), `seed ${seed}`)
      playRun(s, seed, { batches: 5, size: () => 12 })
      for (let i = 0; i < 120; i++) {
        applyEntry(s, groupEntry(s, i, null, 8, 3, { seconds: i % 6 === 0 ? 14 : 10 }))
      }
      for (const { task, rule, change } of proposeBatch(s, request(12)).leftOut) {
        if (rule === 'cost') found.rule++
        if (change?.setting !== 'cost') continue
        found.change++
        const draft: OverrideChange = { kind: 'weight', name: 'cost', value: change.needed! }
        const { picks } = proposeBatch(s, request(12), [{ change: draft, batches: null }], false)
        expect(picks.map((pick) => pick.task)).toContain(task)
      }
    }
    expect(found.rule).toBeGreaterThan(0)
    expect(found.change).toBeGreaterThan(0)
  })

  it('is refused outside 0 to 1', () => {
    const paths = (cost: number) =>
      configIssues(config(1, { weights: { ...config(1).weights, cost } })).map(({ path }) => path)
    expect(paths(1)).toEqual([])
    expect(paths(1.01)).toEqual(['weights.cost'])
    expect(paths(Number.NaN)).toEqual(['weights.cost'])
  })
})
