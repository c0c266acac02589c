/**
 * Drift by exposure: training on a group moves the effects it went through, by an amount that is learnt.
 * exposure of an effect = mean over the groups of a policy version of sd times amount (sd: of the group's normalised rewards, 0 where all
 * are equal). When the policy advances, effect += speed times exposure, with speeds as effects of the state; the transition is
 * F = I + sum of exposure e_speed', so mean, covariances and regressions move exactly. A speed below 0 moves no mean.
 * Source: the trials' filter (within and across) and field (environment and within). Cost: touched effects times common ones.
 */
import { SPEEDS } from './field-places'
import type { Field } from './field-state'

/** A move of the means: entry += amount times its speed. */
export interface Move {
  /** groups absorbed before it, since the field's first */
  after: number
  entry: Int32Array
  speed: Int32Array
  amount: Float64Array
}

/** Counts a group towards the next move. `amounts`: of its task's row after it was absorbed; `spread`: sd of its rewards, 0 to 0.5. */
export function expose(field: Field, task: number, amounts: Float64Array, spread: number): void {
  const { layout, exposure } = field
  field.exposed += 1
  if (spread === 0) return
  const first = layout.rowStart[task]!
  for (let r = first; r < layout.rowStart[task + 1]!; r++) {
    const at = layout.rowIndex[r]!
    if (layout.speedOf[at]! >= 0) exposure[at]! += spread * Math.max(0, amounts[r - first]!)
  }
}

/** Effects of the common part that move with `speed`, and their exposures. */
function movedCommon(field: Field, speed: number, exposure: Float64Array): number[] {
  const moved: number[] = []
  for (let d = 0; d < field.layout.common; d++) if (field.layout.speedOf[d] === speed && exposure[d]! > 0) moved.push(d)
  return moved
}

function moveBlock(field: Field, e: number, speed: number, exposure: Float64Array): void {
  const { layout, common, blocks } = field
  const start = layout.blockStart[e]!
  const width = layout.blockStart[e + 1]! - start
  const touched = layout.touched[e]!
  const k = touched.length
  const n = layout.common
  const { covariance, regression } = blocks[e]!
  const moved: number[] = []
  for (let b = 0; b < width; b++) if (layout.speedOf[start + b] === speed && exposure[start + b]! > 0) moved.push(b)
  if (moved.length === 0) return
  const column = touched.indexOf(speed)
  const own = common[speed * n + speed]!
  const shared = new Float64Array(width)
  for (let b = 0; b < width; b++)
    for (let s = 0; s < k; s++) shared[b]! += regression[b * k + s]! * common[touched[s]! * n + speed]!
  for (const b of moved) {
    const x = exposure[start + b]!
    for (let c = 0; c < width; c++) {
      covariance[b * width + c]! += x * shared[c]!
      covariance[c * width + b]! += x * shared[c]!
    }
    for (const c of moved) covariance[b * width + c]! += x * exposure[start + c]! * own
    regression[b * k + column]! += x
  }
}

function moveCommon(field: Field, speed: number, moved: readonly number[], exposure: Float64Array): void {
  const { layout, common, blocks } = field
  const n = layout.common
  const row = common.slice(speed * n, (speed + 1) * n)
  const own = row[speed]!
  for (const d of moved) {
    const x = exposure[d]!
    for (let j = 0; j < n; j++) {
      common[d * n + j]! += x * row[j]!
      common[j * n + d]! += x * row[j]!
    }
    for (const other of moved) common[d * n + other]! += x * exposure[other]! * own
  }
  // What the block says of the common effects before the move, in terms of those after it: G (I - X e')
  blocks.forEach(({ regression }, e) => {
    const touched = layout.touched[e]!
    const k = touched.length
    const column = touched.indexOf(speed)
    for (let b = 0; b * k < regression.length; b++)
      for (let s = 0; s < k; s++)
        if (layout.speedOf[touched[s]!] === speed)
          regression[b * k + column]! -= regression[b * k + s]! * exposure[touched[s]!]!
  })
}

/** Moves what was trained since the last policy version; returns the exposure of each effect, or null where nothing was. */
export function moveTrained(field: Field): Float64Array | null {
  const { layout, mean, exposed } = field
  const total = field.exposure
  const open = exposed > 0 && total.some((x) => x > 0)
  field.exposed = 0
  if (!open) return null
  const exposure = total.map((x) => x / exposed)
  total.fill(0)
  const entries: number[] = []
  for (let at = 0; at < layout.taskStart; at++) {
    const speed = layout.speedOf[at]!
    if (speed < 0 || exposure[at] === 0) continue
    const by = layout.speedMean[speed]! + mean[speed]!
    if (by > 0) entries.push(at)
  }
  const entry = Int32Array.from(entries)
  const speed = entry.map((at) => layout.speedOf[at]!)
  const amount = Float64Array.from(entries, (at) => exposure[at]!)
  field.moves.push({ after: field.merged + field.trace.length, entry, speed, amount })
  entry.forEach((at, k) => {
    mean[at]! += amount[k]! * (layout.speedMean[speed[k]!]! + mean[speed[k]!]!)
  })
  for (const one of SPEEDS) {
    for (let e = 0; e < field.blocks.length; e++) moveBlock(field, e, one, exposure)
    const moved = movedCommon(field, one, exposure)
    if (moved.length > 0) moveCommon(field, one, moved, exposure)
  }
  return exposure
}

/** The transpose of a move, on what a mean depends on: what came through an effect also came through its speed. */
export function moveBack(move: Move, lambda: Float64Array): void {
  for (let k = 0; k < move.entry.length; k++) lambda[move.speed[k]!]! += move.amount[k]! * lambda[move.entry[k]!]!
}
