/**
 * Exact evidence: which absorbed group holds how much of one task's mean.
 * The mean is linear in the groups' targets: with lambda = the task's row, from the last group to the first,
 *   a = lambda.gain / scale;  credit = a target;  lambda -= a row,
 * and where the policy advanced between two groups lambda passes through the transpose of the move by exposure (the walk moves no mean).
 * Credits and merged groups sum to the task's row times the effects' deviations, but for what the speeds' prior means moved: that, and
 * what the conjunctive form's linearisation leaves over, belongs to the prior. Cost: traced groups times gains, for each task.
 */
import { moveBack } from './field-exposure'
import { lineOf } from './field-line'
import type { Field } from './field-state'
import type { TracedGroup } from './trace'

export interface Pass {
  /** credit of each traced group, in the order of the trace */
  credits: Float64Array
  /** credit of merged groups by source task, in the order of `field.older.sources` */
  older: Float64Array
  /** what merged groups of an environment hold beyond their source tasks' own parts */
  olderRest: Map<number, number>
}

/** Told, for the groups of some source tasks, what each of their gains passed on; `at` counts state entries. It sums to their credit. */
export interface Witness {
  sources: ReadonlySet<number>
  tell: (source: number, at: number, credit: number) => void
}

function startOf(field: Field, task: number): Float64Array {
  const { layout } = field
  const lambda = new Float64Array(layout.size)
  const { amounts } = lineOf(field, task)
  const first = layout.rowStart[task]!
  for (let k = 0; k < amounts.length; k++) lambda[layout.rowIndex[first + k]!] = amounts[k]!
  lambda[layout.taskStart + task] = 1
  return lambda
}

/** Tasks that are walked side by side: one sum waits for its own last addition, several fill the time. */
const LANES = 4

/**
 * Products of `b` with the windows of up to LANES vectors that begin at `start`, into `sums`. Each sum adds in the order of `b`, so it
 * does not depend on what is beside it.
 */
function dots(lanes: readonly Float64Array[], start: number, b: Float64Array, sums: Float64Array): void {
  const [l0, l1 = l0, l2 = l1, l3 = l2] = lanes
  if (l0 === undefined || l1 === undefined || l2 === undefined || l3 === undefined) return
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  if (lanes.length === 1) {
    for (let d = 0; d < b.length; d++) s0 += l0[start + d]! * b[d]!
    sums[0] = s0
    return
  }
  for (let d = 0; d < b.length; d++) {
    const factor = b[d]!
    s0 += l0[start + d]! * factor
    s1 += l1[start + d]! * factor
    s2 += l2[start + d]! * factor
    s3 += l3[start + d]! * factor
  }
  sums[0] = s0
  sums[1] = s1
  sums[2] = s2
  sums[3] = s3
}

function inLanes<T>(all: readonly T[]): T[][] {
  const lanes: T[][] = []
  for (let p = 0; p < all.length; p += LANES) lanes.push(all.slice(p, p + LANES))
  return lanes
}

function testify(witness: Witness, lambda: Float64Array, group: TracedGroup, start: number, at: number): void {
  const factor = group.target / group.scale
  const { commonGain, ownGain, taskGain, task } = group
  for (let d = 0; d < commonGain.length; d++) witness.tell(task, d, lambda[d]! * commonGain[d]! * factor)
  for (let b = 0; b < ownGain.length; b++) witness.tell(task, start + b, lambda[start + b]! * ownGain[b]! * factor)
  witness.tell(task, at, lambda[at]! * taskGain * factor)
}

function testifyOlder({ layout, older, structure }: Field, witness: Witness, lambda: Float64Array): void {
  for (const task of witness.sources) {
    const source = older.sources.get(task)
    if (source === undefined) continue
    const start = layout.blockStart[structure.environmentOf[task]!]!
    const at = layout.taskStart + task
    for (let d = 0; d < source.common.length; d++) witness.tell(task, d, lambda[d]! * source.common[d]!)
    for (let b = 0; b < source.own.length; b++) witness.tell(task, start + b, lambda[start + b]! * source.own[b]!)
    witness.tell(task, at, lambda[at]! * source.deviation)
  }
}

