/**
 * The models' credits for one predicted variance, brought to its scale and averaged by weight.
 * Credits on the logit scale come from the backward pass of each model; a credit c becomes the share kappa c, kappa =
 * (v(f) - v(f_prior)) / (f - f_prior) at the posterior deviation (the derivative where the difference is under 1e-9), times the
 * probability of being alive. f_prior is what is left of the mean once every credit is taken off.
 * Invariant: all models traced the same groups and merged them in the same order, so shares of one group add up. Cost: the passes of the models with weight.
 */
import { type Pass, passesOf, type Witness } from './backward-pass'
import { momentsOf } from './field-moments'
import type { Field } from './field-state'
import { type Models, weightsOf } from './models'
import { aliveOf, varianceAt } from './predict'

export interface EvidencePass {
  predictedVariance: number
  /** share of each traced group, in the order of the trace */
  groups: Float64Array
  /** share of merged groups by source task, in the order of `olderTasks`, and what those of an environment hold beyond their tasks' own parts */
  older: Float64Array
  olderTasks: Int32Array
  olderRest: Map<number, number>
}

const NEAR = 1e-9
const STEP = 1e-4

function creditOf({ credits, older, olderRest }: Pass): number {
  let sum = 0
  for (const credit of credits) sum += credit
  for (const credit of older) sum += credit
  for (const credit of olderRest.values()) sum += credit
  return sum
}

function scaleOf(field: Field, task: number, pass: Pass): { kappa: number; predictedVariance: number } {
  const { mean, variance } = momentsOf(field, task)
  const deviation = Math.sqrt(variance)
  const alive = aliveOf(field, task)
  const at = (f: number) => alive * varianceAt(field, task, f, deviation)
  const credit = creditOf(pass)
  const here = at(mean)
  if (Math.abs(credit) < NEAR)
    return { kappa: (at(mean + STEP) - at(mean - STEP)) / (2 * STEP), predictedVariance: here }
  return { kappa: (here - at(mean - credit)) / credit, predictedVariance: here }
}

function addAll(into: Float64Array, more: Float64Array, factor: number): void {
  for (let k = 0; k < more.length; k++) into[k]! += factor * more[k]!
}

function addTo(map: Map<number, number>, more: ReadonlyMap<number, number>, factor: number): void {
  for (const [key, credit] of more) map.set(key, (map.get(key) ?? 0) + factor * credit)
}

/** One pass for each of `tasks`. */
export function evidencePasses(models: Models, tasks: ArrayLike<number>): EvidencePass[] {
  const [first] = models.fields
  const traced = first?.trace.length ?? 0
  const olderTasks = Int32Array.from(first?.older.sources.keys() ?? [])
  const mixed = Array.from(
    tasks,
    (): EvidencePass => ({
      predictedVariance: 0,
      groups: new Float64Array(traced),
      older: new Float64Array(olderTasks.length),
      olderTasks,
      olderRest: new Map(),
    }),
  )
  weightsOf(models).forEach((weight, m) => {
    if (weight === 0) return
    const field = models.fields[m]!
    passesOf(field, tasks).forEach((pass, p) => {
      const { kappa, predictedVariance } = scaleOf(field, tasks[p]!, pass)
      const into = mixed[p]!
      into.predictedVariance += weight * predictedVariance
      addAll(into.groups, pass.credits, weight * kappa)
      addAll(into.older, pass.older, weight * kappa)
      addTo(into.olderRest, pass.olderRest, weight * kappa)
    })
  })
  return mixed
}

/** Tells what the groups of `sources` passed on to `task` through each effect, as shares; `at` is an entry of the field's state. */
export function flowsOf(
  models: Models,
  task: number,
  sources: ReadonlySet<number>,
  tell: (field: Field, source: number, at: number, share: number) => void,
): void {
  weightsOf(models).forEach((weight, m) => {
    if (weight === 0) return
    const field = models.fields[m]!
    const heard: Parameters<Witness['tell']>[] = []
    const [pass] = passesOf(field, [task], { sources, tell: (...flow) => heard.push(flow) })
    const { kappa } = scaleOf(field, task, pass!)
    for (const [source, at, credit] of heard) tell(field, source, at, weight * kappa * credit)
  })
}
