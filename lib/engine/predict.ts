/**
 * What the field expects of the next group of a task under the current policy.
 * Units: rewards normalised to [0, 1]; variances 0 to 0.25; deviations on the logit scale.
 * Never p (1 - p) of a mean p: every expectation runs over the uncertainty of the logit. Invariant: every answer is finite.
 */
import type { Prediction } from './decision'
import { type Moments, momentsOf } from './field-moments'
import type { Field } from './field-state'
import { expect, sigmoid } from './nodes'
import { ratioOf } from './variance-book'

const MOST_VARIANCE = 0.25

export interface Predictions {
  ability: Float64Array
  predictedVariance: Float64Array
  deviation: Float64Array
  informative: Float64Array
  /** exploitation value at the headroom asked for */
  value: Float64Array
}

export function aliveOf(field: Field, task: number): number {
  return 1 - sigmoid(field.deadOdds[task]!)
}

/** Expected variance of a group at logit mean and deviation, for a task that is alive: E[q (1 - q)] times the environment's ratio. */
export function varianceAt(field: Field, task: number, mean: number, deviation: number): number {
  const ratio = ratioOf(field.book, field.structure.environmentOf[task]!)
  return Math.min(MOST_VARIANCE, ratio * expect(mean, deviation, (q) => q * (1 - q)))
}

function informativeAt(moments: Moments, groupSize: number): number {
  const size = Math.max(1, groupSize)
  return Math.max(0, 1 - expect(moments.mean, Math.sqrt(moments.variance), (q) => q ** size + (1 - q) ** size))
}

/** Worth of a group at success probability q: max(0, ratio q (1 - q) - noise floor) (1 - q)^headroom, 0 to 0.25. */
export function worthOf(field: Field, task: number, q: number, headroom: number): number {
  const e = field.structure.environmentOf[task]!
  return Math.max(0, q * (1 - q) * ratioOf(field.book, e) - field.book.floor[e]!) * (1 - q) ** headroom
}

/** Exploitation value: alive times the expected worth, 0 to 0.25. */
function valueAt(field: Field, task: number, moments: Moments, headroom: number): number {
  const worth = (q: number) => worthOf(field, task, q, headroom)
  return aliveOf(field, task) * expect(moments.mean, Math.sqrt(moments.variance), worth)
}

function checkTask(field: Field, task: number): void {
  if (!Number.isInteger(task) || task < 0 || task >= field.structure.tasks)
    throw new RangeError(`There is no task ${task}.`)
}

function checkSize(groupSize: number): void {
  if (!Number.isInteger(groupSize) || groupSize < 1) throw new RangeError(`Group size ${groupSize} is not a count.`)
}

/** Prediction of one task for a group of `groupSize` rollouts. */
export function predictTask(field: Field, task: number, groupSize: number): Prediction {
  checkTask(field, task)
  checkSize(groupSize)
  const moments = momentsOf(field, task)
  const deviation = Math.sqrt(moments.variance)
  const alive = aliveOf(field, task)
  const variance = varianceAt(field, task, moments.mean, deviation)
  const ratio = ratioOf(field.book, field.structure.environmentOf[task]!)
  const square = expect(moments.mean, deviation, (q) => Math.min(MOST_VARIANCE, ratio * q * (1 - q)) ** 2)
  return {
    ability: alive * expect(moments.mean, deviation, (q) => q),
    predictedVariance: alive * variance,
    deviation,
    informative: alive * informativeAt(moments, groupSize),
    alive,
    spread: alive * Math.sqrt(Math.max(0, square - variance * variance)),
  }
}

/** Predictions and values of all tasks. `headroom` 0 or more. */
export function predictAll(field: Field, groupSize: number, headroom = 1): Predictions {
  checkSize(groupSize)
  if (!(headroom >= 0)) throw new RangeError(`Headroom ${headroom} is not 0 or more.`)
  const n = field.structure.tasks
  const all: Predictions = {
    ability: new Float64Array(n),
    predictedVariance: new Float64Array(n),
    deviation: new Float64Array(n),
    informative: new Float64Array(n),
    value: new Float64Array(n),
  }
  for (let i = 0; i < n; i++) {
    const moments = momentsOf(field, i)
    const deviation = Math.sqrt(moments.variance)
    const alive = aliveOf(field, i)
    all.ability[i] = alive * expect(moments.mean, deviation, (q) => q)
    all.predictedVariance[i] = alive * varianceAt(field, i, moments.mean, deviation)
    all.deviation[i] = deviation
    all.informative[i] = alive * informativeAt(moments, groupSize)
    all.value[i] = valueAt(field, i, moments, headroom)
  }
  return all
}
