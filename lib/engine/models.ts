/**
 * The competing models of one run: fields with other settings, weighted by how well each predicted the groups that came.
 * Before a group is absorbed each model's score is the log likelihood of its rewards under what the model expected (its uncertainty
 * included); scores fade, so that a model that fits now outruns one that fitted once. weight = exp(score - best), those under LEAST are 0.
 * The placebo (the first model's settings, tasks permuted inside their environments) is scored the same way and never used.
 * Invariants: all fields absorb the same groups in the same order; weights sum to 1. Cost: that of the fields.
 */
import { absorbGroup, advanceField, setRange } from './field'
import { momentsOf } from './field-moments'
import type { FieldSettings } from './field-settings'
import { CONJUNCTIVE_SETTINGS, FIELD_SETTINGS, LOOSE_SETTINGS, PLAIN_SETTINGS } from './field-settings'
import { cloneField, createField, type Field } from './field-state'
import { expect } from './nodes'
import { mergeOlder, traceRoom } from './older'
import { aliveOf } from './predict'
import type { Structure } from './structure'
import { structurePart } from './structure-part'
import type { EngineTaskSet } from './task-set'
import type { GroupFacts } from './trace'

export interface Models {
  names: readonly string[]
  fields: Field[]
  /** faded log likelihood of each model */
  scores: Float64Array
  /** plain sums over all groups: rollouts, and minus log likelihood of each model */
  rollouts: number
  losses: Float64Array
}

/** One model, as pages and logs are told of it. */
export interface ModelWeight {
  name: string
  weight: number
  /** mean minus log likelihood a rollout over all groups so far, null before the first */
  logLoss: number | null
}

export interface ModelSettings {
  name: string
  settings: FieldSettings
}

export const MODEL_SETTINGS: readonly ModelSettings[] = [
  { name: 'conjunctive', settings: CONJUNCTIVE_SETTINGS },
  { name: 'conjunctive, loose', settings: LOOSE_SETTINGS },
  { name: 'additive', settings: FIELD_SETTINGS },
  { name: 'no structure', settings: PLAIN_SETTINGS },
]

/** how much of a score is kept from one group to the next: about the last hundred count */
const FADE = 0.99
/** a model may fall this far behind (nats): what once failed can still come back */
const FURTHEST = 6
const LEAST = 0.005
const LEAST_LIKELIHOOD = 1e-12

export function createModels(
  structure: Structure,
  set: EngineTaskSet,
  all: readonly ModelSettings[] = MODEL_SETTINGS,
): Models {
  const fields = all.map(({ settings }) => createField(structurePart(structure, settings), set, settings))
  return {
    names: all.map(({ name }) => name),
    fields,
    scores: new Float64Array(all.length),
    rollouts: 0,
    losses: new Float64Array(all.length),
  }
}

export function cloneModels(models: Models): Models {
  return {
    ...models,
    fields: models.fields.map(cloneField),
    scores: models.scores.slice(),
    losses: models.losses.slice(),
  }
}

/** Weight of each model, 0 to 1, summing to 1. */
export function weightsOf({ scores }: Models): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), -Infinity)
  const raw = scores.map((score) => Math.exp(score - best))
  const floor = LEAST * raw.reduce((sum, x) => sum + x, 0)
  const kept = raw.map((x) => (x < floor ? 0 : x))
  const total = kept.reduce((sum, x) => sum + x, 0)
  return kept.map((x) => x / total)
}

export function modelWeights(models: Models): ModelWeight[] {
  const weights = weightsOf(models)
  return models.names.map((name, m) => ({
    name,
    weight: weights[m]!,
    logLoss: models.rollouts === 0 ? null : models.losses[m]! / models.rollouts,
  }))
}

/** Log likelihood of `successes` (fractional where graded) of `trials` under what the field expects, in nats. */
export function logLikelihood(field: Field, task: number, successes: number, trials: number): number {
  const { mean, variance } = momentsOf(field, task)
  const alive = aliveOf(field, task)
  const likelihood = expect(mean, Math.sqrt(variance), (q) => q ** successes * (1 - q) ** (trials - successes))
  return Math.log(Math.max(LEAST_LIKELIHOOD, alive * likelihood + (successes === 0 ? 1 - alive : 0)))
}

function normalisedMean(field: Field, { task, trusted, sum }: GroupFacts): number {
  const e = field.structure.environmentOf[task]!
  return Math.max(0, Math.min(1, (sum / trusted - field.low[e]!) / (field.high[e]! - field.low[e]!)))
}

/** Scores every model on a group, then lets all absorb it. Throws RangeError as absorbGroup does; nothing changes then. */
export function absorb(models: Models, group: GroupFacts): void {
  const { fields, scores, losses } = models
  const [first] = fields
  const known = first !== undefined && group.trusted > 0 && first.structure.environmentOf[group.task] !== undefined
  const successes = known ? group.trusted * normalisedMean(first, group) : 0
  const gained = known ? fields.map((field) => logLikelihood(field, group.task, successes, group.trusted)) : []
  for (const field of fields) absorbGroup(field, group)
  const room = Math.min(...fields.map(traceRoom))
  for (const field of fields) mergeOlder(field, room)
  if (!known) return
  gained.forEach((gain, m) => {
    scores[m] = FADE * scores[m]! + gain
    losses[m]! -= gain
  })
  models.rollouts += group.trusted
  const best = scores.reduce((most, score) => Math.max(most, score), -Infinity)
  for (let m = 0; m < scores.length; m++) scores[m] = Math.max(scores[m]!, best - FURTHEST)
}

export function advanceModels(models: Models, policyVersions: number): void {
  for (const field of models.fields) advanceField(field, policyVersions)
}

export function setModelsRange(models: Models, environment: number, low: number, high: number): void {
  for (const field of models.fields) setRange(field, environment, low, high)
}

/** Reward range of each environment in force. */
export function rangesOf({ fields }: Models): { low: Float64Array; high: Float64Array } {
  const { low, high } = fields[0]!
  return { low, high }
}
