/* Every change that is shown is made for good, by an override, and the batch chosen again: the task is in; one tick short it is not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '@/lib/engine/decision'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { inForce } from '@/lib/engine/overrides'
import { applyEntry, cloneScheduler, createScheduler, proposeBatch, type Scheduler } from '@/lib/engine/scheduler'
import { config, playRun, taskSetOf } from '@/tests/property/engine/random-run'

const TICK = 0.01
const request = (size: number) => ({ size, groupSize: 8, policyVersion: 99, at: 0 })

/** What a person would do to make the change, to `value` instead of what it needs. */
function asOverride(s: Scheduler, task: number, change: Change, value: number): OverrideChange {
  const now = inForce(s.state, s.structure.environmentOf)
  switch (change.setting) {
    case 'uniform_share':
      return { kind: 'uniform_share', value }
    case 'upper_quota': {
      const environment = change.environment ?? -1
      return { kind: 'quota', environment, lower: now.quotas[environment]?.lower ?? 0, upper: value }
    }
    case 'ban': {
      const ban = s.state.overrides.find(({ change: one }) => one.kind === 'ban' && one.task === task)
      return { kind: 'lift', override: ban?.override ?? -1 }
    }
    case 'pause':
      return { kind: 'resume', environment: change.environment ?? -1 }
    default:
      return { kind: 'weight', name: change.setting, value }
  }
}

function picksWith(s: Scheduler, change: OverrideChange, size: number): number[] {
  const changed = cloneScheduler(s)
  applyEntry(changed, { kind: 'override', at: 0, override: 90_000, change, batches: null })
  return proposeBatch(changed, request(size), [], false).picks.map(({ task }) => task)
}

/** The value one tick nearer to the one in force; null where that is the one in force, or a switch. */
function oneTickLess({ setting, now, needed }: Change): number | null {
  if (setting === 'ban' || setting === 'pause' || now === null || needed === null) return null
  const value = Math.round((needed + (needed > now ? -TICK : TICK)) * 100) / 100
  return Math.abs(value - now) < TICK / 2 || value > now !== needed > now ? null : value
}

const scene = fc.record({
  tasks: fc.integer({ min: 40, max: 160 }),
  environments: fc.integer({ min: 2, max: 8 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  size: fc.integer({ min: 4, max: 16 }),
  banned: fc.array(fc.integer({ min: 0, max: 39 }), { maxLength: 6 }),
  held: fc.option(fc.integer({ min: 0, max: 1 })),
  upper: fc.option(fc.constantFrom(0, 0.05, 0.1, 0.333)),
  uniformShare: fc.constantFrom(0, 0.25, 0.3),
  /** batches after a person did something */
  later: fc.constantFrom(0, 1, 4),
})

describe('the change that a left-out task is shown with', () => {
  it('lets it in when it is made, and no tick less does', () => {
    const seen = new Map<string, number>()
    let short = 0
    fc.assert(
      fc.property(scene, ({ tasks, environments, seed, size, banned, held, upper, uniformShare, later }) => {
        const s = createScheduler(
          taskSetOf({ tasks, environments, seed }, false),
          config(environments, { uniformShare }),
          `seed ${seed}`,
        )
        playRun(s, seed, { batches: 4, size: () => size })
        const put = (override: number, change: OverrideChange) =>
          applyEntry(s, { kind: 'override', at: 0, override, change, batches: null })
        for (const [k, task] of [...new Set(banned)].entries()) put(10_000 + k, { kind: 'ban', task })
        if (held !== null) put(20_000, { kind: 'pause', environment: held, mode: 'hold' })
        if (upper !== null) put(30_000, { kind: 'quota', environment: environments - 1, lower: 0, upper })
        if (later > 0) playRun(s, seed + 1, { batches: later, size: () => size })
        const { leftOut, picks } = proposeBatch(s, request(size))
        for (const { task, change } of leftOut) {
          expect(picks.map((pick) => pick.task)).not.toContain(task)
          if (change === null || change.needed === null) continue
          seen.set(change.setting, (seen.get(change.setting) ?? 0) + 1)
          const said = `${change.setting} ${change.now} -> ${change.needed}`
          expect(picksWith(s, asOverride(s, task, change, change.needed), size), said).toContain(task)
          const less = oneTickLess(change)
          if (less === null) continue
          short += 1
          expect(picksWith(s, asOverride(s, task, change, less), size), `${said}, at ${less}`).not.toContain(task)
        }
      }),
      { numRuns: 40, seed: 11 },
    )
    // the law is no law where nothing was shown
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['ban', 'pause', 'upper_quota', 'similarity']))
    expect(short).toBeGreaterThan(20)
  })
})
