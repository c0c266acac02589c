/**
 * The competing models of one run: fields with other settings, weighted by how well each predicted the groups that came.
 * Before a group is absorbed each model's score is the log likelihood of its rewards under what the model expected (its uncertainty
 * included); scores fade, so that a model that fits now outruns one that fitted once. weight = exp(score - best), those under LEAST are 0.
 * Shadows are scored beside and never used: the placebo (the first model's settings, tasks permuted inside their environments) and the
 * simple predictors of simple-shadows.ts.
 * Invariants: all fields absorb the same groups in the same order; weights sum to 1, a shadow's is 0. Cost: that of the fields.
 */
import { absorbGroup, advanceField, setRange } from './field'
import { momentsOf } from './field-moments'
import type { FieldSettings } from './field-settings'
import { CONJUNCTIVE_SETTINGS, FIELD_SETTINGS, LOOSE_SETTINGS, PLAIN_SETTINGS } from './field-settings'
import { cloneField, createField, type Field } from './field-state'
import { expect } from './nodes'
import { mergeOlder, traceRoom } from './older'
import { permutedStructure } from './permuted'
import { aliveOf } from './predict'
import {
  cloneShadows,
  countGroup,
  emptyShadows,
  SIMPLE_SHADOWS,
  type SimpleShadows,
  shadowLikelihoods,
} from './simple-shadows'
import type { Structure } from './structure'
import { structurePart } from './structure-part'
import type { EngineTaskSet } from './task-set'
import type { GroupFacts } from './trace'

export interface Models {
  names: readonly string[]
  fields: Field[]
  /** by field: false = a shadow */
  used: readonly boolean[]
  shadows: SimpleShadows
  /** faded log likelihood of each field */
  scores: Float64Array
  /** rollouts scored so far (MOST_SCORED of a group at most): all of them, and fading */
  rollouts: Float64Array
  /** minus log likelihood of each predictor over all groups, and fading: fields, then simple shadows, then all together */
  losses: Float64Array
  recent: Float64Array
}

/** One predictor, as pages and logs are told of it. */
export interface PredictorRecord {
  name: string
  /** model: competes for weight. shadow: never used. mixture: what was predicted */
  kind: 'model' | 'shadow' | 'mixture'
  /** share in the prediction, 0 to 1 */
  weight: number
  /** mean minus log likelihood a rollout, over all groups and over about the last hundred; null before the first */
  logLoss: number | null
  recentLogLoss: number | null
}

export interface ModelSettings {
  name: string
  settings: FieldSettings
  /** on permuted structure, scored and never used */
  placebo?: true
}

export const MODEL_SETTINGS: readonly ModelSettings[] = [
  { name: 'conjunctive', settings: CONJUNCTIVE_SETTINGS },
  { name: 'conjunctive, loose', settings: LOOSE_SETTINGS },
  { name: 'additive', settings: FIELD_SETTINGS },
  { name: 'no structure', settings: PLAIN_SETTINGS },
  { name: 'placebo', settings: CONJUNCTIVE_SETTINGS, placebo: true },
]

/** Those that may be used: what a simulation needs. */
export const COMPETING: readonly ModelSettings[] = MODEL_SETTINGS.filter(({ placebo }) => placebo !== true)

/** how much of a score is kept from one group to the next: about the last hundred count */
const FADE = 0.99
/** a model may fall this far behind (nats): what once failed can still come back */
const FURTHEST = 6
const LEAST = 0.005
const LEAST_LIKELIHOOD = 1e-12
/**
 * Rollouts that a group is scored by: a larger one counts as so many with the same share of successes. Further on every likelihood would
 * lie under LEAST_LIKELIHOOD, models would tie at it, and the nodes of the expectation stand too far apart for so narrow a peak.
 */
export const MOST_SCORED = 32

/** Structure that a model sees. */
export function structureOf(structure: Structure, { settings, placebo }: ModelSettings): Structure {
  return structurePart(placebo === true ? permutedStructure(structure) : structure, settings)
}

export function createModels(
  structure: Structure,
  set: EngineTaskSet,
  all: readonly ModelSettings[] = MODEL_SETTINGS,
): Models {
  const fields = all.map((model) => createField(structureOf(structure, model), set, model.settings))
  return unscored(structure, all, fields)
}

