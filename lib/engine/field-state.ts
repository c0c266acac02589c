/**
 * The field's state: what is believed of every effect and task, and the trace of how it came about.
 * Shapes: n common effects, m_e effects of environment e, k_e common effects that its tasks touch; covariances row by row.
 * Kept of the joint covariance: n x n of the common part; for each environment its m x m block and the m x k regression of the
 * block on the common effects. Blocks of two environments are never held against each other.
 * Invariant: plain data; every number finite; means are deviations from the prior mean (of a speed: from the speed's).
 */
import type { Move } from './field-exposure'
import { type Layout, layoutOf } from './field-layout'
import { FIELD_SETTINGS, type FieldSettings } from './field-settings'
import { cloneOlder } from './older'
import type { Structure } from './structure'
import type { EngineTaskSet } from './task-set'
import { emptyOlder, type Older, type TracedGroup } from './trace'
import { emptyBook, type VarianceBook } from './variance-book'

export interface Block {
  covariance: Float64Array
  regression: Float64Array
}

export interface Field {
  settings: FieldSettings
  structure: Structure
  layout: Layout
  /** policy versions advanced so far */
  versions: number
  mean: Float64Array
  common: Float64Array
  blocks: Block[]
  taskVariance: Float64Array
  /** log odds that a task can never be solved */
  deadOdds: Float64Array
  /** reward range of each environment */
  low: Float64Array
  high: Float64Array
  book: VarianceBook
  /** by effect before the tasks: spread times amount, summed over the `exposed` groups since the policy last advanced */
  exposure: Float64Array
  exposed: number
  trace: TracedGroup[]
  /** moves by exposure that no merged group came after, oldest first */
  moves: Move[]
  /** groups that went from the trace into `older` */
  merged: number
  older: Older
}

function diagonal(variances: Float64Array): Float64Array {
  const n = variances.length
  const matrix = new Float64Array(n * n)
  for (let d = 0; d < n; d++) matrix[d * n + d] = variances[d]!
  return matrix
}

export function deadPriorOdds(settings: FieldSettings): number {
  return Math.log(settings.dead / (1 - settings.dead))
}

/** A field that has seen nothing, with the given reward ranges. */
export function priorField(
  structure: Structure,
  layout: Layout,
  settings: FieldSettings,
  low: Float64Array,
  high: Float64Array,
): Field {
  const { prior, blockStart, common, taskStart } = layout
  return {
    settings,
    structure,
    layout,
    versions: 0,
    mean: new Float64Array(layout.size),
    common: diagonal(prior.subarray(0, common)),
    blocks: layout.touched.map((touched, e) => ({
      covariance: diagonal(prior.subarray(blockStart[e]!, blockStart[e + 1]!)),
      regression: new Float64Array((blockStart[e + 1]! - blockStart[e]!) * touched.length),
    })),
    taskVariance: prior.slice(taskStart),
    deadOdds: new Float64Array(structure.tasks).fill(deadPriorOdds(settings)),
    low,
    high,
    book: emptyBook(structure.tasks, structure.environments),
    exposure: new Float64Array(taskStart),
    exposed: 0,
    trace: [],
    moves: [],
    merged: 0,
    older: emptyOlder(),
  }
}

/** The field of a task set before its first group. An undeclared reward range starts at [0, 1]. */
export function createField(structure: Structure, set: EngineTaskSet, settings: FieldSettings = FIELD_SETTINGS): Field {
  if (set.tasks.length !== structure.tasks || set.environments.length !== structure.environments) {
    throw new RangeError(`The structure has ${structure.tasks} tasks, the set ${set.tasks.length}.`)
  }
  const low = Float64Array.from(set.environments, (environment) => environment.rewardRange?.[0] ?? 0)
  const high = Float64Array.from(set.environments, (environment) => environment.rewardRange?.[1] ?? 1)
  return priorField(structure, layoutOf(structure, settings), settings, low, high)
}

/** A copy that shares nothing that changes. */
export function cloneField(field: Field): Field {
  return {
    ...field,
    mean: field.mean.slice(),
    common: field.common.slice(),
    blocks: field.blocks.map((b) => ({ covariance: b.covariance.slice(), regression: b.regression.slice() })),
    taskVariance: field.taskVariance.slice(),
    deadOdds: field.deadOdds.slice(),
    low: field.low.slice(),
    high: field.high.slice(),
    book: Object.fromEntries(
      Object.entries(field.book).map(([name, array]) => [name, array.slice()]),
    ) as unknown as VarianceBook,
    exposure: field.exposure.slice(),
    trace: field.trace.slice(),
    moves: field.moves.slice(),
    older: cloneOlder(field.older),
  }
}
