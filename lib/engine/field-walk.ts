/**
 * The policy moves, so the state does: a random walk on every effect, once a policy version.
 * Noise of an effect = its walk variance times how far its variance is below the prior's, so that nothing exceeds the prior; what was
 * trained since the last version becomes less certain by its exposure as well. The walk itself moves no mean. Cost of a version: over environments, m k^2 + k^3 (m block effects, k touched ones).
 * Invariant: the joint of an environment's block and the common effects it touches is moved exactly.
 */
import { deadPriorOdds, type Field } from './field-state'

/** In-place Cholesky of a k x k positive matrix, lower triangle. A pivot lost to rounding is lifted. */
function factorise(a: Float64Array, k: number): void {
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * k + j]!
      for (let q = 0; q < j; q++) sum -= a[i * k + q]! * a[j * k + q]!
      a[i * k + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / a[j * k + j]!
    }
  }
}

/** Solves L L' x = b in place. */
function solve(l: Float64Array, k: number, b: Float64Array): void {
  for (let i = 0; i < k; i++) {
    let sum = b[i]!
    for (let q = 0; q < i; q++) sum -= l[i * k + q]! * b[q]!
    b[i] = sum / l[i * k + i]!
  }
  for (let i = k - 1; i >= 0; i--) {
    let sum = b[i]!
    for (let q = i + 1; q < k; q++) sum -= l[q * k + i]! * b[q]!
    b[i] = sum / l[i * k + i]!
  }
}

/** What `versions` walks in a row add: each one closes the same share of the gap to the prior. */
function noiseOf(variance: number, prior: number, walk: number, versions: number): number {
  if (!(prior > 0)) return 0
  const gap = Math.max(0, Math.min(1, 1 - variance / prior))
  return versions === 1 ? walk * gap : prior * gap * (1 - Math.max(0, 1 - walk / prior) ** versions)
}

/** G becomes G P (P + Q)^-1 over the touched effects: what the block still says about effects that have moved by Q. */
function loosen(field: Field, e: number, noise: Float64Array): void {
  const touched = field.layout.touched[e]!
  const { regression } = field.blocks[e]!
  const k = touched.length
  const n = field.layout.common
  if (regression.every((x) => x === 0)) return
  const factor = new Float64Array(k * k)
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) factor[a * k + b] = field.common[touched[a]! * n + touched[b]!]!
    factor[a * k + a]! += noise[touched[a]!]!
  }
  factorise(factor, k)
  const row = new Float64Array(k)
  for (let b = 0; b * k < regression.length; b++) {
    // G P (P + Q)^-1 = G - G Q (P + Q)^-1
    for (let s = 0; s < k; s++) row[s] = regression[b * k + s]! * noise[touched[s]!]!
    solve(factor, k, row)
    for (let s = 0; s < k; s++) regression[b * k + s]! -= row[s]!
  }
}

/**
 * Moves every effect by `versions` policy versions (1 or more), at the cost of one: noises of single versions add up, and what a block says
 * is loosened by their sum as by each in turn. `exposure`: by effect, what was trained in the first of them; null = nothing.
 */
export function walk(field: Field, exposure: Float64Array | null, versions: number): void {
  const { layout, common, blocks, taskVariance, deadOdds, settings } = field
  const n = layout.common
  const noise = new Float64Array(n)
  const trained = (at: number) => (exposure === null ? 0 : settings.drift.noise * exposure[at]!)
  for (let d = 0; d < n; d++)
    noise[d] = noiseOf(common[d * n + d]!, layout.prior[d]!, layout.walk[d]!, versions) + trained(d)
  blocks.forEach((block, e) => {
    loosen(field, e, noise)
    const start = layout.blockStart[e]!
    const width = layout.blockStart[e + 1]! - start
    for (let b = 0; b < width; b++) {
      const at = b * width + b
      const walked = noiseOf(block.covariance[at]!, layout.prior[start + b]!, layout.walk[start + b]!, versions)
      block.covariance[at]! += walked + trained(start + b)
    }
  })
  for (let d = 0; d < n; d++) common[d * n + d]! += noise[d]!
  const deadPrior = deadPriorOdds(settings)
  for (let i = 0; i < taskVariance.length; i++) {
    const at = layout.taskStart + i
    taskVariance[i]! += noiseOf(taskVariance[i]!, layout.prior[at]!, layout.walk[at]!, versions)
    const relaxed = versions === 1 ? settings.deadRelax : 1 - (1 - settings.deadRelax) ** versions
    if (deadOdds[i]! > deadPrior) deadOdds[i]! += (deadPrior - deadOdds[i]!) * relaxed
  }
}
