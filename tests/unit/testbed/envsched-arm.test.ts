import { describe, expect, it } from 'vitest'
import { armsNamed } from '@/lib/testbed/arms'
import { train } from '@/lib/testbed/training'
import { makeWorld } from '@/lib/testbed/worlds'

const world = makeWorld('small', 12)
const options = { steps: 15, seed: 13, policySeed: 14, stages: [4, 4] as const, filtered: false }
const run = (name: string, steps = options.steps) => train(world, armsNamed(name)[0]!.make, { ...options, steps })

describe('the engine as an arm', () => {
  it('is the same to the bit for the same seed, and spends the budget', () => {
    const once = run('envsched')
    expect(run('envsched', 5).curve).toEqual(once.curve.slice(0, 6))
    expect(once.rollouts).toBeLessThanOrEqual(15 * 128)
    expect(once.rollouts).toBeGreaterThan(14 * 128)
  })

  it('finds more informative groups than uniform choice, and reaches every environment', () => {
    const [engine, uniform] = [run('envsched'), run('uniform')]
    expect(engine.informativeShare).toBeGreaterThan(uniform.informativeShare + 0.03)
    expect(engine.picks.filter((count) => count > 0).length).toBeGreaterThan(35)
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
