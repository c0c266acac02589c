import { describe, expect, it } from 'vitest'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { applyEntry, createScheduler, proposeBatch, type Scheduler, viewOf } from '@/lib/engine/scheduler'
import { config, groupEntry, taskSetOf } from '@/tests/property/engine/random-run'

let lease = 0

function make(tasks = 40, environments = 4): Scheduler {
  return createScheduler(
    taskSetOf({ tasks, environments, seed: 9 }, false),
    config(environments, { uniformShare: 0 }),
    'seed',
  )
}

function put(s: Scheduler, override: number, change: OverrideChange, batches: number | null = null): void {
  applyEntry(s, { kind: 'override', at: 0, override, change, batches })
}

/** Proposes, issues and answers one batch; the tasks it had. */
function batch(s: Scheduler, size = 8, answer = true): number[] {
  const { picks } = proposeBatch(s, { size, groupSize: 8, policyVersion: 1, at: 0 })
  const leased = picks.map(({ task, slot }) => ({ task, slot, lease: ++lease }))
  applyEntry(s, {
    kind: 'batch',
    batch: s.state.totals.batch + 1,
    at: 0,
    policyVersion: 1,
    groupSize: 8,
    picks: leased,
  })
  if (answer) for (const one of leased) applyEntry(s, groupEntry(s, one.task, one.lease, 8, one.task % 9))
  return picks.map(({ task }) => task)
}

describe('overrides', () => {
  it('hold for their batches and then let the earlier one hold again', () => {
    const s = make()
    put(s, 1, { kind: 'weight', name: 'coverage', value: 0.5 })
    put(s, 2, { kind: 'weight', name: 'coverage', value: 2 }, 2)
    expect(viewOf(s).config.weights.coverage).toBe(2)
    batch(s)
    expect(viewOf(s).overrides.map(({ override, batchesLeft }) => [override, batchesLeft])).toEqual([
      [1, null],
      [2, 1],
    ])
    batch(s)
    expect(viewOf(s).config.weights.coverage).toBe(0.5)
    put(s, 3, { kind: 'lift', override: 1 })
    expect(viewOf(s).config.weights.coverage).toBe(1)
    expect(viewOf(s).overrides).toEqual([])
  })

  it('count a shorter batch as the share of a typical one that it is', () => {
    const s = make()
    batch(s, 10)
    put(s, 1, { kind: 'ban', task: 0 }, 2)
    batch(s, 5)
    const [left] = viewOf(s).overrides
    expect(left!.batchesLeft).toBeGreaterThan(1)
    expect(left!.batchesLeft).toBeLessThan(2)
  })

  it('pin a task into every batch, but a ban is stronger', () => {
    const s = make()
    put(s, 1, { kind: 'pin', task: 17 })
    for (let k = 0; k < 3; k++) expect(batch(s)[0]).toBe(17)
    put(s, 2, { kind: 'ban', task: 17 })
    expect(batch(s)).not.toContain(17)
    expect(proposeBatch(s, { size: 8, groupSize: 8, policyVersion: 1, at: 0 }).notes).toEqual([
      '1 task both pinned and banned: the ban holds.',
    ])
    put(s, 3, { kind: 'lift', override: 2 })
    expect(batch(s)[0]).toBe(17)
  })

  it('pause an environment until it is resumed, and say how long', () => {
    const s = make()
    put(s, 1, { kind: 'pause', environment: 2, mode: 'hold' }, 5)
    const inside = () => batch(s, 20).filter((task) => s.structure.environmentOf[task] === 2).length
    expect(inside()).toBe(0)
    expect(viewOf(s).environments[2]).toMatchObject({ pause: 'hold', pauseLeft: 4 })
    put(s, 2, { kind: 'resume', environment: 2 })
    expect(viewOf(s).environments[2]).toMatchObject({ pause: null, pauseLeft: null })
    expect(inside()).toBeGreaterThan(0)
  })

  it('boost what is scored, and show it as the term it is', () => {
    const s = make()
    put(s, 1, { kind: 'boost', task: null, environment: 3, factor: 4 })
    const { picks } = proposeBatch(s, { size: 8, groupSize: 8, policyVersion: 1, at: 0 })
    const boosted = picks.filter(({ task }) => s.structure.environmentOf[task] === 3)
    expect(boosted.length).toBeGreaterThanOrEqual(4)
    for (const { terms, reason } of boosted) {
      expect(terms.override).toBeCloseTo(3 * terms.exploitation, 12)
      expect(reason).toMatch(/^Boosted by hand/)
    }
  })

  it('start the window of a changed quota anew', () => {
    const s = make()
    for (let k = 0; k < 4; k++) batch(s)
    expect(viewOf(s).environments[0]!.window).toBe(32)
    put(s, 1, { kind: 'quota', environment: 0, lower: 0, upper: 0.1 })
    expect(viewOf(s).environments.map(({ window }) => window)).toEqual([0, 32, 32, 32])
    for (let k = 0; k < 4; k++) batch(s)
    const { used, window } = viewOf(s).environments[0]!
    expect(window).toBe(32)
    expect(used).toBeLessThanOrEqual(4)
  })

  it('say what a lower quota asks for when its environment has not enough free tasks', () => {
    const s = make(40, 4)
    const inside = [...s.structure.tasksOf[1]!]
    inside.slice(2).forEach((task, k) => {
      put(s, k + 1, { kind: 'ban', task })
    })
    put(s, 100, { kind: 'quota', environment: 1, lower: 0.5, upper: 1 })
    const { picks, notes } = proposeBatch(s, { size: 16, groupSize: 8, policyVersion: 1, at: 0 })
    expect(picks.filter(({ task }) => s.structure.environmentOf[task] === 1).length).toBe(2)
    expect(picks.length).toBe(16)
    expect(notes).toEqual(['environment 1: 50 % needs 8 picks, only 2 of its tasks are free now.'])
  })
})

