import { describe, expect, it } from 'vitest'
import { reportOf } from '@/lib/cli/demo-trainer-report'
import { checkResults } from '@/lib/testbed/check-results'
import { makePolicy } from '@/lib/testbed/policy'
import { seededRandom } from '@/lib/testbed/random'
import { rollOut } from '@/lib/testbed/rollout'
import { taskSetOf } from '@/lib/testbed/task-set'
import { transcriptOf } from '@/lib/testbed/transcript'
import { makeWorld } from '@/lib/testbed/worlds'

describe.each(['demo', 'noisy'])('rollouts of the world %s', (name) => {
  const world = makeWorld(name, 5)
  const policy = makePolicy(world, 5)
  const random = seededRandom(5)
  const taskSet = taskSetOf(world)
  const rollouts = world.tasks.flatMap((task, index) =>
    Array.from({ length: 6 }, () => ({ task, index, rollout: rollOut(world, policy, task, random) })),
  )

  it('have checks that agree with the reward, whatever the verifier does', () => {
    let failed = 0
    let passed = 0
    for (const { task, index, rollout } of rollouts) {
      const checks = checkResults(world, index, rollout)
      if (rollout.reward === null) {
        expect(checks).toEqual([])
        continue
      }
      const environment = world.environments[task.environment]!
      const [low, high] = environment.rewardRange
      const share = (rollout.reward - low) / (high - low)
      const steps = checks.filter(({ name: check }) => check !== 'answer format').map(({ value }) => value)
      const isFormatMissed = checks.some(({ name: check, value }) => check === 'answer format' && value === 0)
      if (environment.graded && !isFormatMissed)
        expect(steps.reduce((sum, value) => sum + value, 0) / steps.length).toBeCloseTo(share, 9)
      else expect(share).toBe(checks.every(({ value }) => value === 1) ? 1 : 0)
      if (share === 0) failed += 1
      if (share === 1) passed += 1
    }
    expect(Math.min(failed, passed)).toBeGreaterThan(10)
  })

  it('name their checks as the task does, each once', () => {
    for (const { index, rollout } of rollouts) {
      const names = checkResults(world, index, rollout).map((check) => check.name)
      expect(new Set(names).size).toBe(names.length)
      const known = taskSet.tasks[index]?.checks ?? []
      for (const one of names)
        expect(one === 'answer format' || known.some((check) => one.startsWith(check)), one).toBe(true)
    }
  })

  it('have calls that take less than the rollout, and as many turns as the transcript', () => {
    for (const { index, rollout } of rollouts) {
      const messages = transcriptOf(world, index, rollout)
      const calls = messages.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0)
      expect(calls).toBeLessThan(Math.round(rollout.seconds * 100) / 100)
      const report = reportOf(world, taskSet, { lease: null, task: index, groupSize: 6 }, 0, 0, rollout)
      expect(report).toMatchObject({ turns: messages.filter(({ role }) => role === 'assistant').length })
    }
  })
})
