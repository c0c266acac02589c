/**
 * What the models together expect of the next group: every answer is the average of theirs by weight.
 * Owns: averaging; the spread also holds how far the models are apart. Must never know: how a model predicts.
 * Invariant: a model of weight 0 is not asked. Cost: that of the models with weight.
 */
import type { Prediction } from './decision'
import { knowledgeOf } from './knowledge'
import { type Models, weightsOf } from './models'
import { aliveOf, type Predictions, predictAll, predictTask, worthOf } from './predict'

export interface MixedPredictions extends Predictions {
  alive: Float64Array
}

export function predictMixedTask(models: Models, task: number, groupSize: number): Prediction {
  const mixed: Prediction = { ability: 0, predictedVariance: 0, deviation: 0, informative: 0, alive: 0, spread: 0 }
  let square = 0
  weightsOf(models).forEach((weight, m) => {
    if (weight === 0) return
    const one = predictTask(models.fields[m]!, task, groupSize)
    for (const name of ['ability', 'predictedVariance', 'deviation', 'informative', 'alive'] as const)
      mixed[name] += weight * one[name]
    square += weight * (one.spread ** 2 + one.predictedVariance ** 2)
  })
  mixed.spread = Math.sqrt(Math.max(0, square - mixed.predictedVariance ** 2))
  return mixed
}

/** Predictions of each model; null where it has no weight. */
export function predictEach(models: Models, groupSize: number, headroom: number): (Predictions | null)[] {
  const weights = weightsOf(models)
  return models.fields.map((field, m) => (weights[m] === 0 ? null : predictAll(field, groupSize, headroom)))
}

/** `each`: what `predictEach` says. */
export function predictMixed(models: Models, each: readonly (Predictions | null)[]): MixedPredictions {
  const n = models.fields[0]?.structure.tasks ?? 0
  const column = () => new Float64Array(n)
  const mixed: MixedPredictions = {
    ability: column(),
    predictedVariance: column(),
    deviation: column(),
    informative: column(),
    value: column(),
    alive: column(),
  }
  weightsOf(models).forEach((weight, m) => {
    const all = each[m] ?? null
    if (all === null) return
    const field = models.fields[m]!
    for (const name of Object.keys(all) as (keyof Predictions)[])
      for (let i = 0; i < n; i++) mixed[name][i]! += weight * all[name][i]!
    for (let i = 0; i < n; i++) mixed.alive[i]! += weight * aliveOf(field, i)
  })
  return mixed
}

/**
 * What a group of each task would teach about its environment, in units of value, for batches of `size`. `each`: what `predictEach` says
 * at this headroom.
 */
export function mixedKnowledge(
  models: Models,
  each: readonly (Predictions | null)[],
  headroom: number,
  size: number,
): Float64Array {
  const n = models.fields[0]?.structure.tasks ?? 0
  const mixed = new Float64Array(n)
  weightsOf(models).forEach((weight, m) => {
    const value = each[m]?.value ?? null
    if (value === null || n === 0) return
    const field = models.fields[m]!
    const threshold = Float64Array.from(value).sort()[Math.max(0, n - Math.max(1, Math.round(size)))]!
    const alive = value.map((_, i) => aliveOf(field, i))
    const knowledge = knowledgeOf(field, { value, alive }, (task, q) => worthOf(field, task, q, headroom), threshold)
    for (let i = 0; i < n; i++) mixed[i]! += weight * knowledge[i]!
  })
  return mixed
}
