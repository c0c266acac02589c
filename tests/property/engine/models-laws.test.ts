import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIELD_SETTINGS, type FieldSettings } from '@/lib/engine/field-settings'
import { predictMixedTask } from '@/lib/engine/mixture'
import {
  absorb,
  advanceModels,
  cloneModels,
  createModels,
  logLikelihood,
  MODEL_SETTINGS,
  type Models,
  predictorRecords,
  setModelsRange,
  weightsOf,
} from '@/lib/engine/models'
import { decodeModels, encodeModels } from '@/lib/engine/models-codec'
import { buildStructure } from '@/lib/engine/structure'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import type { GroupFacts } from '@/lib/engine/trace'
import { sameBytes } from '@/tests/property/engine/random-run'
import { chainWorld } from '@/tests/support/chain-world'
import { randomSet, randomSteps, type Step } from '@/tests/support/random-set'

const cases = fc.record({
  environments: fc.integer({ min: 1, max: 5 }),
  tasks: fc.integer({ min: 1, max: 40 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  groups: fc.integer({ min: 0, max: 50 }),
  graded: fc.constantFrom(0, 0.5),
  traceGroups: fc.constantFrom(1, 6, 4096),
})

const shortTraces = (traceGroups: number) =>
  MODEL_SETTINGS.map(({ name, settings }) => ({ name, settings: { ...settings, traceGroups } }))

function feed(models: Models, steps: readonly Step[]): void {
  for (const { advance, group } of steps) {
    advanceModels(models, advance)
    absorb(models, group)
  }
}

function run(input: {
  environments: number
  tasks: number
  seed: number
  groups: number
  graded: number
  traceGroups: number
}) {
  const set = randomSet(input)
  const structure = buildStructure(set)
  const settings = shortTraces(input.traceGroups)
  const models = createModels(structure, set, settings)
  feed(models, randomSteps(set, input.groups, input.seed + 1, input.graded))
  return { set, structure, settings, models }
}

const total = (list: ArrayLike<number>) => Array.from(list).reduce((sum, x) => sum + x, 0)

describe('competing models', () => {
  test('weights lie in 0 to 1 and sum to 1, losses are finite, all fields trace the same groups', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { models } = run(input)
        const weights = weightsOf(models)
        expect(total(weights)).toBeCloseTo(1, 12)
        for (const weight of weights) expect(weight >= 0 && weight <= 1).toBe(true)
        for (const { logLoss } of predictorRecords(models)) {
          if (input.groups === 0) expect(logLoss).toBeNull()
          else expect(logLoss! >= 0 && Number.isFinite(logLoss)).toBe(true)
        }
        const traced = models.fields.map(({ trace, merged }) => [merged, ...trace.map(({ lease }) => lease)])
        for (const one of traced) expect(one).toEqual(traced[0])
        expect(traced[0]!.length - 1).toBe(Math.min(input.groups, input.traceGroups))
      }),
      { numRuns: 30 },
    )
  })

  test('bytes and clones hold the same, and go on alike', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { set, structure, settings, models } = run(input)
        const bytes = encodeModels(models)
        const back = decodeModels(structure, set, bytes, settings)
        const copy = cloneModels(models)
        expect(sameBytes(encodeModels(back), bytes)).toBe(true)
        const more = randomSteps(set, 10, input.seed + 9, input.graded)
        for (const one of [models, back]) feed(one, more)
        expect(sameBytes(encodeModels(back), encodeModels(models))).toBe(true)
        expect(sameBytes(encodeModels(copy), bytes)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('a score is the log likelihood before the group was absorbed', () => {
    const { models, set } = run({ environments: 3, tasks: 20, seed: 4, groups: 20, graded: 0.5, traceGroups: 4096 })
    const before = models.losses.slice()
    const rollouts = models.rollouts[0]!
    const [{ group }] = randomSteps(set, 1, 99, 0) as [Step]
    const expected = models.fields.map((field) => logLikelihood(field, group.task, group.sum, group.trusted))
    absorb(models, group)
    expected.forEach((likelihood, m) => {
      expect(before[m]! - models.losses[m]!).toBeCloseTo(likelihood, 12)
      expect(likelihood).toBeLessThan(0)
    })
    expect(models.rollouts[0]).toBe(rollouts + group.trusted)
  })
})

