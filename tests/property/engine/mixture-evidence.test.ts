import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '@/lib/engine/evidence'
import { evidencePasses, flowsOf } from '@/lib/engine/evidence-pass'
import { momentsOf } from '@/lib/engine/field-moments'
import { createField } from '@/lib/engine/field-state'
import { predictEach, predictMixed, predictMixedTask } from '@/lib/engine/mixture'
import { absorb, advanceModels, createModels, MODEL_SETTINGS, type Models, weightsOf } from '@/lib/engine/models'
import { aliveOf, predictAll, varianceAt } from '@/lib/engine/predict'
import { buildStructure } from '@/lib/engine/structure'
import { structurePart } from '@/lib/engine/structure-part'
import { denseOracle } from '@/tests/support/dense-oracle'
import { FORMS } from '@/tests/support/field-forms'
import { oneModel } from '@/tests/support/one-model'
import { randomSet, randomSteps, type Step } from '@/tests/support/random-set'

interface Case {
  environments: number
  tasks: number
  seed: number
  groups: number
}

const cases = fc.record({
  environments: fc.integer({ min: 1, max: 5 }),
  tasks: fc.integer({ min: 1, max: 40 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  groups: fc.integer({ min: 1, max: 25 }),
})

/** Every model keeps a weight, since scores have had no time to part them for good. */
function run(
  input: Case,
  traceGroups = 4096,
): { models: Models; steps: Step[]; structure: ReturnType<typeof buildStructure> } {
  const set = randomSet({ ...input, tools: 4 })
  const structure = buildStructure(set)
  const steps = randomSteps(set, input.groups, input.seed + 1)
  const all = MODEL_SETTINGS.map(({ name, settings }) => ({ name, settings: { ...settings, traceGroups } }))
  const models = createModels(structure, set, all)
  for (const { advance, group } of steps) {
    advanceModels(models, advance)
    absorb(models, group)
  }
  return { models, steps, structure }
}

const every = (n: number) => Array.from({ length: n }, (_, i) => i)

describe('evidence of the mixture', () => {
  test('each share is the weighted sum of the dense credits, brought to the predicted variance', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { models, steps, structure } = run(input)
        const weights = weightsOf(models)
        const expected = every(structure.tasks).map(() => new Float64Array(steps.length))
        models.fields.forEach((field, m) => {
          const oracle = denseOracle(field.structure, field.settings, steps, true)
          for (let i = 0; i < structure.tasks; i++) {
            const credits = oracle.credit[i]!
            const whole = credits.reduce((sum, credit) => sum + credit, 0)
            const deviation = Math.sqrt(oracle.variance[i]!)
            const v = (f: number) => aliveOf(field, i) * varianceAt(field, i, f, deviation)
            const here = oracle.mean[i]!
            if (Math.abs(whole) < 1e-6) continue
            const kappa = (v(here) - v(here - whole)) / whole
            credits.forEach((credit, g) => {
              expected[i]![g]! += weights[m]! * kappa * credit
            })
          }
        })
        evidencePasses(models, every(structure.tasks)).forEach(({ groups }, i) => {
          groups.forEach((share, g) => {
            expect(Math.abs(share - expected[i]![g]!)).toBeLessThan(1e-6)
          })
        })
      }),
      { numRuns: 8 },
    )
  })

  test('shares sum to the predicted variance, merged or not, and by kind they are the same', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(1, 3), (input, traceGroups) => {
        const { models, structure } = run(input)
        const short = run(input, traceGroups).models
        for (let task = 0; task < structure.tasks; task += 5) {
          const whole = evidenceOf(models, task, 8, 0)
          const merged = evidenceOf(short, task, 8, 0)
          const { own, within, cross, prior } = merged.shares
          expect(own + within + cross + prior).toBeCloseTo(merged.prediction.predictedVariance, 9)
          expect(merged.prediction).toEqual(whole.prediction)
          expect(own + within).toBeCloseTo(whole.shares.own + whole.shares.within, 9)
          expect(cross).toBeCloseTo(whole.shares.cross, 9)
          expect(prior).toBeCloseTo(whole.shares.prior, 9)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('flows of a source over effects sum to its share', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(2, 4096), (input, traceGroups) => {
        const { models, structure } = run(input, traceGroups)
        const field = models.fields[0]!
        const sources = new Set([...field.trace.map(({ task }) => task), ...field.older.sources.keys()])
        for (let task = 0; task < structure.tasks; task += 9) {
          const [pass] = evidencePasses(models, [task])
          const shares = new Map([...pass!.olderTasks].map((source, k) => [source, pass!.older[k]!]))
          field.trace.forEach((group, g) => {
            shares.set(group.task, (shares.get(group.task) ?? 0) + pass!.groups[g]!)
          })
          const flows = new Map<number, number>()
          flowsOf(models, task, sources, (_, source, at, share) => {
            expect(at).toBeGreaterThanOrEqual(0)
            flows.set(source, (flows.get(source) ?? 0) + share)
          })
          for (const source of sources) expect(flows.get(source)).toBeCloseTo(shares.get(source)!, 10)
        }
      }),
      { numRuns: 20 },
    )
  })
})