describe('tasks without a trusted rollout', () => {
  it('wait 2, 4, 8 batches after the third such group, and come back', () => {
    const s = make(12, 1)
    const dry = () => {
      applyEntry(s, {
        kind: 'batch',
        batch: s.state.totals.batch + 1,
        at: 0,
        policyVersion: 1,
        groupSize: 8,
        picks: [{ task: 3, slot: 'score', lease: ++lease }],
      })
      applyEntry(s, groupEntry(s, 3, lease, 0, 0, { untrusted: 8 }))
      return viewOf(s).tasks.waiting[3]
    }
    expect([dry(), dry(), dry(), dry(), dry()]).toEqual([0, 0, 2, 4, 8])
    for (let k = 0; k < 3; k++) expect(batch(s, 6)).not.toContain(3)
    applyEntry(s, groupEntry(s, 3, null, 8, 4))
    expect(viewOf(s).tasks.waiting[3]).toBe(0)
  })

  it('lower the score by the expected trusted share', () => {
    const s = make()
    const before = viewOf(s).tasks.trustedShare
    expect(before.every((share) => share === 1)).toBe(true)
    applyEntry(s, groupEntry(s, 5, null, 4, 2, { untrusted: 4 }))
    const after = viewOf(s).tasks.trustedShare
    expect(after[5]).toBeLessThan(0.85)
    expect(after[5]).toBeGreaterThan(0.5)
    const { picks, leftOut } = proposeBatch(s, { size: 40, groupSize: 8, policyVersion: 1, at: 0 })
    expect([...picks, ...leftOut].find(({ task }) => task === 5)!.terms.cost).toBeLessThan(0)
  })

  it('are used when nothing else is free', () => {
    const s = make(4, 1)
    for (let k = 0; k < 3; k++) applyEntry(s, groupEntry(s, 2, null, 0, 0, { untrusted: 8 }))
    expect(batch(s, 3, false)).not.toContain(2)
    const { picks, notes } = proposeBatch(s, { size: 1, groupSize: 8, policyVersion: 1, at: 0 })
    expect(picks.map(({ task }) => task)).toEqual([2])
    expect(notes).toEqual(['Tasks that wait after untrusted groups were used: nothing else was free.'])
  })
})

describe('leases', () => {
  it('free their task and their place in the window when they end', () => {
    const s = make()
    const [first] = batch(s, 8, false)
    expect(viewOf(s).tasks.leased[first!]).toBe(1)
    const used = () => viewOf(s).environments.reduce((sum, one) => sum + one.used, 0)
    expect(used()).toBe(8)
    applyEntry(s, { kind: 'lease_end', at: 0, lease: lease - 7, reason: 'expired' })
    expect(viewOf(s).tasks.leased[first!]).toBe(0)
    expect(used()).toBe(7)
    applyEntry(s, groupEntry(s, first!, lease - 7, 8, 4, { late: true }))
    expect(viewOf(s).tasks.groups[first!]).toBe(1)
  })

  it('cost a task nothing when it is given back', () => {
    const s = createScheduler(taskSetOf({ tasks: 40, environments: 4, seed: 9 }, false), config(4), 'seed')
    const before = proposeBatch(s, { size: 8, groupSize: 8, policyVersion: 1, at: 0 }).picks
    const leased = before.map(({ task, slot }, k) => ({ task, slot, lease: 9000 + k }))
    applyEntry(s, { kind: 'batch', batch: 1, at: 0, policyVersion: 1, groupSize: 8, picks: leased })
    for (const one of leased) applyEntry(s, { kind: 'lease_end', at: 0, lease: one.lease, reason: 'released' })
    expect([...s.state.tasks.lastClock].every((clock) => clock === -1)).toBe(true)
    expect([...s.state.tasks.drawn].every((drawn) => drawn === 0)).toBe(true)
    expect(s.state.totals.uniformCredit).toBe(0)
    const again = proposeBatch(s, { size: 8, groupSize: 8, policyVersion: 1, at: 0 }).picks
    const uniform = (picks: typeof before) => picks.filter(({ slot }) => slot === 'uniform').map(({ task }) => task)
    expect(uniform(again)).toEqual(uniform(before))
  })
})
