import { describe, expect, it } from 'vitest'
import { ARMS } from '@/lib/testbed/arms'
import { generateWorld, type WorldSpec } from '@/lib/testbed/generate-world'
import { advantages, grpoStep } from '@/lib/testbed/grpo'
import { makePolicy } from '@/lib/testbed/policy'
import type { Rollout } from '@/lib/testbed/rollout'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { evaluate } from '@/lib/testbed/success'
import { train } from '@/lib/testbed/training'
import { makeWorld } from '@/lib/testbed/worlds'

const never = { share: 0, rate: 0 }
const tiny: WorldSpec = {
  environments: 1,
  tasks: 1,
  heldOutPerEnvironment: 1,
  longestChain: 8,
  quirk: 0,
  broken: 0,
  gradedShare: 0,
  flip: never,
  infraError: never,
  verifierError: never,
  slow: { share: 0, factor: 1 },
  trap: { share: 0, logit: 0 },
  start: { mean: 1.5, deviation: 2, environmentDeviation: 1.5 },
  training: { batchSize: 4, groupSize: 4, learningRate: 4 },
}
const options = { steps: 6, seed: 3, policySeed: 4, stages: null, filtered: false } as const

const rollout = (reward: number | null): Rollout => ({
  status: reward === null ? 'infra_error' : 'ok',
  reward,
  actions: [0],
  formatMet: null,
  tools: ['get_order'],
  turns: 1,
  tokens: 100,
  seconds: 1,
  error: null,
})

describe('worlds at the edge', () => {
  for (const arm of ARMS)
    it(`${arm.name} trains on one environment with one task`, () => {
      const result = train(generateWorld('tiny', tiny, 1), arm.make, { ...options, filtered: arm.filtered })
      expect(result.curve.every((score) => score >= 0 && score <= 1)).toBe(true)
      expect(result.tasksSeen).toBe(1)
    })

  it('learns nothing, and stays finite, where every task is broken', () => {
    const world = generateWorld('broken', { ...tiny, environments: 3, tasks: 30, broken: 1 }, 1)
    const result = train(world, uniform, options)
    expect(result.informativeShare).toBe(0)
    expect(new Set(result.curve).size).toBe(1)
  })

  it('moves nothing where infrastructure loses every rollout', () => {
    const lost = { share: 1, rate: 1 }
    const result = train(generateWorld('lost', { ...tiny, tasks: 5, infraError: lost }, 1), uniform, options)
    expect(new Set(result.curve).size).toBe(1)
    for (const arm of ARMS) {
      const world = generateWorld('lost', { ...tiny, tasks: 5, infraError: lost }, 1)
      expect(train(world, arm.make, options).curve.every(Number.isFinite)).toBe(true)
    }
  })

  it('refuses what cannot be made, naming the value', () => {
    expect(() => generateWorld('none', { ...tiny, environments: 0 }, 1)).toThrow('not 0')
    expect(() => generateWorld('none', { ...tiny, environments: Number.NaN }, 1)).toThrow('NaN')
    expect(() => generateWorld('few', { ...tiny, environments: 5, tasks: 3 }, 1)).toThrow('not 3')
    expect(() => makeWorld('moon', 1)).toThrow('moon')
    const world = generateWorld('no-held-out', { ...tiny, heldOutPerEnvironment: 0 }, 1)
    expect(() => evaluate(world, makePolicy(world, 1))).toThrow('held-out')
  })
})

describe('advantages', () => {
  it('are null where trusted rewards are equal or fewer than two', () => {
    expect(advantages({ task: 0, rollouts: [rollout(0), rollout(0), rollout(null)] })).toBeNull()
    expect(advantages({ task: 0, rollouts: [rollout(1), rollout(null)] })).toBeNull()
    expect(advantages({ task: 0, rollouts: [] })).toBeNull()
  })

  it('are normalised by the population deviation, and skip the untrusted', () => {
    const values = advantages({ task: 0, rollouts: [rollout(1), rollout(0), rollout(null)] })!
    expect(values[0]).toBeCloseTo(1, 5)
    expect(values[1]).toBeCloseTo(-1, 5)
    expect(values[2]).toBeNull()
  })

  it('do not depend on the scale of the rewards', () => {
    const world = generateWorld('tiny', tiny, 1)
    const moved = (factor: number) => {
      const policy = makePolicy(world, 1)
      grpoStep(world, policy, [{ task: 0, rollouts: [rollout(0), rollout(factor)] }], 1, 1)
      return policy.own
    }
    const [one, ten] = [moved(1), moved(10)]
    for (const [i, value] of one.entries()) expect(ten[i]).toBeCloseTo(value, 4)
  })
})