/** What merged groups hold of each lambda. A source is reached once for all of them: they lie far apart in memory. */
function merged(field: Field, lambdas: readonly Float64Array[]): Pick<Pass, 'older' | 'olderRest'>[] {
  const { layout, structure } = field
  const { sources, environments } = field.older
  const sums = { common: new Float64Array(LANES), own: new Float64Array(LANES) }
  const lanes = inLanes(lambdas)
  const older = lambdas.map(() => new Float64Array(sources.size))
  const rests = lambdas.map(() => new Float64Array(structure.environments))
  for (const [e, part] of environments) {
    lanes.forEach((lane, first) => {
      dots(lane, 0, part, sums.common)
      for (let k = 0; k < lane.length; k++) rests[first * LANES + k]![e] = sums.common[k]!
    })
  }
  let at = 0
  for (const [task, source] of sources) {
    const e = structure.environmentOf[task]!
    const start = layout.blockStart[e]!
    for (let first = 0; first < lanes.length; first++) {
      const lane = lanes[first]!
      dots(lane, start, source.own, sums.own)
      dots(lane, 0, source.common, sums.common)
      for (let k = 0; k < lane.length; k++) {
        const own = sums.own[k]! + lane[k]![layout.taskStart + task]! * source.deviation
        const credit = sums.common[k]! + own
        older[first * LANES + k]![at] = credit
        rests[first * LANES + k]![e]! -= credit
      }
    }
    at++
  }
  return lambdas.map((_, p) => ({
    older: older[p]!,
    olderRest: new Map([...environments.keys()].map((e) => [e, rests[p]![e]!])),
  }))
}

/** Backward pass for each of `tasks`. */
export function passesOf(field: Field, tasks: ArrayLike<number>, witness: Witness | null = null): Pass[] {
  const { layout, structure, trace } = field
  const lambdas = Array.from(tasks, (task) => startOf(field, task))
  const lanes = inLanes(lambdas)
  const credits = lambdas.map(() => new Float64Array(trace.length))
  const common = new Float64Array(LANES)
  const own = new Float64Array(LANES)
  let next = field.moves.length - 1
  const moveBackTo = (absorbed: number) => {
    for (; next >= 0 && field.moves[next]!.after >= absorbed; next--)
      for (const lambda of lambdas) moveBack(field.moves[next]!, lambda)
  }
  for (let g = trace.length - 1; g >= 0; g--) {
    moveBackTo(field.merged + g + 1)
    const group = trace[g]!
    const { task, commonGain, ownGain, taskGain, scale, target } = group
    const start = layout.blockStart[structure.environmentOf[task]!]!
    const at = layout.taskStart + task
    const first = layout.rowStart[task]!
    const heard = witness?.sources.has(task) === true ? witness : null
    for (let l = 0; l < lanes.length; l++) {
      const lane = lanes[l]!
      dots(lane, 0, commonGain, common)
      dots(lane, start, ownGain, own)
      for (let p = 0; p < lane.length; p++) {
        const lambda = lane[p]!
        if (heard !== null) testify(heard, lambda, group, start, at)
        const a = (common[p]! + own[p]! + lambda[at]! * taskGain) / scale
        credits[l * LANES + p]![g] = a * target
        for (let k = 0; k < group.row.length; k++) lambda[layout.rowIndex[first + k]!]! -= a * group.row[k]!
        lambda[at]! -= a
      }
    }
  }
  moveBackTo(0)
  if (witness !== null) for (const lambda of lambdas) testifyOlder(field, witness, lambda)
  return merged(field, lambdas).map((older, p) => ({ credits: credits[p]!, ...older }))
}
