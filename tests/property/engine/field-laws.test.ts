import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceOf, summariesOf } from '@/lib/engine/evidence'
import { absorbGroup, advanceField, setRange } from '@/lib/engine/field'
import { decodeField, encodeField } from '@/lib/engine/field-codec'
import { momentsOf } from '@/lib/engine/field-moments'
import type { FieldSettings } from '@/lib/engine/field-settings'
import { cloneField, createField, type Field } from '@/lib/engine/field-state'
import { absorb, advanceModels } from '@/lib/engine/models'
import { predictAll, predictTask } from '@/lib/engine/predict'
import { buildStructure, type Structure, similarity } from '@/lib/engine/structure'
import { structurePart } from '@/lib/engine/structure-part'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import { sameBytes } from '@/tests/property/engine/random-run'
import { FORMS } from '@/tests/support/field-forms'
import { oneModel } from '@/tests/support/one-model'
import { randomOf, randomSet, randomSteps, type Step } from '@/tests/support/random-set'

const cases = fc.record({
  environments: fc.integer({ min: 1, max: 6 }),
  tasks: fc.integer({ min: 1, max: 60 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  groups: fc.integer({ min: 0, max: 60 }),
  graded: fc.constantFrom(0, 0.5),
})
const forms = fc.constantFrom(...FORMS.map(([, settings]) => settings))
const RUNS = { numRuns: 40, seed: 11 }

interface Case {
  set: EngineTaskSet
  structure: Structure
  steps: Step[]
  field: Field
}

function feed(field: Field, steps: readonly Step[]): void {
  const models = oneModel(field)
  for (const { advance, group } of steps) {
    advanceModels(models, advance)
    absorb(models, group)
  }
}

function run(
  input: { environments: number; tasks: number; seed: number; groups: number; graded: number },
  settings: FieldSettings,
): Case {
  const set = randomSet(input)
  const structure = structurePart(buildStructure(set), settings)
  const steps = randomSteps(set, input.groups, input.seed + 1, input.graded)
  const field = createField(structure, set, settings)
  feed(field, steps)
  return { set, structure, steps, field }
}

function permutation(n: number, seed: number): number[] {
  const random = randomOf(seed)
  const list = Array.from({ length: n }, (_, i) => i)
  for (let k = n - 1; k > 0; k--) {
    const j = Math.floor(random() * (k + 1))
    ;[list[k], list[j]] = [list[j]!, list[k]!]
  }
  return list
}

const every = (n: number) => Array.from({ length: n }, (_, i) => i)

describe('evidence', () => {
  test('shares sum to the predicted variance, and contributions with the rest to each share', () => {
    fc.assert(
      fc.property(
        cases,
        forms,
        fc.constantFrom(0, 0.01, 0.3),
        fc.constantFrom(3, 4096),
        (input, form, cut, traceGroups) => {
          const { field, structure } = run(input, { ...form, traceGroups })
          for (let task = 0; task < structure.tasks; task += 7) {
            const { shares, rest, contributions, prediction } = evidenceOf(oneModel(field), task, 8, cut)
            const whole = shares.own + shares.within + shares.cross + shares.prior
            expect(whole).toBeCloseTo(prediction.predictedVariance, 9)
            for (const kind of ['own', 'within', 'cross'] as const) {
              const listed = contributions.filter((c) => c.kind === kind)
              expect(listed.reduce((sum, c) => sum + c.share, rest[kind])).toBeCloseTo(shares[kind], 9)
            }
            for (const c of contributions) {
              expect(c.groups.reduce((sum, g) => sum + g.share, 0)).toBeCloseTo(c.share, 9)
              expect(c.rollouts).toBe(c.groups.reduce((sum, g) => sum + g.size, 0))
              for (const g of c.groups) expect(g.weight).toBeLessThanOrEqual(g.size + 1e-9)
            }
          }
        },
      ),
      RUNS,
    )
  })

  test('the short form agrees with the long one', () => {
    fc.assert(
      fc.property(cases, forms, (input, form) => {
        const { field, structure } = run(input, form)
        const tasks = every(structure.tasks)
        const short = summariesOf(oneModel(field), tasks)
        for (const task of tasks.slice(0, 5)) {
          const long = evidenceOf(oneModel(field), task, 8, 0)
          for (const kind of ['own', 'within', 'cross', 'prior'] as const) {
            expect(short[task]!.shares[kind]).toBeCloseTo(long.shares[kind], 12)
          }
          const other = long.contributions.find((c) => c.kind !== 'own' && c.share !== 0)
          expect(Math.abs(short[task]!.neighbour?.share ?? 0)).toBeCloseTo(Math.abs(other?.share ?? 0), 12)
          const raising = long.contributions.filter((c) => c.kind !== 'own').map((c) => Math.max(0, c.share))
          expect(short[task]!.supporter?.share ?? 0).toBeCloseTo(Math.max(0, ...raising), 12)
        }
      }),
      RUNS,
    )
  })

  test('merging old groups keeps each kind of evidence and changes no prediction', () => {
    fc.assert(
      fc.property(cases, forms, (input, form) => {
        const { field, structure } = run(input, form)
        const short = run(input, { ...form, traceGroups: 4 }).field
        expect(short.trace.length).toBeLessThanOrEqual(4)
        const tasks = every(structure.tasks)
        const whole = summariesOf(oneModel(field), tasks).map((summary) => summary.shares)
        summariesOf(oneModel(short), tasks).forEach(({ shares }, i) => {
          expect(shares.own + shares.within).toBeCloseTo(whole[i]!.own + whole[i]!.within, 9)
          expect(shares.cross).toBeCloseTo(whole[i]!.cross, 9)
        })
        expect(predictAll(short, 8)).toEqual(predictAll(field, 8))
      }),
      RUNS,
    )
  })
})

describe('renumbering', () => {
  test('tasks and environments in another order change nothing', () => {
    fc.assert(
      fc.property(cases, forms, (input, form) => {
        const { set, structure, steps, field } = run(input, form)
        const taskAt = permutation(structure.tasks, input.seed + 2)
        const environmentAt = permutation(structure.environments, input.seed + 3)
        const other: EngineTaskSet = {
          environments: new Array(structure.environments),
          tasks: new Array(structure.tasks),
        }
        set.environments.forEach((environment, e) => {
          other.environments[environmentAt[e]!] = environment
        })
        set.tasks.forEach((task, i) => {
          other.tasks[taskAt[i]!] = { ...task, environment: environmentAt[task.environment]! }
        })
        const moved = structurePart(buildStructure(other), form)
        const field2 = createField(moved, other, form)
        feed(
          field2,
          steps.map(({ advance, group }) => ({ advance, group: { ...group, task: taskAt[group.task]! } })),
        )
        const shares = summariesOf(oneModel(field), every(structure.tasks)).map((summary) => summary.shares)
        const shares2 = summariesOf(oneModel(field2), every(structure.tasks)).map((summary) => summary.shares)
        for (let i = 0; i < structure.tasks; i++) {
          const j = taskAt[i]!
          expect(moved.taskKeyHash[j]).toBe(structure.taskKeyHash[i])
          expect(moved.patternNames[moved.pattern[j]!]).toBe(structure.patternNames[structure.pattern[i]!])
          const a = predictTask(field, i, 8)
          const b = predictTask(field2, j, 8)
          for (const key of Object.keys(a) as (keyof typeof a)[]) expect(b[key]).toBeCloseTo(a[key], 9)
          for (const key of ['own', 'within', 'cross', 'prior'] as const) {
            expect(shares2[j]![key]).toBeCloseTo(shares[i]![key], 9)
          }
        }
        const named = (s: Structure, name: (i: number) => number) =>
          s
            .edges()
            .map((e) =>
              [
                Math.min(name(e.source), name(e.target)),
                Math.max(name(e.source), name(e.target)),
                e.kind,
                e.weight,
              ].join(),
            )
            .sort()
        expect(named(structure, (i) => taskAt[i]!)).toEqual(named(moved, (i) => i))
      }),
      RUNS,
    )
  })
})

describe('state', () => {
  test('bytes and clones hold identical floats, and go on alike', () => {
    fc.assert(
      fc.property(cases, forms, fc.constantFrom(5, 4096), (input, form, traceGroups) => {
        const settings = { ...form, traceGroups }
        const { set, structure, field } = run(input, settings)
        const bytes = encodeField(field)
        const back = decodeField(structure, set, bytes, settings)
        const copy = cloneField(field)
        expect(sameBytes(encodeField(back), bytes)).toBe(true)
        expect(sameBytes(encodeField(copy), bytes)).toBe(true)
        const more = randomSteps(set, 10, input.seed + 9)
        for (const one of [field, back]) feed(one, more)
        expect(sameBytes(encodeField(back), encodeField(field))).toBe(true)
        expect(sameBytes(encodeField(copy), bytes)).toBe(true)
      }),
      RUNS,
    )
  })

  test('a range learnt late is as if it had been known from the start', () => {
    fc.assert(
      fc.property(cases, forms, (input, form) => {
        const { set, structure, steps, field } = run(input, form)
        setRange(field, 0, -1, 3)
        const environments = set.environments.map((e, at) =>
          at === 0 ? { ...e, rewardRange: [-1, 3] as [number, number] } : e,
        )
        const known = createField(structure, { ...set, environments }, form)
        feed(known, steps)
        expect(sameBytes(encodeField(field), encodeField(known))).toBe(true)
      }),
      RUNS,
    )
  })

  test.each(FORMS)('covariances stay positive through extreme groups and long pauses: %s', (_, settings) => {
    const set = randomSet({ environments: 4, tasks: 30, seed: 5 })
    const structure = structurePart(buildStructure(set), settings)
    const field = createField(structure, set, settings)
    const random = randomOf(6)
    for (let g = 0; g < 1500; g++) {
      if (random() < 0.2) advanceField(field, random() < 0.05 ? 40 : 1)
      const task = Math.floor(random() * 30)
      const trusted = 1 + Math.floor(random() * 64)
      const sum = random() < 0.5 ? 0 : random() < 0.8 ? trusted : Math.floor(random() * trusted)
      absorbGroup(field, {
        task,
        policyVersion: g,
        lease: null,
        trusted,
        sum,
        sumSquares: sum,
        low: trusted - sum,
        high: sum,
      })
    }
    const { layout, common, blocks } = field
    const n = layout.common
    blocks.forEach((block, e) => {
      const touched = layout.touched[e]!
      const k = touched.length
      const m = layout.blockStart[e + 1]! - layout.blockStart[e]!
      const joint = Array.from({ length: k + m }, () => new Float64Array(k + m))
      for (let a = 0; a < k; a++) for (let b = 0; b < k; b++) joint[a]![b] = common[touched[a]! * n + touched[b]!]!
      for (let a = 0; a < m; a++) {
        for (let b = 0; b < m; b++) joint[k + a]![k + b] = block.covariance[a * m + b]!
        for (let b = 0; b < k; b++) {
          let sum = 0
          for (let q = 0; q < k; q++) sum += block.regression[a * k + q]! * common[touched[q]! * n + touched[b]!]!
          joint[k + a]![b] = sum
          joint[b]![k + a] = sum
        }
      }
      expect(smallestPivot(joint)).toBeGreaterThan(1e-6)
    })
    for (let i = 0; i < 30; i++) {
      expect(field.taskVariance[i]!).toBeGreaterThan(0)
      expect(momentsOf(field, i).variance).toBeGreaterThan(1e-4)
    }
  })
})

function smallestPivot(matrix: Float64Array[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let c = 0; c < matrix.length; c++) {
    const pivot = matrix[c]![c]!
    least = Math.min(least, pivot)
    for (let r = c + 1; r < matrix.length; r++) {
      const factor = matrix[r]![c]! / pivot
      for (let k = c; k < matrix.length; k++) matrix[r]![k]! -= factor * matrix[c]![k]!
    }
  }
  return least
}

describe('structure', () => {
  test('edges are symmetric, within 0 to 1, stored once, and weigh what similarity says', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const set = randomSet(input)
        const structure = buildStructure(set)
        const pairs = new Set<string>()
        for (const { source, target, kind, weight } of structure.edges()) {
          expect(source).toBeLessThan(target)
          expect(pairs.has(`${source} ${target}`)).toBe(false)
          pairs.add(`${source} ${target}`)
          expect(weight).toBe(similarity(structure, source, target))
          expect(weight).toBe(similarity(structure, target, source))
          expect(weight).toBeGreaterThan(0)
          expect(weight).toBeLessThanOrEqual(1)
          expect(kind).toBe(set.tasks[source]!.environment === set.tasks[target]!.environment ? 'within' : 'cross')
          expect(structure.neighbours(source).some((near) => near.task === target && near.weight === weight)).toBe(true)
        }
        for (let i = 0; i < structure.tasks; i++) expect(similarity(structure, i, i)).toBe(1)
      }),
      RUNS,
    )
  })

  test('the nearest task of the environment has an edge', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const structure = buildStructure(randomSet({ ...input, tasks: Math.min(input.tasks, 40) }))
        for (let i = 0; i < structure.tasks; i++) {
          const weights = structure.tasksOf[structure.environmentOf[i]!]!.filter((j) => j !== i).map((j) =>
            similarity(structure, i, j),
          )
          const best = Math.max(0, ...weights)
          if (best < 0.1) continue
          const stored = structure.neighbours(i).filter((near) => near.kind === 'within')
          expect(stored[0]!.weight).toBe(best)
        }
      }),
      RUNS,
    )
  })
})
