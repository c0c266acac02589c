import { describe, expect, test } from 'vitest'
import { evidenceOf, summariesOf } from '@/lib/engine/evidence'
import { absorbGroup, advanceField, setRange } from '@/lib/engine/field'
import { decodeField, encodeField } from '@/lib/engine/field-codec'
import { FIELD_SETTINGS } from '@/lib/engine/field-settings'
import { createField, type Field } from '@/lib/engine/field-state'
import { predictAll, predictTask } from '@/lib/engine/predict'
import { buildStructure } from '@/lib/engine/structure'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import type { GroupFacts } from '@/lib/engine/trace'
import { ratioOf } from '@/lib/engine/variance-book'
import { oneModel } from '@/tests/support/one-model'

function setOf(tools: string[][], range: [number, number] | null = null, environments = 1): EngineTaskSet {
  return {
    environments: Array.from({ length: environments }, (_, e) => ({
      key: `e${e}`,
      tools: [],
      state: [],
      verifier: { kind: null, checks: [] },
      rewardRange: range,
      horizon: null,
      maxConcurrent: null,
    })),
    tasks: tools.map((list, i) => ({
      environment: i % environments,
      key: `t${i}`,
      text: null,
      tools: list,
      state: [],
      checks: [],
    })),
  }
}

function fieldOf(set: EngineTaskSet): Field {
  return createField(buildStructure(set), set)
}

function group(task: number, rewards: number[], policyVersion = 0): GroupFacts {
  return {
    task,
    policyVersion,
    lease: null,
    trusted: rewards.length,
    sum: rewards.reduce((a, b) => a + b, 0),
    sumSquares: rewards.reduce((a, b) => a + b * b, 0),
    low: 0,
    high: 0,
  }
}
const binary = (task: number, solved: number, size = 8, version = 0) =>
  group(task, [...new Array(solved).fill(1), ...new Array(size - solved).fill(0)], version)

