import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ARMS } from '@/lib/testbed/arms'
import { generateWorld, type WorldSpec } from '@/lib/testbed/generate-world'
import type { Group } from '@/lib/testbed/group'
import { grpoStep } from '@/lib/testbed/grpo'
import { makePolicy } from '@/lib/testbed/policy'
import { seededRandom } from '@/lib/testbed/random'
import { rollOut } from '@/lib/testbed/rollout'
import { schedulerInput } from '@/lib/testbed/scheduler'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { evaluate, successProbability } from '@/lib/testbed/success'
import { taskSetOf } from '@/lib/testbed/task-set'
import { train } from '@/lib/testbed/training'
import { makeWorld } from '@/lib/testbed/worlds'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const noise = fc.record({ share: unit, rate: fc.double({ min: 0, max: 0.4, noNaN: true }) })
const spec: fc.Arbitrary<WorldSpec> = fc.record({
  environments: fc.integer({ min: 1, max: 6 }),
  tasks: fc.integer({ min: 6, max: 40 }),
  heldOutPerEnvironment: fc.integer({ min: 1, max: 4 }),
  longestChain: fc.integer({ min: 1, max: 8 }),
  quirk: unit,
  broken: unit,
  gradedShare: unit,
  flip: noise,
  infraError: noise,
  verifierError: noise,
  slow: fc.record({ share: unit, factor: fc.double({ min: 1, max: 20, noNaN: true }) }),
  trap: fc.record({ share: unit, logit: fc.double({ min: -4, max: 2, noNaN: true }) }),
  start: fc.constant({ mean: 1.5, deviation: 2, environmentDeviation: 1.5 }),
  training: fc.constant({ batchSize: 4, groupSize: 4, learningRate: 4 }),
})
const seed = fc.integer({ min: 0, max: 2 ** 31 })

