import { describe, expect, it } from 'vitest'
import { armsNamed } from '@/lib/testbed/arms'
import { generateWorld } from '@/lib/testbed/generate-world'
import { train } from '@/lib/testbed/training'

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

  it('does otherwise without either relation: both reach it', () => {
    const whole = run('envsched', 4).curve
    for (const name of ['envsched-no-within', 'envsched-no-cross', 'envsched-no-graph', 'envsched-placebo'])
      expect(run(name, 4).curve, name).not.toEqual(whole)
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
