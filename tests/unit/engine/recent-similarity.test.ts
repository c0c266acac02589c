import { expect, it } from 'vitest'
import { applyEntry, createScheduler, proposeBatch, type Scheduler } from '@/lib/engine/scheduler'
import { similarity } from '@/lib/engine/structure'
import { config, groupEntry, taskSetOf } from '@/tests/property/engine/random-run'

/** Issues and answers a batch of exactly these tasks. */
function played(s: Scheduler, b: number, tasks: number[]) {
  const picks = tasks.map((task, k) => ({ task, slot: 'score' as const, lease: 100 * b + k }))
  applyEntry(s, { kind: 'batch', batch: b, at: b, policyVersion: b, groupSize: 8, picks })
  for (const { task, lease } of picks) applyEntry(s, groupEntry(s, task, lease, 8, 4))
}

it('counts likeness to the last two batches, less with age, and none to older ones', () => {
  const set = taskSetOf({ tasks: 60, environments: 4, seed: 3 }, false)
  const s = createScheduler(set, config(4, { uniformShare: 0 }), 'seed')
  const between = (i: number, j: number) => similarity(s.structure, Math.min(i, j), Math.max(i, j))
  const nearest = (to: number[]) => Math.max(...to.map((j) => between(watched, j)))
  const all = Array.from({ length: 60 }, (_, i) => i)
  const pairs = all.flatMap((i) => all.filter((j) => j > i).map((j) => ({ i, j, like: between(i, j) })))
  const { i: watched, j: source } = pairs.reduce((best, pair) => (pair.like > best.like ? pair : best))
  const unlike = all
    .filter((i) => i !== watched && i !== source)
    .sort((a, b) => between(a, watched) - between(b, watched))
  const first = [source, ...unlike.slice(8, 11)]
  /** What is taken off the watched task, over the weight and what it is taken off of. */
  const likeness = (): number => {
    const pin = { change: { kind: 'pin', task: watched } as const, batches: null }
    const { picks } = proposeBatch(s, { size: 1, groupSize: 8, policyVersion: 99, at: 0 }, [pin], false)
    const { task, terms } = picks[0]!
    expect(task).toBe(watched)
    return -terms.similarity / (terms.exploitation + terms.coverage + terms.override + terms.recency) / 0.3
  }
  const share = (age: number) => 0.5 * Math.exp(-age / 3)
  expect(likeness()).toBeCloseTo(0, 12)
  played(s, 1, first)
  expect(nearest([source])).toBeGreaterThan(0.2)
  expect(likeness()).toBeCloseTo(share(1) * nearest(first), 9)
  played(s, 2, unlike.slice(0, 4))
  expect(likeness()).toBeCloseTo(Math.max(share(2) * nearest(first), share(1) * nearest(unlike.slice(0, 4))), 9)
  played(s, 3, unlike.slice(4, 8))
  const left = Math.max(share(2) * nearest(unlike.slice(0, 4)), share(1) * nearest(unlike.slice(4, 8)))
  expect(likeness()).toBeCloseTo(left, 9)
  expect(left).toBeLessThan(share(3) * nearest([source]))
})
