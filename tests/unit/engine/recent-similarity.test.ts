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
  const others = Array.from({ length: 60 }, (_, i) => i).filter((i) => i > 3)
  const watched = others.reduce((best, i) => (between(i, 0) > between(best, 0) ? i : best))
  const unlike = others.filter((i) => i !== watched).sort((a, b) => between(a, watched) - between(b, watched))
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
  played(s, 1, [0, 1, 2, 3])
  expect(nearest([0])).toBeGreaterThan(0.2)
  expect(likeness()).toBeCloseTo(share(1) * nearest([0, 1, 2, 3]), 9)
  played(s, 2, unlike.slice(0, 4))
  expect(likeness()).toBeCloseTo(Math.max(share(2) * nearest([0, 1, 2, 3]), share(1) * nearest(unlike.slice(0, 4))), 9)
  played(s, 3, unlike.slice(4, 8))
  const left = Math.max(share(2) * nearest(unlike.slice(0, 4)), share(1) * nearest(unlike.slice(4, 8)))
  expect(likeness()).toBeCloseTo(left, 9)
  expect(left).toBeLessThan(share(3) * nearest([0]))
})
