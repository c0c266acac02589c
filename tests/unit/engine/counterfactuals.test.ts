import { describe, expect, it } from 'vitest'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import { config, playRun, taskSetOf } from '@/tests/property/engine/random-run'

const request = (size: number) => ({ size, groupSize: 8, policyVersion: 99, at: 0 })

/** The change of a left-out entry as a draft. */
function draftOf(change: { setting: string; needed: number | null; environment: number | null }): OverrideChange {
  const value = change.needed!
  switch (change.setting) {
    case 'uniform_share':
      return { kind: 'uniform_share', value }
    case 'upper_quota':
      return { kind: 'quota', environment: change.environment!, lower: 0, upper: value }
    case 'ban':
      return { kind: 'lift', override: 1 }
    case 'pause':
      return { kind: 'resume', environment: change.environment! }
    default:
      return { kind: 'weight', name: change.setting as 'similarity', value }
  }
}

describe('the smallest change that lets a left-out task in', () => {
  it('does so when it is drafted', () => {
    const seen = new Map<string, number>()
    for (let seed = 0; seed < 12; seed++) {
      const s = createScheduler(taskSetOf({ tasks: 120, environments: 6, seed }, false), config(6), `seed ${seed}`)
      playRun(s, seed, { batches: 6, size: () => 12 })
      const { leftOut } = proposeBatch(s, request(12))
      expect(leftOut.length).toBeGreaterThan(3)
      for (const { task, change } of leftOut) {
        if (change === null) continue
        const { picks } = proposeBatch(s, request(12), [{ change: draftOf(change), batches: null }], false)
        expect(
          picks.map((pick) => pick.task),
          change.setting,
        ).toContain(task)
        seen.set(change.setting, (seen.get(change.setting) ?? 0) + 1)
      }
    }
    expect([...seen.values()].reduce((a, b) => a + b, 0)).toBeGreaterThan(15)
    expect(seen.size).toBeGreaterThan(1)
  })

  it('names the ban and the pause that keep the best task out', () => {
    const s = createScheduler(
      taskSetOf({ tasks: 60, environments: 4, seed: 2 }, false),
      config(4, { uniformShare: 0 }),
      'seed',
    )
    playRun(s, 2, { batches: 5, size: () => 8 })
    const { picks } = proposeBatch(s, request(8))
    const listed = picks.filter(({ task }) => {
      const banned = proposeBatch(s, request(8), [{ change: { kind: 'ban', task }, batches: null }])
      const entry = banned.leftOut.find((one) => one.task === task)
      if (entry === undefined) return false
      expect(entry).toMatchObject({
        rule: 'banned',
        change: { setting: 'ban', now: 1, needed: 0, environment: null },
      })
      return true
    })
    expect(listed.length).toBeGreaterThan(0)
    const environment = s.structure.environmentOf[listed[0]!.task]!
    const paused = proposeBatch(s, request(8), [
      { change: { kind: 'pause', environment, mode: 'hold' }, batches: null },
    ])
    expect(paused.leftOut.find(({ task }) => s.structure.environmentOf[task] === environment)).toMatchObject({
      rule: 'paused',
      change: { setting: 'pause', now: 1, needed: 0, environment },
    })
  })

  it('raises an upper quota to the least share that lets the task in', () => {
    const s = createScheduler(
      taskSetOf({ tasks: 60, environments: 3, seed: 2 }, false),
      config(3, { uniformShare: 0 }),
      'seed',
    )
    playRun(s, 2, { batches: 2, size: () => 10 })
    const draft = [{ change: { kind: 'quota' as const, environment: 0, lower: 0, upper: 0.1 }, batches: null }]
    const { leftOut, picks } = proposeBatch(s, request(10), draft)
    expect(picks.filter(({ task }) => s.structure.environmentOf[task] === 0).length).toBe(1)
    const entry = leftOut.find(({ rule }) => rule === 'upper_quota')
    expect(entry!.change).toMatchObject({ setting: 'upper_quota', environment: 0, now: 0.1 })
    const needed = entry!.change!.needed!
    const picked = (upper: number) => {
      const change = { kind: 'quota' as const, environment: 0, lower: 0, upper }
      return proposeBatch(s, request(10), [{ change, batches: null }], false).picks.map(({ task }) => task)
    }
    expect(needed).toBeGreaterThan(0.1)
    expect(picked(needed)).toContain(entry!.task)
    expect(picked(needed - 0.01)).not.toContain(entry!.task)
  })
})