/** Sure that everything is solved, or that nothing is, and slow to learn. */
const sure = (priorMean: number): FieldSettings => {
  const none = { tool: 0, role: 0, state: 0, check: 0, pattern: 0, length: 0 }
  const deviation = { baseline: 0.05, slope: 0, environment: 0.05, task: 0.05, within: none, cross: none }
  const still = { mean: 0, deviation: 0 }
  const drift = { environment: still, within: still, cross: still, noise: 0 }
  return { ...FIELD_SETTINGS, priorMean, deviation, drift, dead: 1e-6 }
}

const groupOf = (task: number, solved: number, policyVersion = 0): GroupFacts => ({
  task,
  policyVersion,
  lease: null,
  trusted: 8,
  sum: solved,
  sumSquares: solved,
  low: 8 - solved,
  high: solved,
})

describe('weights follow predictions', () => {
  const rivals = [
    { name: 'high', settings: sure(2) },
    { name: 'low', settings: sure(-2) },
  ]

  test('who predicts better gets more, and what once failed comes back', () => {
    const set = randomSet({ environments: 2, tasks: 40, seed: 1 })
    const models = createModels(buildStructure(set), set, rivals)
    expect(Array.from(weightsOf(models))).toEqual([0.5, 0.5])
    for (let g = 0; g < 300; g++) absorb(models, groupOf(g % 20, 7))
    expect(weightsOf(models)[0]).toBeGreaterThan(0.99)
    // However long it lost, a few groups are enough: tasks that were never seen, and fail.
    let groups = 0
    for (; weightsOf(models)[1]! < 0.5; groups++) absorb(models, groupOf(20 + (groups % 20), 1))
    expect(groups).toBeLessThan(8)
    for (let g = 0; g < 20; g++) absorb(models, groupOf(20 + (g % 20), 1))
    expect(weightsOf(models)[1]).toBeGreaterThan(0.99)
  })

  test.each([40, 64, 1024])('groups of %i rollouts tell models apart as smaller ones do', (size) => {
    const set = randomSet({ environments: 2, tasks: 40, seed: 1 })
    const models = createModels(buildStructure(set), set, rivals)
    const solved = (size * 3) / 4
    for (let g = 0; g < 60; g++)
      absorb(models, {
        ...groupOf(g % 40, 0),
        trusted: size,
        sum: solved,
        sumSquares: solved,
        low: size - solved,
        high: solved,
      })
    expect(weightsOf(models)[0]).toBeGreaterThan(0.9)
    // a coin of 3/4 costs 0.56 nats a rollout: what fields, simple shadows and all together lose lies near it
    for (const { name, recentLogLoss } of predictorRecords(models).filter((one) => one.name !== 'low')) {
      expect(recentLogLoss, name).toBeGreaterThan(0.5)
      expect(recentLogLoss, name).toBeLessThan(0.75)
    }
  })

  test('in a world of chains a model that sees the structure outweighs one that is sure', () => {
    const { set, chance, random } = chainWorld(3)
    const models = createModels(buildStructure(set), set, [...MODEL_SETTINGS, ...rivals])
    for (let g = 0; g < 150; g++) {
      const task = Math.floor(random() * set.tasks.length)
      let solved = 0
      for (let r = 0; r < 8; r++) solved += random() < chance(task, 0) ? 1 : 0
      absorb(models, groupOf(task, solved))
    }
    const weights = weightsOf(models)
    expect(weights[rivals.length + MODEL_SETTINGS.length - 1]! + weights[MODEL_SETTINGS.length]!).toBeLessThan(0.02)
    const { logLoss: best } = predictorRecords(models)[0]!
    expect(best).toBeLessThan(predictorRecords(models)[models.fields.length - 1]!.logLoss!)
  })
})

