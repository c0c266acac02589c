/**
 * The rank-one update of one group: mean and covariance of the common part, of the group's own environment and task.
 * The joint of common part and own block is updated exactly; other blocks keep their mean, covariance and regression on the
 * common part (a Schmidt-Kalman step), so every covariance stays positive. Task deviations are kept independent.
 * Cost: n^2 + m k + m^2 (n common, m block, k touched effects).
 */
import type { Gain } from './field-moments'
import type { Field } from './field-state'

function subtractOuter(matrix: Float64Array, vector: Float64Array, factor: number): void {
  const n = vector.length
  for (let a = 0; a < n; a++) {
    const scaled = vector[a]! * factor
    if (scaled === 0) continue
    const row = a * n
    for (let b = 0; b < n; b++) matrix[row + b]! -= scaled * vector[b]!
  }
}

/** `shift`: innovation over its variance; `scale`: innovation variance; `observation`: the pseudo-observation's own variance. */
export function updateEffects(
  field: Field,
  task: number,
  gain: Gain,
  shift: number,
  scale: number,
  observation: number,
): void {
  const { layout, mean, taskVariance, structure, blocks } = field
  const e = structure.environmentOf[task]!
  const block = blocks[e]!
  const k = gain.lifted.length
  const v = taskVariance[task]!
  for (let d = 0; d < layout.common; d++) mean[d]! += gain.common[d]! * shift
  const start = layout.blockStart[e]!
  for (let b = 0; b < gain.own.length; b++) mean[start + b]! += gain.own[b]! * shift
  mean[layout.taskStart + task]! += v * shift
  subtractOuter(field.common, gain.common, 1 / scale)
  subtractOuter(block.covariance, gain.own, 1 / scale)
  taskVariance[task] = v - (v * v) / scale
  const conditional = gain.conditional + v + observation
  for (let b = 0; b < gain.residual.length; b++) {
    const factor = gain.residual[b]! / conditional
    if (factor === 0) continue
    for (let s = 0; s < k; s++) block.regression[b * k + s]! -= factor * gain.lifted[s]!
  }
}
