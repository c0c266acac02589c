/**
 * Exact evidence: which absorbed group holds how much of one task's mean.
 * The mean is linear in the groups' targets: with lambda = the task's row, from the last group to the first,
 *   a = lambda.gain / scale;  credit = a target;  lambda -= a row.
 * Between two groups lambda would pass through the transpose of the walk's transition, which is the identity: the walk moves no mean.
 * Credits and merged groups sum to the task's mean minus its prior mean. Cost: traced groups times gains, for each task.
 */
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

/** Told, for the groups of some source tasks, what each of their gains passed on; `at` counts state entries. */
export interface Witness {
  sources: ReadonlySet<number>
  tell: (source: number, at: number, credit: number) => void
}

function startOf(field: Field, task: number): Float64Array {
  const { layout } = field
  const lambda = new Float64Array(layout.size)
  for (let r = layout.rowStart[task]!; r < layout.rowStart[task + 1]!; r++)
    lambda[layout.rowIndex[r]!] = layout.rowValue[r]!
  lambda[layout.taskStart + task] = 1
  return lambda
}

function dot(a: Float64Array, start: number, b: Float64Array): number {
  let sum = 0
  for (let d = 0; d < b.length; d++) sum += a[start + d]! * b[d]!
  return sum
}

function testify(witness: Witness, lambda: Float64Array, group: TracedGroup, start: number): void {
  const factor = group.target / group.scale
  const { commonGain, ownGain, task } = group
  for (let d = 0; d < commonGain.length; d++) witness.tell(task, d, lambda[d]! * commonGain[d]! * factor)
  for (let b = 0; b < ownGain.length; b++) witness.tell(task, start + b, lambda[start + b]! * ownGain[b]! * factor)
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
  for (let g = trace.length - 1; g >= 0; g--) {
    const group = trace[g]!
    const { task, commonGain, ownGain, taskGain, scale, target } = group
    const start = layout.blockStart[structure.environmentOf[task]!]!
    const at = layout.taskStart + task
    for (let p = 0; p < lambdas.length; p++) {
      const lambda = lambdas[p]!
      if (witness?.sources.has(task) === true) testify(witness, lambda, group, start)
      const a = (dot(lambda, 0, commonGain) + dot(lambda, start, ownGain) + lambda[at]! * taskGain) / scale
      credits[p]![g] = a * target
      for (let r = layout.rowStart[task]!; r < layout.rowStart[task + 1]!; r++)
        lambda[layout.rowIndex[r]!]! -= a * layout.rowValue[r]!
      lambda[at]! -= a
    }
  }
  return lambdas.map((lambda, p) => ({ credits: credits[p]!, ...merged(field, lambda) }))
}
