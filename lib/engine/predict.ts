/**
 * What the field expects of the next group of a task under the current policy.
 * Units: rewards normalised to [0, 1]; variances 0 to 0.25; deviations on the logit scale.
 * Never p (1 - p) of a mean p: every expectation runs over the uncertainty of the logit. Invariant: every answer is finite.
 */
import type { Prediction } from './decision'
import { momentsOf } from './field-moments'
import type { Field } from './field-state'
import { expectOver, NODES, placesOf, sigmoid } from './nodes'
import { ratioOf } from './variance-book'

const MOST_VARIANCE = 0.25

export interface Predictions {
  ability: Float64Array
  predictedVariance: Float64Array
  deviation: Float64Array
  informative: Float64Array
  /** exploitation value at the headroom asked for: alive times the expected worth, 0 to 0.25 */
  value: Float64Array
}

export function aliveOf(field: Field, task: number): number {
  return 1 - sigmoid(field.deadOdds[task]!)
}

const identity = (q: number) => q
const binomial = (q: number) => q * (1 - q)

function varianceOver(field: Field, task: number, places: Float64Array): number {
  const ratio = ratioOf(field.book, field.structure.environmentOf[task]!)
  return Math.min(MOST_VARIANCE, ratio * expectOver(places, binomial))
}

/** Expected variance of a group at logit mean and deviation, for a task that is alive: E[q (1 - q)] times the environment's ratio. */
export function varianceAt(field: Field, task: number, mean: number, deviation: number): number {
  return varianceOver(field, task, placesOf(mean, deviation))
}

function informativeOver(places: Float64Array, groupSize: number): number {
  const size = Math.max(1, groupSize)
  return Math.max(0, 1 - expectOver(places, (q) => q ** size + (1 - q) ** size))
}

/** Worth of a group at success probability q: max(0, ratio q (1 - q) - noise floor) (1 - q)^headroom, 0 to 0.25. */
export function worthOf(field: Field, task: number, q: number, headroom: number): number {
  const e = field.structure.environmentOf[task]!
  return Math.max(0, q * (1 - q) * ratioOf(field.book, e) - field.book.floor[e]!) * (1 - q) ** headroom
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
  const places = placesOf(moments.mean, deviation)
  const variance = varianceOver(field, task, places)
  const ratio = ratioOf(field.book, field.structure.environmentOf[task]!)
  const square = expectOver(places, (q) => Math.min(MOST_VARIANCE, ratio * q * (1 - q)) ** 2)
  return {
    ability: alive * expectOver(places, identity),
    predictedVariance: alive * variance,
    deviation,
    informative: alive * informativeOver(places, groupSize),
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
  const places = new Float64Array(NODES.length)
  for (let i = 0; i < n; i++) {
    const moments = momentsOf(field, i)
    const deviation = Math.sqrt(moments.variance)
    const alive = aliveOf(field, i)
    placesOf(moments.mean, deviation, places)
    all.ability[i] = alive * expectOver(places, identity)
    all.predictedVariance[i] = alive * varianceOver(field, i, places)
    all.deviation[i] = deviation
    all.informative[i] = alive * informativeOver(places, groupSize)
    all.value[i] = alive * expectOver(places, (q) => worthOf(field, i, q, headroom))
  }
  return all
}
