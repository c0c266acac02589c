/**
 * What a group of a task would teach about its environment: a knowledge gradient.
 * A task j could be worth more than the batch's threshold t if it were known: V_j = E[max(0, v_j - t)] - max(0, E v_j - t). A group of
 * task i explains the share r_ij^2 = c_ij^2 / (s_j^2 (s_i^2 + n_i)) of what is uncertain about j (c: covariance of their logits, n_i: the
 * variance that a group of ROLLOUTS has as an observation). Knowledge of i = sum over its environment of r_ij^2 V_j.
 * Source: the trials' filter. Shapes: columns by task. Cost: tasks times (touched^2 + block touched) + pairs with the TARGETS of an
 * environment that have most to give. Invariant: every answer is finite and 0 or more.
 */
import { lineOf } from './field-line'
import { nearGain, touchedCovariance } from './field-moments'
import type { Field } from './field-state'
import { expect } from './nodes'
import type { Predictions } from './predict'

/** rollouts of the group that is thought of */
const ROLLOUTS = 6
const LEAST_INFORMATION = 0.02
/** tasks of an environment whose worth is looked at */
const TARGETS = 64
const NEGLIGIBLE = 1e-5

/** Without the last digits, so that tasks with equal hopes are parted by key and not by number. */
const settled = (hope: number) => Math.round(hope * 2 ** 32) / 2 ** 32

interface Seen {
  logit: number
  variance: number
  amounts: Float64Array
  touched: Float64Array
  own: Float64Array
}

function seenOf(field: Field, task: number, near: Float64Array): Seen {
  const { logit, amounts } = lineOf(field, task)
  return { logit, amounts, ...nearGain(field, task, amounts, near) }
}

/** Covariance of the logits of two tasks of one environment, without their own deviations. */
function covariance(field: Field, of: Seen, task: number, amounts: Float64Array): number {
  const { rowStart, rowSplit, rowLocal } = field.layout
  const first = rowStart[task]!
  const split = rowSplit[task]!
  let sum = 0
  for (let r = first; r < split; r++) sum += amounts[r - first]! * of.touched[rowLocal[r]!]!
  for (let r = split; r < rowStart[task + 1]!; r++) sum += amounts[r - first]! * of.own[rowLocal[r]!]!
  return sum
}

/** Knowledge of each task. `worth`: value at a success probability; `threshold`: value of the last task that a batch takes. */
export function knowledgeOf(
  field: Field,
  { value, alive }: Pick<Predictions, 'value'> & { alive: Float64Array },
  worth: (task: number, q: number) => number,
  threshold: number,
): Float64Array {
  const keys = field.structure.taskKeyHash
  const knowledge = new Float64Array(value.length)
  for (const [e, tasks] of field.structure.tasksOf.entries()) {
    const near = touchedCovariance(field, e)
    const seen = tasks.map((task) => seenOf(field, task, near))
    const hopes = tasks.map((task, k) => {
      const deviation = Math.sqrt(seen[k]!.variance)
      const above = expect(seen[k]!.logit, deviation, (q) => Math.max(0, alive[task]! * worth(task, q) - threshold))
      return settled(Math.max(0, above - Math.max(0, value[task]! - threshold)))
    })
    const targets = [...tasks.keys()].filter((k) => hopes[k]! > NEGLIGIBLE)
    targets.sort((a, b) => hopes[b]! - hopes[a]! || keys[tasks[a]!]! - keys[tasks[b]!]! || a - b)
    targets.length = Math.min(targets.length, TARGETS)
    const listed = new Set(targets)
    tasks.forEach((task, i) => {
      const of = seen[i]!
      const information = expect(of.logit, Math.sqrt(of.variance), (q) => q * (1 - q))
      const noise = 1 / Math.max(LEAST_INFORMATION, ROLLOUTS * information)
      const told = (j: number, shared: number) =>
        Math.min(1, shared ** 2 / (seen[j]!.variance * (of.variance + noise))) * hopes[j]!
      let others = 0
      for (const j of targets) if (j !== i) others += told(j, covariance(field, of, tasks[j]!, seen[j]!.amounts))
      // Itself comes last, so that tasks which are alike to the bit get the same sum, however they are numbered.
      knowledge[task] = alive[task]! * (others + (listed.has(i) ? told(i, of.variance) : 0))
    })
  }
  return knowledge
}
