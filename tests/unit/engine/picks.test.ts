import { describe, expect, it } from 'vitest'
import { applyEntry, createScheduler, decodeScheduler, encodeScheduler, type Scheduler } from '@/lib/engine/scheduler'
import { typicalBatch } from '@/lib/engine/state'
import { config, groupEntry, taskSetOf } from '@/tests/property/engine/random-run'

const set = taskSetOf({ tasks: 60, environments: 4, seed: 5 }, false)
const fresh = () => createScheduler(set, config(4, { uniformShare: 0.25, windowPicks: 30 }), 'seed')

let lease = 0
const batch = (s: Scheduler, number: number, tasks: number[], more?: true) =>
  applyEntry(s, {
    kind: 'batch',
    batch: number,
    at: 0,
    policyVersion: number,
    groupSize: 4,
    picks: tasks.map((task) => ({ task, slot: 'score', lease: ++lease })),
    ...(more === undefined ? {} : { more }),
  })
const from = (start: number, count: number) => Array.from({ length: count }, (_, k) => (start + k) % 60)

describe('further picks of a batch', () => {
  it('make it larger instead of being one: number, typical size and time are those of a batch that had them at once', () => {
    const [parts, whole] = [fresh(), fresh()]
    for (let number = 1; number <= 6; number++) {
      batch(parts, number, from(7 * number, 12))
      batch(parts, number, from(7 * number + 20, 3), true)
      batch(parts, number, from(7 * number + 30, 1), true)
      batch(whole, number, [...from(7 * number, 12), ...from(7 * number + 20, 3), ...from(7 * number + 30, 1)])
    }
    const [a, b] = [parts.state.totals, whole.state.totals]
    expect([a.batch, a.picks]).toEqual([b.batch, b.picks])
    expect(a.requestPicks).toBeCloseTo(b.requestPicks, 9)
    expect(typicalBatch(a)).toBeCloseTo(16, 9)
    // a batch is thought as large as those before it until its further picks come
    expect(Math.abs(a.clock - b.clock)).toBeLessThan(0.5)
    expect(parts.state.window).toHaveLength(30)
    expect([...parts.state.tasks.leased]).toEqual([...whole.state.tasks.leased])
  })
})

describe('shares', () => {
  const shares = (s: Scheduler, number: number, uniform: number[]) =>
    applyEntry(s, { kind: 'shares', batch: number, at: 0, policyVersion: number, groupSize: 8, size: 8, uniform })
  const rolled = (s: Scheduler, task: number) => applyEntry(s, groupEntry(s, task, null, 8, 4, { underShares: true }))

  it('count nothing until a group comes; then it is a pick that was never leased', () => {
    const s = fresh()
    shares(s, 1, [3, 9])
    expect(s.state.totals).toMatchObject({ batch: 1, picks: 0, clock: 0, requestPicks: 8, uniformCredit: 0 })
    expect(s.state.window).toEqual([])
    for (const task of [0, 0, 5, 1, 2, 6, 7, 8]) rolled(s, task)
    const { totals, tasks, window, environments, leases } = s.state
    expect([totals.picks, tasks.picks[0], tasks.leased[0], leases.size]).toEqual([8, 2, 0, 0])
    expect(totals.clock).toBeCloseTo(1, 9)
    expect(window.map(({ environment }) => environment)).toEqual(
      [0, 0, 5, 1, 2, 6, 7, 8].map((task) => s.structure.environmentOf[task]),
    )
    expect([...environments.picks].reduce((sum, count) => sum + count, 0)).toBe(8)
    expect([...encodeScheduler(decodeScheduler(set, encodeScheduler(s)))]).toEqual([...encodeScheduler(s)])
  })

  it('a group that nobody had shares for counts as evidence alone; nonsense changes nothing that matters', () => {
    const s = fresh()
    applyEntry(s, groupEntry(s, 4, null, 8, 4, {}))
    expect([s.state.totals.picks, s.state.window.length, s.state.totals.groups]).toEqual([0, 0, 1])
    shares(s, 1, [-1, 9999, Number.NaN, 2, 2])
    expect(s.state.tasks.drawn[2]).toBe(1)
    applyEntry(s, { kind: 'shares', batch: 2, at: 0, policyVersion: 1, groupSize: 8, size: Number.NaN, uniform: [] })
    expect(s.state.totals).toMatchObject({ batch: 2, requestPicks: 8 })
  })
})
