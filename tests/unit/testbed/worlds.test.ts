import { describe, expect, it } from 'vitest'
import { armsNamed } from '@/lib/testbed/arms'
import { taskSetOf } from '@/lib/testbed/task-set'
import { train } from '@/lib/testbed/training'
import { makeWorld, WORLD_NAMES } from '@/lib/testbed/worlds'

const SEEDS = [1, 2, 3, 4, 5, 6]
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

function trained(
  world: string,
  arm: string,
  seeds: readonly number[],
  stages: readonly [number, number] | null = null,
) {
  const { make, filtered } = armsNamed(arm)[0]!
  return seeds.map((seed) =>
    train(makeWorld(world, seed), make, { steps: 120, seed: seed + 50, policySeed: seed + 1000, stages, filtered }),
  )
}

const told = (world: string) => taskSetOf(makeWorld(world, 3)).tasks

describe('the worlds', () => {
  it('are the two standard ones, all troubles mixed, one a trouble, and the demo', () => {
    expect(WORLD_NAMES.length).toBe(new Set(WORLD_NAMES).size)
    expect(WORLD_NAMES.slice(0, 3)).toEqual(['default', 'small', 'mixed'])
    expect(WORLD_NAMES).not.toContain('plain')
    const sizes = (name: string) => {
      const { environments, tasks, training } = makeWorld(name, 1)
      return [environments.length, tasks.length, training.batchSize, training.groupSize, training.learningRate]
    }
    expect(sizes('small')).toEqual([40, 1200, 16, 8, 8])
    expect(sizes('default')).toEqual([191, 2500, 64, 8, 8])
  })

  it.each(WORLD_NAMES)('%s: uniform choice learns and wastes 50 to 85 percent of its groups', (name) => {
    const results = trained(name, 'uniform', [21, 22])
    // Verifiers that flip everywhere manufacture variance where there is none, and graded rewards are seldom all equal.
    const most = name === 'noisy' || name === 'graded' ? 0.6 : 0.5
    for (const { curve, informativeShare, rollouts } of results) {
      expect(curve[120]! - curve[0]!).toBeGreaterThan(0.1)
      expect(informativeShare).toBeGreaterThan(0.15)
      expect(informativeShare).toBeLessThan(most)
      const { batchSize, groupSize } = makeWorld(name, 21).training
      expect(rollouts).toBe(120 * batchSize * groupSize)
    }
  })

  it('have each the trouble they are named after, and small has none of them', () => {
    const small = makeWorld('small', 3)
    const brokenShare = (name: string) => mean(makeWorld(name, 3).tasks.map((task) => (task.broken ? 1 : 0)))
    expect(brokenShare('small')).toBeLessThan(0.08)
    expect(brokenShare('broken')).toBeGreaterThan(0.12)
    for (const e of small.environments) {
      expect([e.flip, e.infraError, e.verifierError, e.contract]).toEqual([0, 0, 0, null])
      expect(e.graded).toBe(false)
    }
    expect(makeWorld('noisy', 3).environments.every((e) => e.flip === 0.05)).toBe(true)
    expect(makeWorld('infra', 3).environments.every((e) => e.infraError === 0.1)).toBe(true)
    expect(makeWorld('graded', 3).environments.every((e) => e.graded)).toBe(true)
    const mixed = makeWorld('mixed', 3).environments
    for (const trouble of ['flip', 'infraError', 'verifierError'] as const)
      expect(mixed.some((e) => e[trouble] > 0)).toBe(true)
    expect(mixed.some((e) => e.contract !== null) && mixed.some((e) => e.graded)).toBe(true)
  })

  it('share as much skill between environments as their names say', () => {
    const agrees = (name: string) => {
      const { environments, goals } = makeWorld(name, 3)
      return mean(
        environments.flatMap((e) =>
          Array.from(e.correct, (tool, k) => (e.tools[tool]!.act === goals[e.goals[k]!]!.act ? 1 : 0)),
        ),
      )
    }
    expect(agrees('high-transfer')).toBe(1)
    expect(agrees('small')).toBeLessThan(0.9)
    expect(agrees('low-transfer')).toBeLessThan(0.6)
  })

  it('tell fewer features, or wrong ones, of the very same tasks', () => {
    const [small, missing, wrong] = [told('small'), told('missing-features'), told('wrong-features')]
    expect(makeWorld('missing-features', 3).tasks).toEqual(makeWorld('small', 3).tasks)
    for (const field of ['tools', 'state', 'checks', 'text'] as const) {
      const untold = mean(missing.map((task) => (task[field].length === 0 ? 1 : 0)))
      expect(untold).toBeGreaterThan(0.45)
      expect(untold).toBeLessThan(0.55)
    }
    const differs = small.flatMap((task, i) => task.tools.map((name, k) => (wrong[i]!.tools[k] === name ? 0 : 1)))
    expect(mean(differs)).toBeGreaterThan(0.27)
    expect(mean(differs)).toBeLessThan(0.33)
    expect(wrong.map(({ state, checks, text }) => ({ state, checks, text }))).toEqual(
      small.map(({ state, checks, text }) => ({ state, checks, text })),
    )
    const known = new Map(taskSetOf(makeWorld('small', 3)).environments.map((e) => [e.key, e.tools.map((t) => t.name)]))
    expect(wrong.every((task) => task.tools.every((name) => known.get(task.environment)!.includes(name)))).toBe(true)
  })

  it('start where their names say', () => {
    const start = (name: string) => mean(trained(name, 'uniform', [1, 2, 3]).map((result) => result.curve[0]!))
    expect(start('weak')).toBeLessThan(start('small') - 0.02)
    expect(start('strong')).toBeGreaterThan(start('small') + 0.02)
  })
})

describe('the world that forgets', () => {
  const kept = (world: string, arm: string) =>
    trained(world, arm, SEEDS, [4, 4]).map((result) => result.lowestOnceSolved ?? 1)

  it('loses solved environments under choice by variance, which uniform choice keeps', () => {
    const [uniform, adaptive] = [kept('forgetting', 'uniform'), kept('forgetting', 'env-then-task')]
    expect(Math.min(...uniform)).toBeGreaterThan(0.8)
    expect(Math.min(...adaptive)).toBeLessThan(0.65)
    expect(mean(adaptive)).toBeLessThan(mean(uniform) - 0.05)
  })

  it('takes from both what they keep where nothing is shared', () => {
    expect(mean(kept('small', 'uniform'))).toBeGreaterThan(mean(kept('forgetting', 'uniform')))
  })
})
