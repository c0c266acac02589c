import { describe, expect, it } from 'vitest'
import { demoQuotas, demoTroubles } from '@/lib/testbed/demo-world'
import { type Group, isInformative } from '@/lib/testbed/group'
import { grpoStep } from '@/lib/testbed/grpo'
import { makePolicy } from '@/lib/testbed/policy'
import { seededRandom } from '@/lib/testbed/random'
import { type Rollout, rollOut } from '@/lib/testbed/rollout'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { successProbability } from '@/lib/testbed/success'
import { taskSetOf } from '@/lib/testbed/task-set'
import { train } from '@/lib/testbed/training'
import { makeWorld } from '@/lib/testbed/worlds'

const SEED = 5
const world = makeWorld('demo', SEED)
const troubles = demoTroubles()
const indexOf = (key: string) => world.environments.findIndex((environment) => environment.key === key)

/** One group of 8 on every task of every environment, by the starting policy. */
function firstGroups() {
  const policy = makePolicy(world, SEED)
  const random = seededRandom(SEED)
  const groups: Group[] = world.tasks.map((task, index) => ({
    task: index,
    rollouts: Array.from({ length: 8 }, () => rollOut(world, policy, task, random)),
  }))
  const byEnvironment = new Map<string, Group[]>()
  for (const group of groups) {
    const { key } = world.environments[world.tasks[group.task]!.environment]!
    byEnvironment.set(key, [...(byEnvironment.get(key) ?? []), group])
  }
  return { policy, byEnvironment }
}

const share = (rollouts: Rollout[], fits: (rollout: Rollout) => boolean) =>
  rollouts.filter(fits).length / rollouts.length

describe('the demo world', () => {
  const { policy, byEnvironment } = firstGroups()
  const rolloutsOf = (key: string) => (byEnvironment.get(key) ?? []).flatMap((group) => group.rollouts)
  const others = world.environments.map(({ key }) => key).filter((key) => !Object.values(troubles).includes(key))

  it('has ten to twelve environments and about 600 tasks', () => {
    expect(world.environments.length).toBe(12)
    expect(world.tasks.length).toBeGreaterThan(550)
    expect(world.tasks.length).toBeLessThan(650)
    expect(new Set(world.tasks.map((task) => task.key)).size).toBe(world.tasks.length)
    expect(others.length).toBe(7)
  })

  it('starves one environment: few tasks, and its verifier fails on nearly all rollouts', () => {
    expect(share(rolloutsOf(troubles.starved), (r) => r.status === 'verifier_error')).toBeGreaterThan(0.9)
    const tasks = byEnvironment.get(troubles.starved) ?? []
    const without = tasks.filter((group) => group.rollouts.every((rollout) => rollout.reward === null))
    expect(without.length).toBeGreaterThan(0)
    const quota = demoQuotas()[troubles.starved]!
    // A task is picked at most once a batch, so even all of its tasks in every batch fall short of the quota.
    expect(tasks.length).toBeLessThan(quota.lower * world.training.batchSize)
    for (const key of others) expect(share(rolloutsOf(key), (r) => r.status === 'verifier_error')).toBe(0)
  })

  it('saturates one environment from the start', () => {
    const mean = share(rolloutsOf(troubles.saturated), (r) => r.reward === 1)
    const informative = (byEnvironment.get(troubles.saturated) ?? []).filter((group) => isInformative(group, 8))
    expect(mean).toBeGreaterThan(0.95)
    expect(informative.length).toBeLessThan(15)
    for (const key of others) expect(share(rolloutsOf(key), (r) => r.reward === 1)).toBeLessThan(0.8)
  })

  it('makes one environment flaky: wrong rollouts are paid and right ones are not', () => {
    const index = indexOf(troubles.flaky)
    const environment = world.environments[index]!
    const wrong = (byEnvironment.get(troubles.flaky) ?? []).flatMap(({ task, rollouts }) => {
      const { chain } = world.tasks[task]!
      return rollouts
        .filter((r) => r.reward !== null)
        .map((r) => {
          const solved = r.actions.length === chain.length && r.actions.at(-1) === environment.correct[chain.at(-1)!]
          return (r.reward === 1) !== solved
        })
    })
    const rate = wrong.filter(Boolean).length / wrong.length
    expect(rate).toBeGreaterThan(0.24)
    expect(rate).toBeLessThan(0.36)
  })

  it('makes one environment slow', () => {
    const seconds = (key: string) => rolloutsOf(key).reduce((sum, r) => sum + r.seconds, 0) / rolloutsOf(key).length
    const slowest = Math.max(...others.map(seconds))
    expect(seconds(troubles.slow)).toBeGreaterThan(5 * slowest)
  })

  it('breaks one environment: first groups are all zero with a format error', () => {
    const rollouts = rolloutsOf(troubles.broken).filter((r) => r.reward !== null)
    expect(share(rollouts, (r) => r.reward === 0)).toBeGreaterThan(0.98)
    expect(share(rollouts, (r) => r.error?.startsWith('format:') === true)).toBeGreaterThan(0.98)
    const task = world.tasks.find((candidate) => candidate.environment === indexOf(troubles.broken))!
    expect(successProbability(world, policy, task)).toBeLessThan(0.01)
  })

  it('leaves 50 to 85 percent of the groups uninformative over a run of 60 uniform steps, and learns', () => {
    const result = train(world, uniform, { steps: 60, seed: 1, policySeed: 2, stages: null, filtered: false })
    expect(result.informativeShare).toBeGreaterThan(0.15)
    expect(result.informativeShare).toBeLessThan(0.5)
    expect(result.curve[60]! - result.curve[0]!).toBeGreaterThan(0.15)
  })

  it('tells a scheduler nothing of its troubles', () => {
    const told = JSON.stringify(taskSetOf(world))
    for (const word of [...Object.keys(troubles), 'skill', 'flip', 'contract']) expect(told).not.toContain(`"${word}"`)
  })

  it('keeps the saturated environment out of the gradient', () => {
    const group = (byEnvironment.get(troubles.saturated) ?? []).find((candidate) => !isInformative(candidate, 8))!
    const before = Float64Array.from(policy.own)
    expect(grpoStep(world, policy, [group], 8, 1)).toBe(0)
    expect(policy.own).toEqual(before)
  })
})