describe('learning', () => {
  test('success raises the task, and less so what shares its tools', () => {
    const field = fieldOf(
      setOf([
        ['get_a', 'set_b'],
        ['get_a', 'set_c'],
        ['send_d', 'send_d', 'send_e'],
        ['set_c', 'send_e'],
      ]),
    )
    const before = predictAll(field, 8).ability
    absorbGroup(field, binary(0, 8))
    const after = predictAll(field, 8).ability
    const rise = Array.from(after, (x, i) => x - before[i]!)
    expect(rise[0]).toBeGreaterThan(rise[1]!)
    expect(rise[1]).toBeGreaterThan(rise[2]!)
    expect(rise[2]).toBeGreaterThan(0)
  })

  test('nothing is written off: after one all-failed group of 8 the task keeps a fair chance to be informative', () => {
    const field = fieldOf(setOf([['get_a']]))
    absorbGroup(field, binary(0, 0))
    expect(predictTask(field, 0, 8).informative).toBeGreaterThan(0.3)
    for (let g = 1; g < 60; g++) {
      advanceField(field, 1)
      absorbGroup(field, binary(0, 0, 8, g))
    }
    const late = predictTask(field, 0, 8)
    expect(late.alive).toBeGreaterThan(0.01)
    expect(late.predictedVariance).toBeGreaterThan(0)
    advanceField(field, 400)
    expect(predictTask(field, 0, 8).predictedVariance).toBeGreaterThan(3 * late.predictedVariance)
  })

  test('a task that fails among solved neighbours is dead rather than hard, and one success revives it', () => {
    const field = fieldOf(setOf(Array.from({ length: 8 }, () => ['get_a', 'set_b'])))
    for (let task = 1; task < 8; task++) absorbGroup(field, binary(task, 8))
    const neighbour = predictTask(field, 1, 8).ability
    for (let round = 0; round < 3; round++) absorbGroup(field, binary(0, 0))
    expect(predictTask(field, 0, 8).alive).toBeLessThan(0.2)
    expect(predictTask(field, 1, 8).ability).toBeGreaterThan(neighbour - 0.1)
    absorbGroup(field, binary(0, 1))
    expect(predictTask(field, 0, 8).alive).toBeGreaterThan(0.99)
  })

  test('uncertainty falls with a group and grows back with policy versions, never over the prior', () => {
    const field = fieldOf(setOf([['get_a'], ['set_b']]))
    const fresh = predictTask(field, 0, 8).deviation
    absorbGroup(field, binary(0, 4))
    const seen = predictTask(field, 0, 8).deviation
    advanceField(field, 10)
    const later = predictTask(field, 0, 8).deviation
    advanceField(field, 100_000)
    expect(seen).toBeLessThan(later)
    expect(later).toBeLessThan(fresh)
    expect(predictTask(field, 0, 8).deviation).toBeLessThanOrEqual(fresh + 1e-6)
  })

  test('advancing one by one is advancing at once', () => {
    const [a, b] = [fieldOf(setOf([['get_a']])), fieldOf(setOf([['get_a']]))]
    for (const field of [a, b]) absorbGroup(field, binary(0, 3))
    advanceField(a, 3)
    for (let v = 0; v < 3; v++) advanceField(b, 1)
    expect(encodeField(a)).toEqual(encodeField(b))
  })

  test('graded rewards have less variance than a coin, binary ones exactly its', () => {
    const field = fieldOf(setOf([['get_a'], ['get_a'], ['get_a']], [0, 1], 3))
    for (let g = 0; g < 10; g++) {
      absorbGroup(field, group(0, [0.4, 0.5, 0.6, 0.5, 0.45, 0.55, 0.5, 0.5]))
      absorbGroup(field, binary(1, 4))
    }
    expect(ratioOf(field.book, 0)).toBeLessThan(0.1)
    expect(ratioOf(field.book, 1)).toBe(1)
    expect(ratioOf(field.book, 2)).toBe(1)
    expect(predictTask(field, 0, 8).predictedVariance).toBeLessThan(predictTask(field, 1, 8).predictedVariance / 5)
  })

  test('headroom prefers the harder of two equally varied tasks, and a noise floor takes value away', () => {
    const field = fieldOf(setOf([['get_a'], ['set_b']], [0, 1], 2))
    for (let g = 0; g < 20; g++) {
      absorbGroup(field, binary(0, 6))
      absorbGroup(field, binary(1, 2))
    }
    const worth = (task: number, headroom: number) => predictAll(field, 8, headroom).value[task]!
    expect(worth(1, 1)).toBeGreaterThan(1.5 * worth(0, 1))
    expect(worth(0, 0)).toBeCloseTo(predictTask(field, 0, 8).predictedVariance, 12)
    const before = worth(0, 1)
    field.book.floor[0] = 0.05
    expect(worth(0, 1)).toBeLessThan(before)
  })

  test('a verifier that flips shows as a floor, solved tasks alone do not', () => {
    const noisy = fieldOf(setOf(Array.from({ length: 4 }, () => ['get_a'])))
    const clean = fieldOf(setOf(Array.from({ length: 4 }, () => ['get_a'])))
    for (let g = 0; g < 8; g++) {
      for (let task = 0; task < 4; task++) {
        absorbGroup(noisy, binary(task, 7))
        absorbGroup(clean, binary(task, 8))
      }
    }
    expect(noisy.book.floor[0]).toBeGreaterThan(0.05)
    expect(clean.book.floor[0]).toBe(0)
  })
})