test.each(FORMS)(
  'where one environment reports, tasks without a deviation of their own keep each its share however it merges: %s',
  (_, form) => {
    fc.assert(
      fc.property(cases, fc.constantFrom(1, 4), (input, traceGroups) => {
        const set = randomSet({ ...input, environments: 2, tools: 4 })
        const steps = randomSteps(set, 2 * input.groups, input.seed + 1).filter(
          ({ group }) => set.tasks[group.task]!.environment === 0,
        )
        const settings = { ...form, deviation: { ...form.deviation, task: 0 } }
        const structure = structurePart(buildStructure(set), settings)
        const passes = [4096, traceGroups].map((most) => {
          const models = oneModel(createField(structure, set, { ...settings, traceGroups: most }))
          for (const { advance, group } of steps) {
            advanceModels(models, advance)
            absorb(models, group)
          }
          return evidencePasses(models, every(structure.tasks)).map((pass) => {
            const sources = new Float64Array(structure.tasks)
            models.fields[0]!.trace.forEach(({ task }, g) => {
              sources[task]! += pass.groups[g]!
            })
            pass.older.forEach((share, k) => {
              sources[pass.olderTasks[k]!]! += share
            })
            return sources
          })
        })
        for (let i = 0; i < structure.tasks; i++)
          for (let j = 0; j < structure.tasks; j++)
            expect(Math.abs(passes[1]![i]![j]! - passes[0]![i]![j]!)).toBeLessThan(1e-9)
      }),
      { numRuns: 8 },
    )
  },
)

describe('the mixture', () => {
  test('predicts the same of one task and of all, inside its models', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { models, structure } = run(input)
        const all = predictMixed(models, predictEach(models, 8, 1))
        const single = models.fields.map((field) => predictAll(field, 8, 1))
        for (let i = 0; i < structure.tasks; i++) {
          const one = predictMixedTask(models, i, 8)
          for (const name of ['ability', 'predictedVariance', 'deviation', 'informative', 'alive'] as const)
            expect(one[name]).toBeCloseTo(all[name][i]!, 12)
          const values = single.map(({ predictedVariance }) => predictedVariance[i]!)
          expect(one.predictedVariance).toBeLessThanOrEqual(Math.max(...values) + 1e-12)
          expect(one.predictedVariance).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12)
          expect(Number.isFinite(one.spread)).toBe(true)
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('the part of a structure', () => {
  test.each(FORMS)('hubs that cannot move change no prediction: %s', (_, settings) => {
    fc.assert(
      fc.property(cases, (input) => {
        const set = randomSet({ ...input, tools: 4 })
        const structure = buildStructure(set)
        const steps = randomSteps(set, input.groups, input.seed + 1)
        const part = structurePart(structure, settings)
        const [whole, kept] = [structure, part].map((one) => {
          const models = oneModel(createField(one, set, settings))
          for (const { advance, group } of steps) {
            advanceModels(models, advance)
            absorb(models, group)
          }
          return models.fields[0]!
        })
        expect(kept!.layout.size).toBeLessThanOrEqual(whole!.layout.size)
        for (let i = 0; i < structure.tasks; i++) {
          const a = momentsOf(whole!, i)
          const b = momentsOf(kept!, i)
          expect(b.mean).toBeCloseTo(a.mean, 10)
          expect(b.variance).toBeCloseTo(a.variance, 10)
        }
      }),
      { numRuns: 8 },
    )
  })
})
