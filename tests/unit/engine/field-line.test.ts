import { describe, expect, test } from 'vitest'
import { lineOf } from '@/lib/engine/field-line'
import { CONJUNCTIVE_SETTINGS } from '@/lib/engine/field-settings'
import { createField, type Field } from '@/lib/engine/field-state'
import { buildStructure } from '@/lib/engine/structure'
import { structurePart } from '@/lib/engine/structure-part'
import { FORMS } from '@/tests/support/field-forms'
import { randomOf, randomSet } from '@/tests/support/random-set'

function scattered(seed: number, settings = CONJUNCTIVE_SETTINGS, spread = 1.5): Field {
  const set = randomSet({ environments: 4, tasks: 60, seed, tools: 5 })
  const field = createField(structurePart(buildStructure(set), settings), set, settings)
  const random = randomOf(seed + 1)
  field.mean.forEach((_, d) => {
    field.mean[d] = spread * (2 * random() - 1)
  })
  return field
}

describe('the line of a task', () => {
  test.each(FORMS)('its amounts are derivatives of the logit: %s', (_, settings) => {
    const step = 1e-5
    let compared = 0
    for (let seed = 1; seed <= 4; seed++) {
      const field = scattered(seed, settings)
      const { layout, mean } = field
      const slope = (task: number, at: number) => {
        const here = mean[at]!
        mean[at] = here + step
        const above = lineOf(field, task).logit
        mean[at] = here - step
        const below = lineOf(field, task).logit
        mean[at] = here
        return (above - below) / (2 * step)
      }
      for (let task = 0; task < field.structure.tasks; task++) {
        const { amounts, logit } = lineOf(field, task)
        // Beyond, the chance of failure is held at its least and the logit bends.
        if (Math.abs(logit) > 12) continue
        const first = layout.rowStart[task]!
        amounts.forEach((amount, k) => {
          expect(slope(task, layout.rowIndex[first + k]!)).toBeCloseTo(amount, 6)
          compared++
        })
        expect(slope(task, layout.taskStart + task)).toBeCloseTo(1, 6)
        const elsewhere = layout.rowIndex.subarray(first, layout.rowStart[task + 1]!)
        for (let at = 0; at < layout.taskStart; at += 5) if (!elsewhere.includes(at)) expect(slope(task, at)).toBe(0)
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  test('a chain succeeds when each of its calls does, as often as it is called', () => {
    const set = randomSet({ environments: 1, tasks: 2, seed: 1, tools: 2 })
    const [a, b] = set.environments[0]!.tools.map(({ name }) => name) as [string, string]
    const shared = { ...set.tasks[0]!, state: [], checks: [], text: null }
    const tasks = [
      { ...shared, key: 'chain', tools: [a, b, a, a] },
      { ...shared, key: 'other', tools: [b] },
      { ...shared, key: 'none', tools: [] },
    ]
    const own = { ...set, tasks }
    const field = createField(buildStructure(own), own, CONJUNCTIVE_SETTINGS)
    const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
    const logit = (q: number) => Math.log(q / (1 - q))
    const q = sigmoid(CONJUNCTIVE_SETTINGS.priorMean)
    expect(lineOf(field, 0).logit).toBeCloseTo(logit(q ** 4), 10)
    expect(lineOf(field, 1).logit).toBeCloseTo(logit(q), 10)
    expect(lineOf(field, 2).logit).toBeCloseTo(logit(q), 10)
    field.mean[0] = 0.7
    field.mean[field.layout.taskStart] = -0.4
    const lifted = sigmoid(CONJUNCTIVE_SETTINGS.priorMean + 0.7)
    expect(lineOf(field, 0).logit).toBeCloseTo(logit(lifted ** 4) - 0.4, 10)
  })

  test.each([1e3, -1e3, 1e6, 0, -0])('stays finite where every effect is %d', (value) => {
    for (const [, settings] of FORMS) {
      const field = scattered(3, settings)
      field.mean.fill(value)
      for (let task = 0; task < field.structure.tasks; task++) {
        const { logit, amounts } = lineOf(field, task)
        expect(Number.isFinite(logit)).toBe(true)
        expect(amounts.every(Number.isFinite)).toBe(true)
      }
    }
  })
})