describe('evidence', () => {
  test('names the source, its groups, what it went through and its edge', () => {
    const field = fieldOf(
      setOf([
        ['get_a', 'set_b'],
        ['get_a', 'set_c'],
        ['send_d', 'send_e'],
      ]),
    )
    absorbGroup(field, { ...binary(1, 1), lease: 7 })
    const { contributions, shares, prediction } = evidenceOf(oneModel(field), 0, 8, 0)
    expect(contributions).toHaveLength(1)
    const [only] = contributions
    expect(only).toMatchObject({ task: 1, kind: 'within', rollouts: 8 })
    expect(only!.through).toContain('tool get_a')
    expect(only!.edge).toBe(field.structure.neighbours(0)[0]!.weight)
    expect(only!.groups).toMatchObject([{ size: 8, mean: 0.125, lease: 7, older: false }])
    expect(only!.groups[0]!.variance).toBeCloseTo(0.125, 12)
    expect(only!.groups[0]!.weight).toBe(8)
    expect(shares.within).toBeCloseTo(only!.share, 12)
    expect(shares.within + shares.prior).toBeCloseTo(prediction.predictedVariance, 12)
    const [summary] = summariesOf(oneModel(field), [0])
    const near = { task: 1, kind: 'within', share: only!.share }
    expect(summary!.neighbour).toEqual(near)
    expect(summary!.supporter).toEqual(only!.share > 0 ? near : null)
  })

  test('without groups everything is prior', () => {
    const field = fieldOf(setOf([['get_a'], ['set_b']]))
    const { shares, contributions, prediction } = evidenceOf(oneModel(field), 1, 8)
    expect(contributions).toEqual([])
    expect(shares).toEqual({ own: 0, within: 0, cross: 0, prior: prediction.predictedVariance })
    expect(summariesOf(oneModel(field), [1])[0]!.neighbour).toBeNull()
  })

  test('names its own and the largest contributors however small they are', () => {
    const tools = Array.from({ length: 20 }, () => ['get_a', 'set_b'])
    const field = fieldOf(setOf(tools))
    for (let task = 0; task < 20; task++) absorbGroup(field, binary(task, 4))
    const { contributions, restTasks, rest, shares } = evidenceOf(oneModel(field), 0, 8, 1)
    expect(contributions.some((one) => one.kind === 'own')).toBe(true)
    expect(contributions.length).toBeGreaterThanOrEqual(12)
    expect(contributions.length + restTasks.within + restTasks.cross).toBe(20)
    const listed = contributions.filter((one) => one.kind === 'within').reduce((sum, one) => sum + one.share, 0)
    expect(listed + rest.within).toBeCloseTo(shares.within, 12)
  })

  test('evidence at the prior mean uses the derivative and stays finite', () => {
    const field = fieldOf(setOf([['get_a'], ['get_a']]))
    absorbGroup(field, binary(0, 2))
    field.mean.fill(0)
    for (const share of Object.values(evidenceOf(oneModel(field), 0, 8).shares))
      expect(Number.isFinite(share)).toBe(true)
  })

  test('a weight fades as the policy moves on', () => {
    const field = fieldOf(setOf([['get_a']]))
    absorbGroup(field, binary(0, 4))
    advanceField(field, 20)
    const { weight, size } = evidenceOf(oneModel(field), 0, 8, 0).contributions[0]!.groups[0]!
    expect(weight).toBeLessThan(size)
    expect(weight).toBeGreaterThan(0)
  })
})

