/* Each alarm is provoked by a run in the testbed in which exactly its trouble happens, and tells that environment. */
import { describe, expect, test } from 'vitest'
import { refreshPolicy } from '@/lib/testbed/policy'
import type { Rollout } from '@/lib/testbed/rollout'
import { type AlarmRun, firstRings, runAlarms } from '@/tests/support/alarm-run'
import { healthyWorld, withEnvironment } from '@/tests/support/alarm-worlds'

const world = healthyWorld(3)
const of = (task: number, ordinal: number) => world.tasks[task]?.environment === ordinal
const TARGET = 0.3

function rungBy(run: Partial<AlarmRun>) {
  const rung = runAlarms({ world, batches: 40, seed: 5, target: TARGET, ...run })
  const first = firstRings(rung)
  const sentence = (key: string) => first.get(key)?.ring.sentence ?? ''
  return { first, keys: [...first.keys()], sentence, last: rung.at(-1)?.rings.map((ring) => ring.key) ?? [] }
}

const lowerQuota =
  (environment: number, lower: number): NonNullable<AlarmRun['config']> =>
  (config) => ({
    ...config,
    quotas: config.quotas.map((quota, e) => (e === environment ? { lower, upper: 1 } : quota)),
  })

const failed = (rollouts: Rollout[]): Rollout[] =>
  rollouts.map((rollout) => ({ ...rollout, status: 'infra_error', reward: null, error: 'sandbox: out of disk' }))

describe('alarms that a run provokes', () => {
  test('starved: three tasks whose verifier always fails cannot fill a lower quota', () => {
    const starving = withEnvironment(world, 2, { verifierError: 1 }, 3)
    const { keys, sentence, first } = rungBy({
      world: starving,
      config: lowerQuota(2, 0.2),
    })
    expect(keys).toContain('starved:2')
    expect(keys.filter((key) => key.startsWith('starved'))).toEqual(['starved:2'])
    expect(sentence('starved:2')).toMatch(
      /^No picks for \d+ batches although its lower quota is 20 %, \d+ were due; 3 of its 3 tasks ended in verifier errors: repair the verifier/,
    )
    expect(first.get('starved:2')?.ring.ago).toBeGreaterThanOrEqual(6)
  })

  test('contract mismatch: an answer format that the policy does not know', () => {
    const { keys, sentence, first } = rungBy({ world: withEnvironment(world, 1, { contract: -9 }), batches: 20 })
    expect(keys).toEqual(['contract:1'])
    expect(first.get('contract:1')?.batch).toBeLessThanOrEqual(8)
    expect(sentence('contract:1')).toMatch(
      /^(\d+) of its last \1 rollouts carry an error text of the answer's format or the verifier and none paid/,
    )
  })

  test('failures in a row: a sandbox that breaks at batch 11, in one environment and in all', () => {
    const one = rungBy({ batches: 20, report: (step, task, r) => (step >= 10 && of(task, 0) ? failed(r) : r) })
    expect(one.keys.filter((key) => key.startsWith('failures'))).toEqual(['failures:0'])
    expect(one.first.get('failures:0')?.batch).toBeGreaterThan(10)
    expect(one.sentence('failures:0')).toMatch(
      /(have no trusted rollout|batches failed), most with infra_error: repair it or pause it\.$/,
    )
    const all = rungBy({ batches: 14, report: (step, _task, r) => (step >= 10 ? failed(r) : r) })
    expect(all.first.get('failures')?.batch).toBe(11)
    expect(all.keys.filter((key) => key.startsWith('failures:'))).toEqual([])
    expect(all.sentence('failures')).toMatch(/^The last \d+ groups \(\d+ rollouts of \d environments\) have no trusted/)
  })

  test('waste: everything is solved from the start', () => {
    const solved = { ...world, environments: world.environments.map((one) => ({ ...one, skill: 9 })) }
    const { keys, sentence, first } = rungBy({ world: solved, batches: 24 })
    expect(keys).toContain('waste')
    expect(first.get('waste')?.batch).toBe(20)
    expect(sentence('waste')).toMatch(
      /under the target of 30 %; \d+ were all solved and 0 all failed: add harder tasks/,
    )
  })

  test('leases expire: two of five picks never come back', () => {
    const { keys, sentence, first } = rungBy({ batches: 12, report: (_step, task, r) => (task % 5 < 2 ? null : r) })
    expect(keys.filter((key) => !key.startsWith('starved'))).toEqual(['leases'])
    expect(first.get('leases')?.batch).toBeLessThanOrEqual(3)
    expect(sentence('leases')).toMatch(/^\d+ of \d+ picks \(\d+ %\) of the last \d+ batch/)
  })

  test('drift: where every rollout of a group is a copy of the first one, in an environment that must be picked', () => {
    const copies = (rollouts: Rollout[]) => rollouts.map(() => rollouts[0]).flatMap((rollout) => rollout ?? [])
    const { keys, sentence } = rungBy({
      batches: 30,
      config: lowerQuota(4, 0.3),
      report: (step, task, r) => (step >= 8 && of(task, 4) ? copies(r) : r),
    })
    expect(keys).toContain('drift:4')
    expect(sentence('drift:4')).toMatch(/^Predicted variance 0\.[12]\d\d, realised 0\.0\d\d over \d+ groups/)
  })

  test('forgetting: an environment that was solved loses its skill', () => {
    const easy = withEnvironment(world, 5, { skill: 6 })
    const { keys, sentence, first } = rungBy({
      world: easy,
      batches: 70,
      meddle: (step, policy) => {
        if (step < 30) return
        const environment = easy.environments[5]
        const start = policy.offsets[5] ?? 0
        for (const [local, tool] of (environment?.correct ?? []).entries())
          policy.own[start + local * (environment?.tools.length ?? 0) + tool] = -6
        refreshPolicy(easy, policy)
      },
    })
    expect(keys.filter((key) => key.startsWith('forgetting'))).toEqual(['forgetting:5'])
    expect(first.get('forgetting:5')?.batch).toBeGreaterThan(31)
    expect(sentence('forgetting:5')).toMatch(
      /fell from \d+ % \(at least \d+ %\) at batch \d+ to \d+ % \(at most \d+ %\)/,
    )
  })

  test('variance that never falls: a verifier that flips three rewards in ten', () => {
    const { keys, sentence } = rungBy({ world: withEnvironment(world, 3, { flip: 0.3 }), batches: 60 })
    expect(keys.filter((key) => key.startsWith('noisy'))).toEqual(['noisy_verifier:3'])
    expect(sentence('noisy_verifier:3')).toMatch(/its variance stayed above 0\.[12]\d,/)
  })

  test('self-lock: one task whose verifier never pays among solved ones', () => {
    const [locked] = world.tasks.flatMap((task, index) => (task.environment === 1 ? [index] : []))
    const trapped = {
      ...withEnvironment(world, 1, { skill: 6 }),
      tasks: world.tasks.map((task, index) => (index === locked ? { ...task, broken: true } : task)),
    }
    const { keys, sentence } = rungBy({ world: trapped, batches: 80 })
    expect(keys.filter((key) => key.startsWith('self_lock'))).toEqual(['self_lock:1'])
    expect(sentence('self_lock:1')).toContain(world.tasks[locked ?? -1]?.key)
  })
})
