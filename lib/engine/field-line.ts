/**
 * A task's logit and how it depends on each effect of its row: the line that filter and evidence work with.
 * Additive: logit = prior mean + sum of amount times effect + the task's own deviation; the amounts are the row's.
 * Conjunctive: a step's logit is b = prior mean + its effects, the chain succeeds with Q = product of sigmoid(b)^count, and
 * logit = logit Q + effects outside the chain + the task's own; amounts are derivatives, count (1 - sigmoid(b)) / (1 - Q) a step.
 * Source: the trials' filter. Invariant: finite for every finite state.
 */
import type { Field } from './field-state'
import { sigmoid } from './nodes'

export interface Line {
  logit: number
  /** by entry of the task's row */
  amounts: Float64Array
}

/** The chance of failure that a derivative is divided by is at least this. */
const LEAST_FAILURE = 1e-6
const LEAST_LOG = -60

export function lineOf(field: Field, task: number): Line {
  const { layout, mean, settings } = field
  const first = layout.rowStart[task]!
  const last = layout.rowStart[task + 1]!
  const own = mean[layout.taskStart + task]!
  if (layout.chains === null) {
    const amounts = layout.rowValue.subarray(first, last)
    let logit = settings.priorMean + own
    for (let r = first; r < last; r++) logit += layout.rowValue[r]! * mean[layout.rowIndex[r]!]!
    return { logit, amounts }
  }
  const { stepStart, count, placeStart, place, outside, named } = layout.chains
  const amounts = new Float64Array(last - first)
  let base = settings.priorMean
  let logit = own
  for (let r = first; r < last; r++) {
    const effect = mean[layout.rowIndex[r]!]!
    if (outside[r] === 1) {
      logit += layout.rowValue[r]! * effect
      amounts[r - first] = layout.rowValue[r]!
    } else if (named[r] === 0) base += effect
  }
  let log = 0
  let all = 0
  for (let s = stepStart[task]!; s < stepStart[task + 1]!; s++) {
    let b = base
    for (let k = placeStart[s]!; k < placeStart[s + 1]!; k++) b += mean[layout.rowIndex[first + place[k]!]!]!
    const q = sigmoid(b)
    const loss = count[s]! * (1 - q)
    log += count[s]! * Math.log(q)
    all += loss
    for (let k = placeStart[s]!; k < placeStart[s + 1]!; k++) amounts[place[k]!]! += loss
  }
  log = Math.max(LEAST_LOG, log)
  const failure = Math.max(LEAST_FAILURE, -Math.expm1(log))
  for (let k = 0; k < amounts.length; k++) {
    if (outside[first + k] === 1) continue
    amounts[k] = (named[first + k] === 1 ? amounts[k]! : all) / failure
  }
  return { logit: logit + log - Math.log(failure), amounts }
}
