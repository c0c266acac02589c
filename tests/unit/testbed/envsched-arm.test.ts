import { describe, expect, it } from 'vitest'
import { armsNamed } from '@/lib/testbed/arms'
import { generateWorld } from '@/lib/testbed/generate-world'
import { seededRandom } from '@/lib/testbed/random'
import type { Rollout } from '@/lib/testbed/rollout'
import { schedulerInput } from '@/lib/testbed/scheduler'
import { envsched } from '@/lib/testbed/schedulers/envsched'
import { taskSetOf } from '@/lib/testbed/task-set'
import { train } from '@/lib/testbed/training'
import { makeWorld } from '@/lib/testbed/worlds'

const never = { share: 0, rate: 0 }
const world = generateWorld(
  'ten',
  {
    environments: 10,
    tasks: 200,
    heldOutPerEnvironment: 4,
    longestChain: 8,
    quirk: 0.25,
    broken: 0.05,
    gradedShare: 0.1,
    flip: never,
    infraError: { share: 0.2, rate: 0.1 },
    verifierError: never,
    slow: { share: 0, factor: 1 },
    trap: { share: 0, logit: 0 },
    start: { mean: 1.5, deviation: 2, environmentDeviation: 1.5 },
    training: { batchSize: 8, groupSize: 8, learningRate: 8 },
  },
  12,
)
/** Four rollouts, half of them solved where told so, else none. */
const rollouts = (halfSolved: boolean): Rollout[] =>
  Array.from({ length: 4 }, (_, i) => ({
    status: 'ok',
    reward: halfSolved && i < 2 ? 1 : 0,
    actions: [0],
    formatMet: null,
    tools: ['get_order'],
    turns: 1,
    tokens: 100,
    seconds: 1,
    error: null,
  }))
const options = { steps: 20, seed: 13, policySeed: 14, stages: [4, 4] as const, filtered: false }
const run = (name: string, steps = options.steps) => train(world, armsNamed(name)[0]!.make, { ...options, steps })

describe('the engine as an arm', () => {
  it('is the same to the bit for the same seed, and spends the budget', () => {
    const once = run('envsched')
    expect(run('envsched', 5).curve).toEqual(once.curve.slice(0, 6))
    expect(once.rollouts).toBeLessThanOrEqual(20 * 64)
    expect(once.rollouts).toBeGreaterThan(19 * 64)
  })

  it('finds more informative groups than uniform choice, and reaches every environment', () => {
    const [engine, uniform] = [run('envsched'), run('uniform')]
    expect(engine.informativeShare).toBeGreaterThan(uniform.informativeShare + 0.03)
    expect(engine.picks.filter((count) => count > 0).length).toBe(10)
  })

  it('may take more of an environment than its cap in the arm without quota', () => {
    const input = schedulerInput(taskSetOf(world), world.training, seededRandom(5), 5)
    const most = (uncapped: boolean) => {
      const scheduler = envsched(input, { uncapped })
      const picked = Array.from({ length: 10 }, (_, step) => {
        const picks = scheduler.next(step, 8)
        expect(new Set(picks).size).toBe(8)
        scheduler.observe(
          step,
          picks.map((task) => ({ task, rollouts: rollouts(world.tasks[task]!.environment === 0) })),
        )
        const counts = new Array<number>(10).fill(0)
        for (const task of picks) counts[world.tasks[task]!.environment]!++
        return Math.max(...counts)
      })
      return Math.max(...picked)
    }
    // Two of 8 are uniform, and may be of one environment beside the two that the cap leaves.
    expect(most(false)).toBeLessThanOrEqual(4)
    expect(most(true)).toBeGreaterThan(most(false))
  })

  it('does otherwise without either relation: both reach it', () => {
    const whole = run('envsched', 4).curve
    for (const name of ['envsched-no-within', 'envsched-no-cross', 'envsched-no-graph', 'envsched-placebo'])
      expect(run(name, 4).curve, name).not.toEqual(whole)
  })
})

describe('the options as arms', () => {
  it('adaptive sizes spend the rollouts of fixed ones, in groups that differ', () => {
    const of = (name: string) =>
      train(world, armsNamed(name)[0]!.make, { ...options, stages: null, informativeSize: 4 })
    const [adaptive, fixed] = [of('envsched-adaptive-groups'), of('envsched')]
    expect(adaptive.rollouts).toBe(20 * 64)
    expect(fixed.rollouts).toBe(20 * 64)
    expect(adaptive.curve).not.toEqual(fixed.curve)
  })

  it('counting cost spends fewer seconds a rollout where environments differ in it', () => {
    const slow = makeWorld('slow', 3)
    const of = (name: string) =>
      train(slow, armsNamed(name)[0]!.make, { ...options, steps: 12, seed: 53, policySeed: 1003 })
    const [aware, blind] = [of('envsched-cost-aware'), of('envsched')]
    expect(aware.seconds[12]! / aware.rollouts).toBeLessThan((0.85 * blind.seconds[12]!) / blind.rollouts)
    expect(aware.seconds.every((value, step) => step === 0 || value > aware.seconds[step - 1]!)).toBe(true)
  })
})

describe('armsNamed', () => {
  it('knows core, all and lists, and names what it does not know', () => {
    expect(armsNamed('core').map((arm) => arm.name)).toEqual([
      'uniform',
      'env-then-task',
      'env-then-task-protected',
      'envsched',
      'oracle',
    ])
    expect(armsNamed('all').length).toBeGreaterThan(15)
    expect(armsNamed('plr, mopps').map((arm) => arm.name)).toEqual(['plr', 'mopps'])
    expect(() => armsNamed('luck')).toThrow('luck')
  })
})
