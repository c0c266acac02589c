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
  /** credit of merged groups by source task */
  older: Map<number, number>
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

function dot(a: Float64Array, start: number, b: Float64Array): number {
  let sum = 0
  for (let d = 0; d < b.length; d++) sum += a[start + d]! * b[d]!
  return sum
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

function merged(field: Field, lambda: Float64Array): Pick<Pass, 'older' | 'olderRest'> {
  const { layout, structure } = field
  const older = new Map<number, number>()
  const olderRest = new Map<number, number>()
  for (const [e, part] of field.older.environments) olderRest.set(e, dot(lambda, 0, part))
  for (const [task, source] of field.older.sources) {
    const e = structure.environmentOf[task]!
    const own = dot(lambda, layout.blockStart[e]!, source.own) + lambda[layout.taskStart + task]! * source.deviation
    const credit = dot(lambda, 0, source.common) + own
    older.set(task, credit)
    olderRest.set(e, olderRest.get(e)! - credit)
  }
  return { older, olderRest }
}

/** Backward pass for each of `tasks`. */
export function passesOf(field: Field, tasks: ArrayLike<number>, witness: Witness | null = null): Pass[] {
  const { layout, structure, trace } = field
  const lambdas = Array.from(tasks, (task) => startOf(field, task))
  const credits = lambdas.map(() => new Float64Array(trace.length))
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
    for (let p = 0; p < lambdas.length; p++) {
      const lambda = lambdas[p]!
      if (witness?.sources.has(task) === true) testify(witness, lambda, group, start, at)
      const a = (dot(lambda, 0, commonGain) + dot(lambda, start, ownGain) + lambda[at]! * taskGain) / scale
      credits[p]![g] = a * target
      const first = layout.rowStart[task]!
      for (let k = 0; k < group.row.length; k++) lambda[layout.rowIndex[first + k]!]! -= a * group.row[k]!
      lambda[at]! -= a
    }
  }
  moveBackTo(0)
  if (witness !== null) for (const lambda of lambdas) testifyOlder(field, witness, lambda)
  return lambdas.map((lambda, p) => ({ credits: credits[p]!, ...merged(field, lambda) }))
}