describe('edges of the input', () => {
  test('no tasks, no environments', () => {
    const field = fieldOf({ environments: [], tasks: [] })
    advanceField(field, 3)
    expect(predictAll(field, 8).ability).toHaveLength(0)
    expect(summariesOf(oneModel(field), [])).toEqual([])
    expect(encodeField(decodeField(field.structure, { environments: [], tasks: [] }, encodeField(field)))).toEqual(
      encodeField(field),
    )
  })

  test('an environment without tasks is no hindrance', () => {
    const field = fieldOf(setOf([['get_a']], null, 3))
    absorbGroup(field, binary(0, 4))
    advanceField(field, 2)
    expect(predictTask(field, 0, 8).ability).toBeGreaterThan(0)
  })

  test('a group of none changes nothing, a group of one has no variance', () => {
    const field = fieldOf(setOf([['get_a']]))
    const before = encodeField(field)
    absorbGroup(field, group(0, []))
    expect(encodeField(field)).toEqual(before)
    absorbGroup(field, group(0, [1]))
    expect(field.trace[0]!.variance).toBe(0)
    expect(Number.isFinite(predictTask(field, 0, 1).predictedVariance)).toBe(true)
    expect(predictTask(field, 0, 1).informative).toBeCloseTo(0, 12)
  })

  test('minus zero counts as zero', () => {
    const [a, b] = [fieldOf(setOf([['get_a']])), fieldOf(setOf([['get_a']]))]
    absorbGroup(a, { ...binary(0, 0), sum: -0, sumSquares: -0 })
    absorbGroup(b, binary(0, 0))
    expect(predictTask(a, 0, 8)).toEqual(predictTask(b, 0, 8))
    expect(predictTask(a, 0, 8).alive).toBeLessThan(0.95)
  })

  test('negative and wide ranges are normalised', () => {
    const [a, b] = [fieldOf(setOf([['get_a']], [-1000, 3000])), fieldOf(setOf([['get_a']], [0, 1]))]
    absorbGroup(a, group(0, [-1000, 3000, 1000, 0]))
    absorbGroup(b, group(0, [0, 1, 0.5, 0.25]))
    expect(predictTask(a, 0, 4).ability).toBeCloseTo(predictTask(b, 0, 4).ability, 12)
    expect(a.trace[0]!.variance).toBeCloseTo(b.trace[0]!.variance, 12)
  })

  test('a narrow range far from 0 is still read as binary', () => {
    const field = fieldOf(setOf([['get_a']], [1e6, 1e6 + 1]))
    absorbGroup(field, group(0, [1e6, 1e6 + 1, 1e6, 1e6 + 1]))
    expect(ratioOf(field.book, 0)).toBe(1)
    expect(field.trace[0]!.variance).toBeCloseTo(1 / 3, 3)
  })

  test.each([
    ['task', { task: 9 }, 'There is no task 9.'],
    ['task', { task: -1 }, 'There is no task -1.'],
    ['task', { task: 0.5 }, 'There is no task 0.5.'],
    ['sum', { sum: Number.NaN }, 'Sum NaN'],
    ['sum', { sum: Number.POSITIVE_INFINITY }, 'Sum Infinity'],
    ['sum of squares', { sumSquares: Number.NaN }, 'Sum of squares NaN'],
    ['sum of squares', { sumSquares: 0.1 }, 'does not fit'],
    ['sum of squares', { sumSquares: 9 }, 'does not fit'],
    ['reward', { sum: 9, sumSquares: 11 }, 'outside its range [0, 1]'],
    ['reward', { sum: -1, sumSquares: 1 }, 'outside its range [0, 1]'],
    ['count', { trusted: -1 }, '-1 trusted rollouts'],
    ['count', { trusted: 2.5 }, '2.5 trusted rollouts'],
    ['low', { low: 9 }, 'low 9'],
    ['high', { low: 5, high: 5 }, 'more than its 8'],
    ['policy version', { policyVersion: Number.NaN }, 'Policy version NaN'],
    ['lease', { lease: -2 }, 'There is no lease -2.'],
  ])('an impossible %s is refused by name and changes nothing', (_, change, message) => {
    const field = fieldOf(setOf([['get_a']]))
    const before = encodeField(field)
    expect(() => absorbGroup(field, { ...binary(0, 4), ...change })).toThrow(message)
    expect(encodeField(field)).toEqual(before)
  })

  test('a range that traced rewards do not fit, or that is none, is refused and changes nothing', () => {
    const field = fieldOf(setOf([['get_a']]))
    absorbGroup(field, binary(0, 4))
    const before = encodeField(field)
    expect(() => setRange(field, 0, 0, 0.25)).toThrow('outside its range')
    expect(() => setRange(field, 0, 1, 1)).toThrow('[1, 1] is not a reward range.')
    expect(() => setRange(field, 0, Number.NaN, 1)).toThrow('is not a reward range')
    expect(() => setRange(field, 4, 0, 1)).toThrow('There is no environment 4.')
    expect(encodeField(field)).toEqual(before)
  })

  test('impossible questions are refused', () => {
    const field = fieldOf(setOf([['get_a']]))
    expect(() => predictTask(field, 1, 8)).toThrow('There is no task 1.')
    expect(() => predictTask(field, 0, 0)).toThrow('Group size 0')
    expect(() => predictAll(field, Number.NaN)).toThrow('Group size NaN')
    expect(() => predictAll(field, 8, Number.NaN)).toThrow('Headroom NaN')
    expect(() => advanceField(field, -1)).toThrow('-1 policy versions')
  })

  test('bytes of another structure, or cut off, are refused', () => {
    const set = setOf([['get_a'], ['get_a', 'set_b']])
    const field = fieldOf(set)
    const other = setOf([['get_a'], ['get_a', 'set_b'], ['get_a']])
    expect(() => decodeField(buildStructure(other), other, encodeField(field))).toThrow('belong to another field')
    expect(() => decodeField(field.structure, set, encodeField(field).slice(0, -8))).toThrow('end too early')
    expect(() => decodeField(field.structure, set, new Uint8Array(7))).toThrow('7 bytes')
  })

  test('effects with deviation 0 are out of the field and harm nothing', () => {
    const set = setOf([['get_a'], ['get_a', 'set_b']])
    const none = { tool: 0, role: 0, state: 0, check: 0, pattern: 0, length: 0 }
    const deviation = { baseline: 0, slope: 0, environment: 0, task: 0.5, within: none, cross: none }
    const field = createField(buildStructure(set), set, { ...FIELD_SETTINGS, deviation })
    absorbGroup(field, binary(0, 8))
    advanceField(field, 5)
    const { ability } = predictAll(field, 8)
    expect(ability[0]).toBeGreaterThan(ability[1]!)
    expect(summariesOf(oneModel(field), [1])[0]!.shares.within).toBe(0)
  })
})