/** Models with these fields, in the order of `all`, before any group was scored. */
export function unscored(structure: Structure, all: readonly ModelSettings[], fields: Field[]): Models {
  const predictors = all.length + SIMPLE_SHADOWS.length + 1
  return {
    names: all.map(({ name }) => name),
    fields,
    used: all.map(({ placebo }) => placebo !== true),
    shadows: emptyShadows(structure.tasks, structure.environments),
    scores: new Float64Array(all.length),
    rollouts: new Float64Array(2),
    losses: new Float64Array(predictors),
    recent: new Float64Array(predictors),
  }
}

export function cloneModels(models: Models): Models {
  return {
    ...models,
    fields: models.fields.map(cloneField),
    shadows: cloneShadows(models.shadows),
    scores: models.scores.slice(),
    rollouts: models.rollouts.slice(),
    losses: models.losses.slice(),
    recent: models.recent.slice(),
  }
}

/** Weight of each field, 0 to 1, summing to 1. */
export function weightsOf({ scores, used }: Models): Float64Array {
  const best = scores.reduce((most, score, m) => (used[m] === true ? Math.max(most, score) : most), -Infinity)
  const raw = scores.map((score, m) => (used[m] === true ? Math.exp(score - best) : 0))
  const floor = LEAST * raw.reduce((sum, x) => sum + x, 0)
  const kept = raw.map((x) => (x < floor ? 0 : x))
  const total = kept.reduce((sum, x) => sum + x, 0)
  return kept.map((x) => x / total)
}

export function predictorRecords(models: Models): PredictorRecord[] {
  const weights = weightsOf(models)
  const [all = 0, recent = 0] = models.rollouts
  const names = [...models.names, ...SIMPLE_SHADOWS, 'all together']
  const kindOf = (at: number) =>
    at < models.used.length && models.used[at] === true ? 'model' : at < names.length - 1 ? 'shadow' : 'mixture'
  return names.map((name, at) => ({
    name,
    kind: kindOf(at),
    weight: at < weights.length ? weights[at]! : 0,
    logLoss: all === 0 ? null : models.losses[at]! / all,
    recentLogLoss: recent === 0 ? null : models.recent[at]! / recent,
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

/** Log likelihood of a group under each predictor, in the order of `losses`. */
function likelihoods(models: Models, group: { task: number; environment: number; successes: number; trials: number }) {
  const ofFields = models.fields.map((field) => logLikelihood(field, group.task, group.successes, group.trials))
  const together = weightsOf(models).reduce((sum, weight, m) => sum + weight * Math.exp(ofFields[m]!), 0)
  return [...ofFields, ...shadowLikelihoods(models.shadows, group), Math.log(Math.max(LEAST_LIKELIHOOD, together))]
}

function score(models: Models, gained: readonly number[], trials: number): void {
  const { scores, losses, recent, rollouts, used } = models
  gained.forEach((gain, at) => {
    losses[at]! -= gain
    recent[at] = FADE * recent[at]! - gain
  })
  rollouts[0]! += trials
  rollouts[1] = FADE * rollouts[1]! + trials
  for (let m = 0; m < scores.length; m++) scores[m] = FADE * scores[m]! + gained[m]!
  const best = scores.reduce((most, one, m) => (used[m] === true ? Math.max(most, one) : most), -Infinity)
  for (let m = 0; m < scores.length; m++) scores[m] = Math.max(scores[m]!, best - FURTHEST)
}

/** Scores every predictor on a group, then lets all learn from it. Throws RangeError as absorbGroup does; nothing changes then. */
export function absorb(models: Models, facts: GroupFacts): void {
  const { fields } = models
  const [first] = fields
  const environment = first?.structure.environmentOf[facts.task]
  const readable = first !== undefined && environment !== undefined && facts.trusted > 0
  const trials = Math.min(facts.trusted, MOST_SCORED)
  const group = {
    task: facts.task,
    environment: environment ?? 0,
    successes: readable ? trials * normalisedMean(first, facts) : 0,
    trials,
  }
  const gained = readable ? likelihoods(models, group) : []
  for (const field of fields) absorbGroup(field, facts)
  const room = Math.min(...fields.map(traceRoom))
  for (const field of fields) mergeOlder(field, room)
  if (!readable) return
  score(models, gained, trials)
  countGroup(models.shadows, group)
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
