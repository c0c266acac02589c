/**
 * Mean, variance and gain of one task's logit.
 * Shapes: h = (h_c, h_u, 1): the task's row over the common effects, its environment's block and its own deviation. With P the
 * common covariance, G the block's regression, V its covariance: var f = h_c P h_c + 2 h_c P G' h_u + h_u V h_u + v.
 * Cost: entries of the row times touched common effects; a gain also common effects times touched ones.
 */
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

/** G' h_u of a task, over the touched common effects of its environment. */
function liftedBlock(field: Field, task: number): Float64Array {
  const { layout, blocks, structure } = field
  const e = structure.environmentOf[task]!
  const k = layout.touched[e]!.length
  const { regression } = blocks[e]!
  const lifted = new Float64Array(k)
  for (let r = layout.rowSplit[task]!; r < layout.rowStart[task + 1]!; r++) {
    const amount = layout.rowValue[r]!
    const row = layout.rowLocal[r]! * k
    for (let s = 0; s < k; s++) lifted[s]! += amount * regression[row + s]!
  }
  return lifted
}

export function logitMean(field: Field, task: number): number {
  const { layout, mean } = field
  let f = field.settings.priorMean + mean[layout.taskStart + task]!
  for (let r = layout.rowStart[task]!; r < layout.rowStart[task + 1]!; r++)
    f += layout.rowValue[r]! * mean[layout.rowIndex[r]!]!
  return f
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
  const across = liftedBlock(field, task)
  for (let s = 0; s < across.length; s++) across[s]! *= 2
  for (let r = first; r < split; r++) across[layout.rowLocal[r]!]! += layout.rowValue[r]!
  let variance = field.taskVariance[task]!
  for (let r = first; r < split; r++) {
    const row = layout.rowIndex[r]! * n
    let sum = 0
    for (let s = 0; s < touched.length; s++) sum += common[row + touched[s]!]! * across[s]!
    variance += layout.rowValue[r]! * sum
  }
  for (let r = split; r < last; r++) {
    const row = layout.rowLocal[r]! * width
    let sum = 0
    for (let q = split; q < last; q++) sum += covariance[row + layout.rowLocal[q]!]! * layout.rowValue[q]!
    variance += layout.rowValue[r]! * sum
  }
  return { mean: logitMean(field, task), variance: Math.max(LEAST_VARIANCE, variance) }
}

/** How f moves together with every effect it can move. */
export function gainOf(field: Field, task: number): Gain {
  const { layout, common, blocks, structure } = field
  const n = layout.common
  const e = structure.environmentOf[task]!
  const touched = layout.touched[e]!
  const k = touched.length
  const width = layout.blockStart[e + 1]! - layout.blockStart[e]!
  const { covariance, regression } = blocks[e]!
  const split = layout.rowSplit[task]!
  const last = layout.rowStart[task + 1]!
  const lifted = liftedBlock(field, task)
  for (let r = layout.rowStart[task]!; r < split; r++) lifted[layout.rowLocal[r]!]! += layout.rowValue[r]!
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
    for (let r = layout.rowStart[task]!; r < split; r++)
      carried[s]! += common[row + layout.rowIndex[r]!]! * layout.rowValue[r]!
  }
  const own = new Float64Array(width)
  const residual = new Float64Array(width)
  for (let b = 0; b < width; b++) {
    let sum = 0
    for (let r = split; r < last; r++) sum += covariance[b * width + layout.rowLocal[r]!]! * layout.rowValue[r]!
    let explained = 0
    for (let s = 0; s < k; s++) {
      sum += regression[b * k + s]! * carried[s]!
      explained += regression[b * k + s]! * commonGain[touched[s]!]!
    }
    own[b] = sum
    residual[b] = sum - explained
  }
  let conditional = 0
  for (let r = split; r < last; r++) conditional += layout.rowValue[r]! * residual[layout.rowLocal[r]!]!
  conditional = Math.max(0, conditional)
  let variance = conditional
  for (let s = 0; s < k; s++) variance += lifted[s]! * commonGain[touched[s]!]!
  return { lifted, common: commonGain, own, variance: Math.max(LEAST_VARIANCE, variance), conditional, residual }
}
