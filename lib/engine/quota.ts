/**
 * Soft quotas over a sliding window of picks: what each environment may still take and what it is owed in this batch.
 * Owns: counting in the window, acceptance correction, largest remainder. Must never know: scores, tasks.
 * Invariant: counts are of picks (leases); what came back only corrects the lower share, at most 1.5 times.
 * Shapes: arrays by environment. Cost: O(window + E).
 */
import type { Quota } from './config'
import { type State, windowLength } from './state'

const MOST_CORRECTION = 1.5
/** leases that must have ended before acceptance is believed */
const ACCEPTANCE_PRIOR = 8

export interface QuotaPlan {
  /** picks in the window that will still count after this batch, and that window's length before it */
  used: Int32Array
  span: Int32Array
  /** picks this batch may take at most, and picks it owes */
  allow: Int32Array
  need: Int32Array
}

/** Picks an environment needs for one that comes back, 1 to 1.5. */
export function acceptanceCorrection(returned: number, lost: number): number {
  const back = returned + ACCEPTANCE_PRIOR
  return Math.min(MOST_CORRECTION, (back + lost) / back)
}

/** First index of `window` with position >= `from`; positions ascend. */
function firstFrom(positions: { position: number }[], from: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (positions[middle]!.position < from) low = middle + 1
    else high = middle
  }
  return low
}

/** Splits `slots` over deficits in proportion, by largest remainder; never more than `most`. Ties go to the lower index. */
export function largestRemainder(deficits: Float64Array, most: Int32Array, slots: number): Int32Array {
  const share = new Int32Array(deficits.length)
  let total = 0
  for (const deficit of deficits) total += Math.max(0, deficit)
  if (total <= 0) return share
  const scale = Math.min(1, slots / total)
  const rest: { index: number; rest: number }[] = []
  let given = 0
  for (let e = 0; e < deficits.length; e++) {
    const exact = Math.max(0, deficits[e]!) * scale
    share[e] = Math.min(most[e]!, Math.floor(exact + 1e-9))
    given += share[e]!
    if (share[e]! < most[e]!) rest.push({ index: e, rest: exact - share[e]! })
  }
  rest.sort((a, b) => b.rest - a.rest || a.index - b.index)
  for (const { index, rest: left } of rest) {
    if (given >= slots || left <= 1e-9) break
    share[index]!++
    given++
  }
  return share
}

/** The plan of a batch of `size` picks. Upper shares round up and lower ones down, so both hold within one pick. */
export function quotaPlan(state: State, quotas: Quota[], size: number): QuotaPlan {
  const { environments, window } = state
  const e = quotas.length
  const used = new Int32Array(e)
  const span = new Int32Array(e)
  const start = Math.min(window.length, Math.max(0, window.length + size - windowLength(state)))
  for (let k = start; k < window.length; k++) {
    const { environment, position } = window[k]!
    if (position >= environments.windowFrom[environment]!) used[environment]!++
  }
  const allow = new Int32Array(e)
  const floor = new Int32Array(e)
  const deficits = new Float64Array(e)
  const lower = correctedLower(state, quotas)
  let owed = 0
  for (let k = 0; k < e; k++) {
    span[k] = window.length - Math.max(start, firstFrom(window, environments.windowFrom[k]!))
    const length = span[k]! + size
    allow[k] = Math.max(0, Math.ceil(quotas[k]!.upper * length - 1e-9) - used[k]!)
    floor[k] = Math.max(0, Math.floor(lower[k]! * length + 1e-9) - used[k]!)
    deficits[k] = floor[k]! > 0 ? lower[k]! * length - used[k]! : 0
    owed += floor[k]!
  }
  return { used, span, allow, need: owed <= size ? floor : largestRemainder(deficits, floor, size) }
}

/** Lower shares raised for what does not come back, never over the upper one, never over 1 in sum. */
function correctedLower(state: State, quotas: Quota[]): Float64Array {
  const { returned, lost } = state.environments
  const lower = new Float64Array(quotas.length)
  let sum = 0
  for (let k = 0; k < quotas.length; k++) {
    const quota = quotas[k]!
    lower[k] = Math.min(quota.upper, quota.lower * acceptanceCorrection(returned[k]!, lost[k]!))
    sum += lower[k]!
  }
  if (sum > 1) for (let k = 0; k < lower.length; k++) lower[k]! /= sum
  return lower
}
