/* decided.md 13: ban, hold, lease; full batch; pin; upper quota; lower quota; score. Each against the next, and drain. */
import { describe, expect, test } from 'vitest'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { applyEntry, createScheduler, proposeBatch, type Scheduler, viewOf } from '@/lib/engine/scheduler'
import { config, playRun, taskSetOf } from '@/tests/property/engine/random-run'

const SIZE = 8

function make(uniformShare = 0): Scheduler {
  const set = taskSetOf({ tasks: 60, environments: 4, seed: 9 }, false)
  const s = createScheduler(set, config(4, { uniformShare }), 'seed')
  playRun(s, 9, { batches: 3, size: () => SIZE })
  return s
}

let number = 0
function put(s: Scheduler, ...changes: OverrideChange[]): void {
  for (const change of changes) {
    number += 1
    applyEntry(s, { kind: 'override', at: 0, override: number, change, batches: null })
  }
}

const next = (s: Scheduler, size = SIZE) => proposeBatch(s, { size, groupSize: 8, policyVersion: 9, at: 0 })
const tasksOf = (s: Scheduler, size = SIZE) => next(s, size).picks.map(({ task }) => task)
const inside = (s: Scheduler, e: number, size = SIZE) =>
  tasksOf(s, size).filter((task) => s.structure.environmentOf[task] === e).length
/** A task that nothing would choose. */
const worst = (s: Scheduler, e: number) => [...s.structure.tasksOf[e]!].find((task) => !tasksOf(s).includes(task))!

describe('precedence', () => {
  test('a ban, a hold and a lease are stronger than a pin', () => {
    const s = make()
    const [a, b, c] = [worst(s, 0), worst(s, 1), worst(s, 2)]
    put(s, ...[a, b, c].map((task) => ({ kind: 'pin' as const, task })))
    expect(tasksOf(s).slice(0, 3).sort()).toEqual([a, b, c].sort())
    put(s, { kind: 'ban', task: a }, { kind: 'pause', environment: 1, mode: 'hold' })
    applyEntry(s, {
      kind: 'batch',
      batch: s.state.totals.batch + 1,
      at: 0,
      policyVersion: 9,
      groupSize: 8,
      picks: [{ task: c, slot: 'pin', lease: 77_000 }],
    })
    const picks = tasksOf(s)
    for (const task of [a, b, c]) expect(picks).not.toContain(task)
    expect(picks).toHaveLength(SIZE)
  })

  test('and stronger than a full batch: what is banned or held is never used to fill one', () => {
    const s = make()
    put(s, ...[1, 2, 3].map((environment) => ({ kind: 'pause' as const, environment, mode: 'hold' as const })))
    const free = s.structure.tasksOf[0]!.length
    expect(tasksOf(s, 60)).toHaveLength(free)
    expect(next(s, 60).notes[0]).toMatch(/asked for, only/)
    put(s, { kind: 'ban', task: s.structure.tasksOf[0]![0]! })
    expect(tasksOf(s, 60)).toHaveLength(free - 1)
  })

  test('drain keeps new picks out as hold does, and its open leases are gone once they are ended', () => {
    const s = make()
    const task = s.structure.tasksOf[2]![0]!
    const picks = [{ task, slot: 'score' as const, lease: 78_000 }]
    applyEntry(s, { kind: 'batch', batch: s.state.totals.batch + 1, at: 0, policyVersion: 9, groupSize: 8, picks })
    put(s, { kind: 'pause', environment: 2, mode: 'drain' })
    expect(inside(s, 2)).toBe(0)
    expect(viewOf(s).environments[2]).toMatchObject({ pause: 'drain', leased: 1 })
    applyEntry(s, { kind: 'lease_end', at: 0, lease: 78_000, reason: 'drained' })
    expect(viewOf(s).environments[2]).toMatchObject({ pause: 'drain', leased: 0 })
    put(s, { kind: 'resume', environment: 2 })
    expect(inside(s, 2, 40)).toBeGreaterThan(0)
  })

  test('a full batch is stronger than an upper quota, and the batch says so', () => {
    const s = make()
    put(s, { kind: 'quota', environment: 0, lower: 0, upper: 0.1 })
    expect(inside(s, 0)).toBeLessThanOrEqual(1)
    put(s, ...[1, 2, 3].map((environment) => ({ kind: 'pause' as const, environment, mode: 'hold' as const })))
    expect(inside(s, 0)).toBe(SIZE)
    expect(next(s).notes.join(' ')).toMatch(/goes over its upper quota of 10 %/)
    expect(next(s).quotas[0]?.state).toBe('relaxed')
  })

  test('a pin is stronger than an upper quota, and a uniform slot, too; both count in it', () => {
    const s = make()
    put(s, { kind: 'quota', environment: 0, lower: 0, upper: 0 })
    expect(inside(s, 0)).toBe(0)
    const task = worst(s, 0)
    put(s, { kind: 'pin', task })
    expect(tasksOf(s)[0]).toBe(task)
    expect(next(s).quotas[0]?.picks).toBe(1)
    const uniform = make(1)
    put(uniform, { kind: 'quota', environment: 0, lower: 0, upper: 0 })
    expect(next(uniform, 60).quotas[0]?.picks).toBe(inside(uniform, 0, 60))
    expect(inside(uniform, 0, 60)).toBeGreaterThan(0)
  })

  test('an upper quota is stronger than a lower one of another environment and than any boost', () => {
    const s = make()
    put(
      s,
      { kind: 'quota', environment: 0, lower: 0, upper: 0.125 },
      { kind: 'quota', environment: 1, lower: 0.5, upper: 1 },
    )
    put(s, { kind: 'boost', task: null, environment: 0, factor: 4 })
    expect(inside(s, 0)).toBe(1)
    expect(inside(s, 1)).toBe(SIZE / 2)
  })

  test('a lower quota is stronger than scores, and a boost of nothing does not undo it', () => {
    const s = make()
    put(
      s,
      { kind: 'boost', task: null, environment: 3, factor: 0 },
      { kind: 'quota', environment: 3, lower: 0.5, upper: 1 },
    )
    expect(inside(s, 3)).toBeGreaterThanOrEqual(SIZE / 2)
  })

  test('more pins than a batch has room for take turns', () => {
    const s = make()
    const pinned = [...s.structure.tasksOf[0]!].slice(0, 6)
    put(s, ...pinned.map((task) => ({ kind: 'pin' as const, task })))
    const first = tasksOf(s, 4)
    expect(first.every((task) => pinned.includes(task))).toBe(true)
    const picks = first.map((task, k) => ({ task, slot: 'pin' as const, lease: 79_000 + k }))
    applyEntry(s, { kind: 'batch', batch: s.state.totals.batch + 1, at: 0, policyVersion: 9, groupSize: 8, picks })
    for (const { lease } of picks) applyEntry(s, { kind: 'lease_end', at: 0, lease, reason: 'expired' })
    const second = tasksOf(s, 4)
    expect(pinned.every((task) => first.includes(task) || second.includes(task))).toBe(true)
  })
})
