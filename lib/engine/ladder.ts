/**
 * The fallback ladder: full field, without cross edges, environment means, uniform. Never an exception, never a loop.
 * Owns: deciding the rung from what the field answered, and the predictions of the lower rungs.
 * Invariant: every prediction it hands out is finite and in range. Cost: O(N) beside the field's.
 */
import type { Prediction, Rung } from './decision'
import { mixedKnowledge, predictEach, predictMixed, predictMixedTask } from './mixture'
import type { Models } from './models'
import type { State } from './state'

/** Columns by task, as in Prediction. `value`: E[q (1 - q) (1 - q)^h], times the probability of being alive. */
export interface Reading {
  rung: Rung
  why: string | null
  ability: Float64Array
  predictedVariance: Float64Array
  deviation: Float64Array
  informative: Float64Array
  alive: Float64Array
  value: Float64Array
  /** what a group of each task would teach about its environment, in units of value; null where nothing can tell */
  knowledge: Float64Array | null
  predictionOf: (task: number, size?: number) => Prediction
}

const PRIOR = { mass: 4, mean: 0.3, variance: 0.1, deviation: 1.5, task: 1.5 }

/** Index of the first task whose prediction is not finite or out of range, -1 = none. */
function firstUnsound(reading: Reading): number {
  const { ability, predictedVariance, deviation, informative, alive, value, knowledge } = reading
  const inside = (x: number, most: number) => x >= 0 && x <= most
  for (let i = 0; i < ability.length; i++) {
    const sound =
      inside(ability[i]!, 1 + 1e-9) &&
      inside(predictedVariance[i]!, 0.25 + 1e-9) &&
      inside(deviation[i]!, Number.MAX_VALUE) &&
      inside(informative[i]!, 1 + 1e-9) &&
      inside(alive[i]!, 1) &&
      inside(value[i]!, 1) &&
      (knowledge === null || inside(knowledge[i]!, Number.MAX_VALUE))
    if (!sound) return i
  }
  return -1
}

/** The models' own answer, or one sentence that says what is wrong with it. `size` 0: no knowledge is asked for. */
function readModels(models: Models, groupSize: number, headroom: number, size: number): Reading | string {
  try {
    const predictionOf = (task: number, asked = groupSize) => predictMixedTask(models, task, asked)
    const each = predictEach(models, groupSize, headroom)
    const knowledge = size > 0 ? mixedKnowledge(models, each, headroom, size) : null
    const mixed = predictMixed(models, each)
    const reading: Reading = { rung: 'full', why: null, knowledge, predictionOf, ...mixed }
    const unsound = firstUnsound(reading)
    return unsound < 0 ? reading : `The field has no sound prediction for task ${unsound}.`
  } catch (error) {
    return `The field failed: ${error instanceof Error ? error.message : 'unknown cause'}.`
  }
}

const informativeAt = (mean: number, size: number) => Math.max(0, 1 - mean ** size - (1 - mean) ** size)

/** A reading without a field. `at(i)` = [mass, mean, variance] of task i. */
function readMoments(
  rung: Rung,
  why: string,
  tasks: number,
  groupSize: number,
  headroom: number,
  at: (task: number) => [number, number, number],
): Reading {
  const column = () => new Float64Array(tasks)
  const columns = {
    ability: column(),
    predictedVariance: column(),
    deviation: column(),
    informative: column(),
    alive: column().fill(1),
    value: column(),
  }
  for (let i = 0; i < tasks; i++) {
    const [mass, mean, variance] = at(i)
    columns.ability[i] = mean
    columns.predictedVariance[i] = Math.min(0.25, variance)
    columns.deviation[i] = PRIOR.deviation / Math.sqrt(1 + mass)
    columns.informative[i] = informativeAt(mean, groupSize)
    columns.value[i] = rung === 'uniform' ? 0 : columns.predictedVariance[i]! * (1 - mean) ** headroom
  }
  const predictionOf = (task: number, size = groupSize): Prediction => ({
    ability: columns.ability[task]!,
    predictedVariance: columns.predictedVariance[task]!,
    deviation: columns.deviation[task]!,
    informative: informativeAt(columns.ability[task]!, size),
    alive: 1,
    spread: 0,
  })
  return { rung, why, ...columns, knowledge: null, predictionOf }
}

/** Mass, mean and variance around a task: its environment's average, and on top its own where `own`. */
function averages(state: State, environmentOf: Int32Array, own: boolean): (task: number) => [number, number, number] {
  const { tasks, environments } = state
  return (i) => {
    const e = environmentOf[i]!
    const around = environments.mass[e]! + PRIOR.mass
    const mean = (environments.mean[e]! + PRIOR.mass * PRIOR.mean) / around
    const variance = (environments.variance[e]! + PRIOR.mass * PRIOR.variance) / around
    if (!own) return [0, mean, variance]
    const mass = tasks.mass[i]!
    const whole = mass + PRIOR.task
    return [mass, (tasks.mean[i]! + PRIOR.task * mean) / whole, (tasks.variance[i]! + PRIOR.task * variance) / whole]
  }
}

/** The highest rung that is sound. `size`: picks of the batch that is read for, 0 = none. On the last one nothing is known: all values are 0 and the batch is drawn uniformly. */
export function readLadder(
  models: Models,
  state: State,
  environmentOf: Int32Array,
  groupSize: number,
  headroom: number,
  size = 0,
): Reading {
  const full = readModels(models, groupSize, headroom, size)
  if (typeof full !== 'string') return full
  const n = environmentOf.length
  const lower = [
    ['no_cross', averages(state, environmentOf, true)],
    ['environment_means', averages(state, environmentOf, false)],
  ] as const
  for (const [rung, at] of lower) {
    const reading = readMoments(rung, full, n, groupSize, headroom, at)
    if (firstUnsound(reading) < 0) return reading
  }
  return readMoments('uniform', full, n, groupSize, headroom, () => [0, PRIOR.mean, PRIOR.variance])
}
