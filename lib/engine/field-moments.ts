/**
 * Mean, variance and gain of one task's logit.
 * Shapes: h = (h_c, h_u, 1): the task's row over the common effects, its environment's block and its own deviation. With P the
 * common covariance, G the block's regression, V its covariance: var f = h_c P h_c + 2 h_c P G' h_u + h_u V h_u + v.
 * Cost: entries of the row times touched common effects; a gain also common effects times touched ones.
 */
import { lineOf } from './field-line'
import type { Field } from './field-state'

export interface Moments {
  /** logit, prior mean included */
  mean: number
  variance: number
}

export interface Gain {
  /** h_c + G' h_u over the touched common effects: the row once the block is regressed on the common part */
  lifted: Float64Array
  /** covariance of f with the common effects and with the block */
  common: Float64Array
  own: Float64Array
  /** variance of f, and what of it is left once the common effects are known; both without the task's own deviation */
  variance: number
  conditional: number
  /** block covariance with f once the common effects are known */
  residual: Float64Array
}

const LEAST_VARIANCE = 1e-9

/** G' h_u of a task, over the touched common effects of its environment. `amounts`: of its row. */
function liftedBlock(field: Field, task: number, amounts: Float64Array): Float64Array {
  const { layout, blocks, structure } = field
  const e = structure.environmentOf[task]!
  const k = layout.touched[e]!.length
  const { regression } = blocks[e]!
  const lifted = new Float64Array(k)
  const first = layout.rowStart[task]!
  for (let r = layout.rowSplit[task]!; r < layout.rowStart[task + 1]!; r++) {
    const amount = amounts[r - first]!
    const row = layout.rowLocal[r]! * k
    for (let s = 0; s < k; s++) lifted[s]! += amount * regression[row + s]!
  }
  return lifted
}

/** Mean and variance of a task's logit under the current policy. */
export function momentsOf(field: Field, task: number): Moments {
  const { layout, common, blocks, structure } = field
  const n = layout.common
  const e = structure.environmentOf[task]!
  const touched = layout.touched[e]!
  const { covariance } = blocks[e]!
  const width = layout.blockStart[e + 1]! - layout.blockStart[e]!
  const first = layout.rowStart[task]!
  const split = layout.rowSplit[task]!
  const last = layout.rowStart[task + 1]!
  const { logit, amounts } = lineOf(field, task)
  const across = liftedBlock(field, task, amounts)
  for (let s = 0; s < across.length; s++) across[s]! *= 2
  for (let r = first; r < split; r++) across[layout.rowLocal[r]!]! += amounts[r - first]!
  let variance = field.taskVariance[task]!
  for (let r = first; r < split; r++) {
    const row = layout.rowIndex[r]! * n
    let sum = 0
    for (let s = 0; s < touched.length; s++) sum += common[row + touched[s]!]! * across[s]!
    variance += amounts[r - first]! * sum
  }
  for (let r = split; r < last; r++) {
    const row = layout.rowLocal[r]! * width
    let sum = 0
    for (let q = split; q < last; q++) sum += covariance[row + layout.rowLocal[q]!]! * amounts[q - first]!
    variance += amounts[r - first]! * sum
  }
  return { mean: logit, variance: Math.max(LEAST_VARIANCE, variance) }
}

