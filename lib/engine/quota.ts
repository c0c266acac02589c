/**
 * Soft quotas over a sliding window of picks: what each environment may still take and what it is owed in this batch.
 * Owns: counting in the window, acceptance correction, largest remainder. Must never know: scores, tasks.
 * Quotas are of what comes back usable: a pick counts for the share of its rollouts that is expected back, over the same of all
 * environments together, both for picks in the window and for new ones. Expired leases have left the window already.
 * Invariants: no pick counts for less than 1/1.5 or more than 1.5; with equal acceptance picks are counted and nothing else; what all
 * environments may take together is never less than the batch.
 * Shapes: arrays by environment. Cost: O(window + E).
 */
import type { Quota } from './config'
import { type State, windowLength } from './state'

const MOST_CORRECTION = 1.5
/** groups and leases of an environment that weigh as much as the mean of all, and of all as full acceptance */
const PRIOR = { environment: 4, all: 8 }

export interface QuotaPlan {
  /** picks in the window that will still count after this batch, and that window's length before it */
  used: Int32Array
  span: Int32Array
  /** what one of those picks counts for, and what a new one does: 1 where acceptance is the mean one */
  counts: Float64Array
  countsNew: Float64Array
  /** picks this batch may take at most: by the upper quota, and stretched where all quotas together would not hold the batch */
  strict: Int32Array
  allow: Int32Array
  /** picks this batch owes */
  need: Int32Array
  /** all that lower quotas owe, though the batch may be smaller */
  owed: number
  /** 1 where the window holds more than the upper quota already */
  over: Uint8Array
}

const clipped = (ratio: number) => Math.min(MOST_CORRECTION, Math.max(1 / MOST_CORRECTION, ratio))

/** Share of `good` in `good + bad` by environment, shrunk to the mean of all. */
function shrunkShares(good: Float64Array, bad: Float64Array): Float64Array {
  let allGood = PRIOR.all
  let all = PRIOR.all
  for (let e = 0; e < good.length; e++) {
    allGood += good[e]!
    all += good[e]! + bad[e]!
  }
  const mean = allGood / all
  return good.map((count, e) => (count + PRIOR.environment * mean) / (count + bad[e]! + PRIOR.environment))
}

/** Expected usable share of the rollouts of an answered pick, and of a pick that may yet expire. By environment, over 0 to 1. */
export function acceptance(state: State): { answered: Float64Array; fresh: Float64Array } {
  const { returned, lost, answered, expired } = state.environments
  const usable = shrunkShares(returned, lost)
  const kept = shrunkShares(answered, expired)
  return { answered: usable, fresh: usable.map((share, e) => share * kept[e]!) }
}

/** Each share over their mean in the window, within the limits of the correction. */
function relative(shares: Float64Array, used: Int32Array): Float64Array {
  let sum = 0
  let weight = 0
  for (let e = 0; e < shares.length; e++) {
    sum += used[e]! * shares[e]!
    weight += used[e]!
  }
  const mean = weight > 0 ? sum / weight : shares.reduce((a, b) => a + b, 0) / Math.max(1, shares.length)
  return shares.map((share) => (mean > 0 ? clipped(share / mean) : 1))
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

/** How much the upper quotas are stretched at most so that together they hold a batch. */
const MOST_STRETCH = 2

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
  const { answered, fresh } = acceptance(state)
  const counts = relative(answered, used)
  const countsNew = relative(fresh, used)
  for (let k = 0; k < e; k++) span[k] = window.length - Math.max(start, firstFrom(window, environments.windowFrom[k]!))
  /** Picks until a share of the window is full. */
  const room = (k: number, share: number) => (share * (span[k]! + size) - counts[k]! * used[k]!) / countsNew[k]!
  const allowed = (stretch: number) =>
    Int32Array.from(quotas, ({ upper }, k) =>
      upper >= 1 ? size : Math.max(0, Math.min(size, Math.ceil(room(k, upper * stretch) - 1e-9))),
    )
  const strict = allowed(1)
  const allow = total(strict) >= size ? strict : stretched(allowed, size)
  const floor = new Int32Array(e)
  const deficits = new Float64Array(e)
  let owed = 0
  for (let k = 0; k < e; k++) {
    const due = room(k, quotas[k]!.lower)
    floor[k] = Math.max(0, Math.min(allow[k]!, Math.floor(due + 1e-9)))
    deficits[k] = floor[k]! > 0 ? due : 0
    owed += floor[k]!
  }
  const over = Uint8Array.from(quotas, ({ upper }, k) => (upper < 1 && room(k, upper) < -1 ? 1 : 0))
  const need = owed <= size ? floor : largestRemainder(deficits, floor, size)
  return { used, span, counts, countsNew, strict, allow, need, owed, over }
}

const total = (picks: Int32Array) => picks.reduce((sum, count) => sum + count, 0)

/** The allowances at the least stretch that holds the batch. */
function stretched(allowed: (stretch: number) => Int32Array, size: number): Int32Array {
  let low = 1
  let high = MOST_STRETCH
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2
    if (total(allowed(middle)) >= size) high = middle
    else low = middle
  }
  return allowed(high)
}
