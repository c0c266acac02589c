/**
 * Every term of a score, in the order value, override, coverage, recency, similarity, trust, cost, quota; the last two but one
 * make the term `cost` together.
 * Owns: the constants of the score and the signed change each term makes. Must never know: which tasks are in a batch.
 * Invariant: `score` = sum of the terms (1e-12 of rounding); a score never rises when similarity rises.
 * Shapes: columns by task. Cost: O(N) for the columns, O(1) a score.
 */
import type { WeightName } from './config'
import { relativeCosts } from './cost'
import type { Terms } from './decision'
import type { State } from './state'
import { trustOf } from './trust'

/** Constants of the score, in one place. Areas are those of the small world's curves (80 to 120 steps), paired over 8 tuning seeds. */
export const SCORE = {
  /** batches after which the recency penalty has fallen by e; the trials' value, flat there */
  recencyBatches: 3,
  /** what an environment without picks adds, falling with the square root of its fading picks; the trials' value */
  environmentDeficit: 0.03,
  /** the same for a pattern of calls; small, so that it only parts near-ties */
  patternDeficit: 0.01,
  /**
   * share of a task's knowledge gradient that counts as value: area .380 at 0, .385 at .1, .388 at .2. It took the place of a bonus for
   * the task's own uncertainty, which cost .001 and, beside it, .005
   */
  knowledge: 0.2,
  /** most that an owed lower quota adds: over any exploitation value's difference that matters, under the largest value */
  quota: 0.04,
}

export interface Scores {
  exploitation: Float64Array
  override: Float64Array
  coverage: Float64Array
  recency: Float64Array
  /** the sum of the four above, >= 0 */
  base: Float64Array
  /** expected trusted share, (0, 1] */
  trust: Float64Array
  /** trust over the relative cost to the power of its weight, > 0 */
  worth: Float64Array
  /** weight of the similarity penalty, 0 to 1 */
  similarity: number
}

/** What the field says of each task beside its value. Columns by task. */
export interface Beliefs {
  ability: Float64Array
  deviation: Float64Array
  alive: Float64Array
  /** knowledge gradient, in units of value */
  knowledge: Float64Array | null
}

/** What is scored. Controls have no beliefs: no coverage, recency, similarity or trust, only their own score. */
export interface Valued {
  values: Float64Array
  beliefs: Beliefs | null
}

/** Share of the score that a task picked `age` batches ago loses at full weight. */
export function recencyShare(age: number): number {
  return Math.exp(-Math.max(0, age) / SCORE.recencyBatches)
}

export interface Context {
  state: State
  environmentOf: Int32Array
  pattern: Int32Array
}

/** Each term before its weight, by task; null columns are not scored (controls). Independent of every weight but headroom. */
export interface Units {
  value: Float64Array
  coverage: Float64Array | null
  /** share of the score lost at full weight, 0 to 1 */
  recency: Float64Array | null
  trust: Float64Array | null
  /** expected cost over the run's mean */
  cost: Float64Array | null
}

/**
 * To the nearest 2^-32: the order in which a field adds up changes last digits, and tasks that are alike to it shall tie, so that
 * the draw parts them and not their numbers.
 */
const settled = (column: Float64Array) => column.map((one) => Math.round(one * 2 ** 32) / 2 ** 32)

export function unitsOf(context: Context, valued: Valued): Units {
  const { state, environmentOf, pattern } = context
  const { values, beliefs } = valued
  if (beliefs === null) return { value: values, coverage: null, recency: null, trust: null, cost: null }
  const around = state.environments.covered.map((picks) => SCORE.environmentDeficit / Math.sqrt(1 + picks))
  const alike = state.patterns.covered.map((picks) => SCORE.patternDeficit / Math.sqrt(1 + picks))
  const now = state.totals.clock + 1
  return {
    value: settled(values),
    coverage: settled(
      values.map(
        (_, i) =>
          SCORE.knowledge * (beliefs.knowledge?.[i] ?? 0) +
          beliefs.alive[i]! * (around[environmentOf[i]!]! + alike[pattern[i]!]!),
      ),
    ),
    recency: state.tasks.lastClock.map((last) => (last >= 0 ? recencyShare(now - last) : 0)),
    trust: values.map((_, i) => trustOf(state, i, environmentOf[i]!)),
    cost: relativeCosts(state, environmentOf),
  }
}

export function scoresOf(units: Units, weights: Record<WeightName, number>, boost: Float64Array): Scores {
  const { value, coverage, recency, cost } = units
  const n = value.length
  const column = () => new Float64Array(n)
  const weight = coverage === null ? 1 : weights.exploitation
  const trust = units.trust ?? column().fill(1)
  const counts = cost !== null && weights.cost > 0
  const scores: Scores = {
    exploitation: value.map((one) => weight * one),
    override: column(),
    coverage: column(),
    recency: column(),
    base: column(),
    trust,
    worth: counts ? trust.map((share, i) => share / cost[i]! ** weights.cost) : trust,
    similarity: coverage === null ? 0 : weights.similarity,
  }
  for (let i = 0; i < n; i++) {
    scores.override[i] = scores.exploitation[i]! * (boost[i]! - 1)
    if (coverage !== null) scores.coverage[i] = weights.coverage * coverage[i]!
    const sum = scores.exploitation[i]! + scores.override[i]! + scores.coverage[i]!
    if (recency !== null) scores.recency[i] = 0 - sum * weights.recency * recency[i]!
    scores.base[i] = sum + scores.recency[i]!
  }
  return scores
}

/** Score of task i with the largest similarity to the batch and what its environment is owed. */
export function scoreOf(scores: Scores, i: number, similarity: number, quota: number): number {
  return scores.base[i]! * (1 - scores.similarity * similarity) * scores.worth[i]! + quota
}

export function termsOf(scores: Scores, i: number, similarity: number, quota: number): Terms {
  const base = scores.base[i]!
  const penalty = base * scores.similarity * similarity
  return {
    exploitation: scores.exploitation[i]!,
    coverage: scores.coverage[i]!,
    recency: scores.recency[i]!,
    similarity: 0 - penalty,
    quota,
    override: scores.override[i]!,
    cost: 0 - (base - penalty) * (1 - scores.worth[i]!),
  }
}

/** The term that moved the score most. */
export function largestTerm(terms: Terms): keyof Terms {
  let best: keyof Terms = 'exploitation'
  for (const name of Object.keys(terms) as (keyof Terms)[])
    if (Math.abs(terms[name]) > Math.abs(terms[best])) best = name
  return best
}