/** How f moves together with every effect it can move. `amounts`: of the task's row, as `lineOf` tells them. */
export function gainOf(field: Field, task: number, amounts: Float64Array): Gain {
  const { layout, common, blocks, structure } = field
  const n = layout.common
  const e = structure.environmentOf[task]!
  const touched = layout.touched[e]!
  const k = touched.length
  const width = layout.blockStart[e + 1]! - layout.blockStart[e]!
  const { covariance, regression } = blocks[e]!
  const split = layout.rowSplit[task]!
  const last = layout.rowStart[task + 1]!
  const first = layout.rowStart[task]!
  const lifted = liftedBlock(field, task, amounts)
  for (let r = first; r < split; r++) lifted[layout.rowLocal[r]!]! += amounts[r - first]!
  const commonGain = new Float64Array(n)
  for (let d = 0; d < n; d++) {
    let sum = 0
    for (let s = 0; s < k; s++) sum += common[d * n + touched[s]!]! * lifted[s]!
    commonGain[d] = sum
  }
  // Over the touched effects: P h_c, to carry the common part into the block.
  const carried = new Float64Array(k)
  for (let s = 0; s < k; s++) {
    const row = touched[s]! * n
    for (let r = first; r < split; r++) carried[s]! += common[row + layout.rowIndex[r]!]! * amounts[r - first]!
  }
  const own = new Float64Array(width)
  const residual = new Float64Array(width)
  for (let b = 0; b < width; b++) {
    let sum = 0
    for (let r = split; r < last; r++) sum += covariance[b * width + layout.rowLocal[r]!]! * amounts[r - first]!
    let explained = 0
    for (let s = 0; s < k; s++) {
      sum += regression[b * k + s]! * carried[s]!
      explained += regression[b * k + s]! * commonGain[touched[s]!]!
    }
    own[b] = sum
    residual[b] = sum - explained
  }
  let conditional = 0
  for (let r = split; r < last; r++) conditional += amounts[r - first]! * residual[layout.rowLocal[r]!]!
  conditional = Math.max(0, conditional)
  let variance = conditional
  for (let s = 0; s < k; s++) variance += lifted[s]! * commonGain[touched[s]!]!
  return { lifted, common: commonGain, own, variance: Math.max(LEAST_VARIANCE, variance), conditional, residual }
}

/** Covariance of the common effects that an environment touches, row by row. */
export function touchedCovariance({ layout, common }: Field, e: number): Float64Array {
  const touched = layout.touched[e]!
  const k = touched.length
  const near = new Float64Array(k * k)
  for (let s = 0; s < k; s++)
    for (let t = 0; t < k; t++) near[s * k + t] = common[touched[s]! * layout.common + touched[t]!]!
  return near
}

/**
 * How f moves together with the effects that tasks of its own environment depend on, and its variance. `near`: touchedCovariance of
 * the environment, which all its tasks share.
 */
export function nearGain(
  field: Field,
  task: number,
  amounts: Float64Array,
  near: Float64Array,
): { touched: Float64Array; own: Float64Array; variance: number } {
  const { layout, blocks, structure } = field
  const e = structure.environmentOf[task]!
  const k = layout.touched[e]!.length
  const width = layout.blockStart[e + 1]! - layout.blockStart[e]!
  const { covariance, regression } = blocks[e]!
  const first = layout.rowStart[task]!
  const split = layout.rowSplit[task]!
  const last = layout.rowStart[task + 1]!
  const lifted = liftedBlock(field, task, amounts)
  for (let r = first; r < split; r++) lifted[layout.rowLocal[r]!]! += amounts[r - first]!
  const touched = new Float64Array(k)
  const carried = new Float64Array(k)
  for (let s = 0; s < k; s++) {
    const row = s * k
    let sum = 0
    for (let t = 0; t < k; t++) sum += near[row + t]! * lifted[t]!
    touched[s] = sum
    for (let r = first; r < split; r++) carried[s]! += near[row + layout.rowLocal[r]!]! * amounts[r - first]!
  }
  const own = new Float64Array(width)
  for (let b = 0; b < width; b++) {
    let sum = 0
    for (let r = split; r < last; r++) sum += covariance[b * width + layout.rowLocal[r]!]! * amounts[r - first]!
    for (let s = 0; s < k; s++) sum += regression[b * k + s]! * carried[s]!
    own[b] = sum
  }
  let variance = field.taskVariance[task]!
  for (let r = first; r < split; r++) variance += amounts[r - first]! * touched[layout.rowLocal[r]!]!
  for (let r = split; r < last; r++) variance += amounts[r - first]! * own[layout.rowLocal[r]!]!
  return { touched, own, variance: Math.max(LEAST_VARIANCE, variance) }
}