describe('a generated world', () => {
  it('has chains of 1 to 8 steps, correct tools that exist, and a task set that says the same', () => {
    fc.assert(
      fc.property(spec, seed, (numbers, s) => {
        const world = generateWorld('any', numbers, s)
        const told = taskSetOf(world)
        expect(world.tasks.length).toBe(numbers.tasks)
        expect(told.tasks.length).toBe(numbers.tasks)
        for (const [index, task] of world.tasks.entries()) {
          const environment = world.environments[task.environment]!
          expect(task.chain.length).toBeGreaterThanOrEqual(1)
          expect(task.chain.length).toBeLessThanOrEqual(numbers.longestChain)
          const shown = told.tasks[index]!
          expect(shown.tools.length).toBe(task.chain.length)
          const { tools, state, verifier } = told.environments[task.environment]!
          const known = new Set(tools.map((tool) => tool.name))
          expect(known.size).toBe(tools.length)
          expect([...shown.tools, ...environment.tools.map((tool) => tool.name)].every((name) => known.has(name))).toBe(
            true,
          )
          expect(shown.state.every((key) => state.includes(key))).toBe(true)
          expect(shown.checks.every((key) => verifier.checks.includes(key))).toBe(true)
          for (const [k, local] of task.chain.entries()) {
            const act = environment.tools[environment.correct[local]!]!.act
            expect(tools.find((tool) => tool.name === shown.tools[k])!.role).toBe(world.acts[act]!.role)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('is the same bytes for the same seed, and so is a training in it', () => {
    fc.assert(
      fc.property(spec, seed, (numbers, s) => {
        const once = generateWorld('any', numbers, s)
        expect(JSON.stringify(generateWorld('any', numbers, s))).toBe(JSON.stringify(once))
        const run = () =>
          train(once, uniform, { steps: 3, seed: s, policySeed: s + 1, stages: [2, 2], filtered: false })
        expect(JSON.stringify(run())).toBe(JSON.stringify(run()))
      }),
      { numRuns: 20 },
    )
  })
})

describe('a policy', () => {
  it('has rows that sum to 1 and success between 0 and 1, before and after training', () => {
    fc.assert(
      fc.property(spec, seed, (numbers, s) => {
        const world = generateWorld('any', numbers, s)
        const policy = makePolicy(world, s)
        const random = seededRandom(s)
        for (let step = 0; step < 2; step++) {
          for (const [e, environment] of world.environments.entries())
            for (let local = 0; local < environment.goals.length; local++) {
              const from = policy.offsets[e]! + local * environment.tools.length
              const row = policy.table.subarray(from, from + environment.tools.length)
              expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
              expect(Math.min(...row)).toBeGreaterThanOrEqual(0)
            }
          for (const task of world.tasks) {
            const p = successProbability(world, policy, task)
            expect(p >= 0 && p <= 1).toBe(true)
          }
          const groups = world.tasks.map((task, index) => ({
            task: index,
            rollouts: Array.from({ length: 4 }, () => rollOut(world, policy, task, random)),
          }))
          grpoStep(world, policy, groups, 4, groups.length)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('rolls out rewards inside the range, null exactly with an error status, costs above zero', () => {
    fc.assert(
      fc.property(spec, seed, (numbers, s) => {
        const world = generateWorld('any', numbers, s)
        world.environments[0]!.rewardRange = [-2, 3]
        const policy = makePolicy(world, s)
        const random = seededRandom(s)
        for (const task of world.tasks) {
          const { rewardRange, horizon } = world.environments[task.environment]!
          const rollout = rollOut(world, policy, task, random)
          const failed = rollout.status === 'infra_error' || rollout.status === 'verifier_error'
          expect(rollout.reward === null).toBe(failed)
          if (rollout.reward !== null) {
            expect(rollout.reward).toBeGreaterThanOrEqual(rewardRange[0])
            expect(rollout.reward).toBeLessThanOrEqual(rewardRange[1])
          }
          expect(rollout.turns).toBeGreaterThanOrEqual(1)
          expect(rollout.turns).toBeLessThanOrEqual(horizon)
          expect(rollout.tokens > 0 && rollout.seconds > 0).toBe(true)
          if (rollout.status === 'truncated') expect(rollout.turns).toBe(horizon)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('samples what the exact success probability says', () => {
    const world = makeWorld('small', 3)
    const policy = makePolicy(world, 4)
    const random = seededRandom(5)
    let expected = 0
    let counted = 0
    for (const task of world.tasks)
      for (let i = 0; i < 10; i++) {
        expected += successProbability(world, policy, task)
        counted += rollOut(world, policy, task, random).reward === 1 ? 1 : 0
      }
    // 12,000 draws: three standard errors are below 1.4 percent of the rate of one half, less elsewhere.
    expect(Math.abs(counted - expected) / (10 * world.tasks.length)).toBeLessThan(0.01)
  })

  it('is raised in expectation on the task it is trained on', () => {
    const world = makeWorld('small', 8)
    const random = seededRandom(9)
    let gain = 0
    let moved = 0
    for (const [index, task] of world.tasks.entries()) {
      if (index % 6 !== 0 || task.broken) continue
      const policy = makePolicy(world, 10)
      const before = successProbability(world, policy, task)
      const group: Group = {
        task: index,
        rollouts: Array.from({ length: 8 }, () => rollOut(world, policy, task, random)),
      }
      if (grpoStep(world, policy, [group], 0.5, 1) === 0) continue
      gain += successProbability(world, policy, task) - before
      moved++
    }
    expect(moved).toBeGreaterThan(20)
    expect(gain / moved).toBeGreaterThan(0.01)
  })
})

describe('schedulers', () => {
  for (const arm of ARMS.filter(({ name }) => !name.startsWith('envsched-')))
    it(`${arm.name} gives distinct tasks that exist, and a full list while there are enough`, () => {
      fc.assert(
        fc.property(spec, seed, (numbers, s) => {
          const world = generateWorld('any', numbers, s)
          const policy = makePolicy(world, s)
          const random = seededRandom(s)
          const input = schedulerInput(taskSetOf(world), world.training, seededRandom(s), s)
          const scheduler = arm.make(input, { world, policy })
          for (let step = 0; step < 4; step++) {
            const want = 1 + ((s + 7 * step) % 12)
            const picks = scheduler.next(step, want)
            expect(picks.length).toBe(Math.min(want, world.tasks.length))
            expect(new Set(picks).size).toBe(picks.length)
            expect(picks.every((task) => task >= 0 && task < world.tasks.length)).toBe(true)
            const groups = picks.map((task) => ({
              task,
              rollouts: Array.from({ length: 4 }, () => rollOut(world, policy, world.tasks[task]!, random)),
            }))
            scheduler.observe(step, groups)
          }
        }),
        { numRuns: 20 },
      )
    })

  it('visits every task once in an epoch of uniform choice', () => {
    const world = makeWorld('small', 2)
    const scheduler = uniform(schedulerInput(taskSetOf(world), world.training, seededRandom(1), 1))
    const seen = new Set<number>()
    for (let step = 0; step < 75; step++) for (const task of scheduler.next(step, 16)) seen.add(task)
    expect(seen.size).toBe(1200)
  })
})

describe('training', () => {
  it('never spends more than the budget with two-stage groups, and spends nearly all', () => {
    const world = makeWorld('small', 31)
    const result = train(world, uniform, { steps: 10, seed: 32, policySeed: 33, stages: [4, 4], filtered: false })
    expect(result.rollouts).toBeLessThanOrEqual(1280)
    expect(result.rollouts).toBeGreaterThan(1240)
  })

  it('scores without sampling: evaluating twice is the same and leaves the policy alone', () => {
    const world = makeWorld('small', 41)
    const policy = makePolicy(world, 42)
    const before = Float64Array.from(policy.table)
    expect(evaluate(world, policy)).toEqual(evaluate(world, policy))
    expect(policy.table).toEqual(before)
  })
})