describe('policy versions that jump', () => {
  test('many at once leave what as many single ones leave', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 2, max: 40 }), (input, versions) => {
        const { models } = run(input)
        const single = cloneModels(models)
        advanceModels(models, versions)
        for (let v = 0; v < versions; v++) advanceModels(single, 1)
        for (let task = 0; task < input.tasks; task++) {
          const one = predictMixedTask(single, task, 8)
          for (const [name, value] of Object.entries(predictMixedTask(models, task, 8)))
            expect(value).toBeCloseTo(one[name as keyof typeof one], 9)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('cost little more than a few, however far they jump', () => {
    const { models } = run({ environments: 5, tasks: 40, seed: 4, groups: 50, graded: 0, traceGroups: 4096 })
    const seconds = (versions: number) => {
      const copy = cloneModels(models)
      const start = performance.now()
      advanceModels(copy, versions)
      return performance.now() - start
    }
    seconds(2)
    const least = (versions: number) => Math.min(...[1, 2, 3, 4, 5].map(() => seconds(versions)))
    expect(least(500)).toBeLessThan(20 * least(2))
  })
})

describe('what makes no sense', () => {
  const good = groupOf(0, 4)
  test.each([
    ['task', { task: 99 }],
    ['task', { task: -1 }],
    ['task', { task: Number.NaN }],
    ['count', { trusted: Number.NaN }],
    ['count', { trusted: 2.5 }],
    ['count', { trusted: 1e308 }],
    ['count', { trusted: Number.POSITIVE_INFINITY }],
    ['sum', { sum: Number.NaN }],
    ['sum', { sum: Number.POSITIVE_INFINITY }],
    ['sum', { sum: 9 }],
    ['sum', { sum: -1 }],
    ['sum of squares', { sumSquares: Number.NaN }],
    ['sum of squares', { sumSquares: 9 }],
    ['ends', { low: 5, high: 5 }],
    ['version', { policyVersion: Number.NaN }],
  ])('a wrong %s is refused and leaves every model as it was: %o', (_, change) => {
    const { models } = run({ environments: 2, tasks: 10, seed: 2, groups: 12, graded: 0, traceGroups: 6 })
    const before = encodeModels(models)
    expect(() => absorb(models, { ...good, ...change })).toThrow(RangeError)
    expect(sameBytes(encodeModels(models), before)).toBe(true)
  })

  test('a range that does not fit leaves every model as it was', () => {
    const { models } = run({ environments: 2, tasks: 10, seed: 2, groups: 12, graded: 0.5, traceGroups: 4096 })
    const before = encodeModels(models)
    for (const [e, low, high] of [
      [0, 1, 1],
      [0, Number.NaN, 1],
      [0, 0, 0.01],
      [7, 0, 1],
    ] as const)
      expect(() => setModelsRange(models, e, low, high)).toThrow(RangeError)
    expect(() => advanceModels(models, -1)).toThrow(RangeError)
    expect(sameBytes(encodeModels(models), before)).toBe(true)
  })

  test('bytes that are cut off or of other models are refused', () => {
    const { models, set, structure, settings } = run({
      environments: 2,
      tasks: 10,
      seed: 2,
      groups: 5,
      graded: 0,
      traceGroups: 4096,
    })
    const bytes = encodeModels(models)
    for (const wrong of [bytes.slice(0, 4), bytes.slice(0, 40), bytes.slice(0, -8), bytes.slice(0, -4)])
      expect(() => decodeModels(structure, set, wrong, settings)).toThrow(RangeError)
    expect(() => decodeModels(structure, set, bytes, settings.slice(1))).toThrow(RangeError)
    const other = randomSet({ environments: 2, tasks: 11, seed: 2 })
    expect(() => decodeModels(buildStructure(other), other, bytes, settings)).toThrow(RangeError)
  })
})

describe('edges of the input', () => {
  const empty: EngineTaskSet = { environments: [], tasks: [] }

  test('no tasks: equal weights, bytes and back', () => {
    const models = createModels(buildStructure(empty), empty)
    advanceModels(models, 2)
    expect(total(weightsOf(models))).toBeCloseTo(1, 12)
    const bytes = encodeModels(models)
    expect(sameBytes(encodeModels(decodeModels(buildStructure(empty), empty, bytes)), bytes)).toBe(true)
  })

  test('groups of none are no score, huge and minus-zero ones are finite', () => {
    const set = randomSet({ environments: 1, tasks: 3, seed: 8 })
    const models = createModels(buildStructure(set), set)
    const before = encodeModels(models)
    absorb(models, { ...groupOf(0, 0), trusted: 0, low: 0, sum: -0, sumSquares: -0 })
    expect(sameBytes(encodeModels(models), before)).toBe(true)
    absorb(models, { ...groupOf(1, 0), sum: -0, sumSquares: -0 })
    absorb(models, { ...groupOf(2, 0), trusted: 1e9, sum: 5e8, sumSquares: 5e8, low: 5e8, high: 5e8 })
    absorb(models, { ...groupOf(0, 0), trusted: 1e9, sum: 1e9, sumSquares: 1e9, low: 0, high: 1e9 })
    expect(total(weightsOf(models))).toBeCloseTo(1, 12)
    for (const field of models.fields) for (const x of field.mean) expect(Number.isFinite(x)).toBe(true)
  })
})
