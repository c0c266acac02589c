/**
 * The fold step of everything but the field: one log entry changes the state.
 * Owns: counters, leases, recency, window and running means. Must never know: scores, the field's numbers.
 * Invariant: total. A lease that is unknown, a group without a lease, a task out of range: folded or passed over, never thrown.
 * Cost: O(1) an entry, O(N) a batch.
 */
import { foldCost } from './cost'
import type { BatchEntry, GroupEntry, LeaseEndEntry, LogEntry, PolicyEntry, RangeEntry } from './log-entry'
import { expireOverrides, foldOverride, inForce, uniformShareInForce } from './overrides'
import {
  countPick,
  countRequest,
  foldDraws,
  foldShares,
  isTask,
  nextBatch,
  type Places,
  pass,
  SIZE_FADE,
  trimWindow,
  uniformShareOf,
} from './picks'
import { type Lease, type State, typicalBatch } from './state'
import { foldTrust } from './trust'

const FADE = {
  /** per lease or group */
  acceptance: 0.97,
  bandit: 0.9,
  realised: 0.9,
}
const NOISE_AFTER = 16

export function foldEntry(state: State, places: Places, entry: LogEntry): void {
  switch (entry.kind) {
    case 'batch':
      foldBatch(state, places, entry)
      break
    case 'shares':
      foldShares(state, places, entry)
      break
    case 'group':
      foldGroup(state, places, entry)
      break
    case 'lease_end':
      foldLeaseEnd(state, places, entry)
      break
    case 'range':
      foldRange(state, entry)
      break
    case 'policy':
      foldPolicy(state, entry)
      break
    case 'override':
      foldOverride(state, entry)
      break
    case 'restore':
      break
  }
}

function foldBatch(state: State, places: Places, entry: BatchEntry): void {
  const { totals, tasks, environments } = state
  const picks = entry.picks.filter((pick) => isTask(places, pick.task) && Number.isFinite(pick.lease))
  const now = inForce(state, places.environmentOf)
  countRequest(state, picks.length, entry.more === true)
  const passed = picks.length > 0 ? picks.length / typicalBatch(totals) : 1
  if (entry.more !== true) totals.batch = nextBatch(totals.batch, entry.batch)
  pass(state, passed)
  const uniform: number[] = []
  for (const pick of picks) {
    const i = pick.task
    const before = tasks.lastClock[i]!
    countPick(state, places, i, pick.lease)
    tasks.leased[i]!++
    environments.leased[places.environmentOf[i]!]!++
    if (pick.slot === 'uniform') uniform.push(i)
    const lease = {
      lease: pick.lease,
      task: i,
      slot: pick.slot,
      batch: totals.batch,
      at: entry.at,
      policyVersion: entry.policyVersion,
      before,
    }
    if (state.leases.has(pick.lease)) closeLease(state, places, pick.lease)
    state.leases.set(pick.lease, lease)
  }
  foldDraws(state, places, now, picks.length, uniform)
  trimWindow(state)
  expireOverrides(state)
}

/** Takes a lease out of the books; null where it is unknown. */
function closeLease(state: State, places: Places, number: number): Lease | null {
  const lease = state.leases.get(number)
  if (lease === undefined) return null
  state.leases.delete(number)
  state.tasks.leased[lease.task]!--
  state.environments.leased[places.environmentOf[lease.task]!]!--
  return lease
}

function foldAcceptance(state: State, environment: number, back: boolean): void {
  const { returned, lost } = state.environments
  returned[environment] = returned[environment]! * FADE.acceptance + (back ? 1 : 0)
  lost[environment] = lost[environment]! * FADE.acceptance + (back ? 0 : 1)
}

function foldLeaseEnd(state: State, places: Places, entry: LeaseEndEntry): void {
  const lease = closeLease(state, places, entry.lease)
  if (lease === null) return
  if (entry.reason === 'expired') foldAcceptance(state, places.environmentOf[lease.task]!, false)
  else giveBack(state, lease)
  const at = state.window.findLastIndex((pick) => pick.lease === entry.lease)
  if (at >= 0) state.window.splice(at, 1)
}

/** A pick that was never rolled out costs its task nothing: neither recency nor its turn in the uniform epoch. */
function giveBack(state: State, lease: Lease): void {
  const { tasks, totals, config } = state
  if (tasks.lastBatch[lease.task] === lease.batch) tasks.lastClock[lease.task] = lease.before
  const uniform = lease.slot === 'uniform'
  if (uniform) tasks.drawn[lease.task] = Math.max(0, tasks.drawn[lease.task]! - 1)
  totals.uniformCredit += (uniform ? 1 : 0) - uniformShareOf(config.scheduler, uniformShareInForce(state))
}

/** Statistics of a group on the environment's range, or null where nothing trusted can be read. */
export function groupStatistics(
  state: State,
  environment: number,
  entry: GroupEntry,
): { mean: number; variance: number } | null {
  const n = entry.trusted
  if (!(n > 0) || !Number.isFinite(entry.sum) || !Number.isFinite(entry.sumSquares)) return null
  const low = state.environments.low[environment]!
  const width = state.environments.high[environment]! - low
  if (!(width > 0)) return { mean: 0, variance: 0 }
  const mean = Math.min(1, Math.max(0, (entry.sum / n - low) / width))
  const spread = n > 1 ? (entry.sumSquares - (entry.sum * entry.sum) / n) / (n - 1) / (width * width) : 0
  const most = n > 1 ? n / (4 * (n - 1)) : 0
  return { mean, variance: Math.min(most, Math.max(0, spread)) }
}

/** Counts that fit together and can be added up exactly, and a version that can be named. */
function readable(entry: GroupEntry): boolean {
  const { trusted, untrusted, verifierErrors, low, high, policyVersion } = entry
  const counts = [trusted, untrusted, verifierErrors, low, high]
  return (
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    low + high <= trusted &&
    Number.isInteger(policyVersion)
  )
}

function foldGroup(state: State, places: Places, entry: GroupEntry): void {
  if (!isTask(places, entry.task)) return
  const e = places.environmentOf[entry.task]!
  if (entry.lease !== null && !entry.late && closeLease(state, places, entry.lease) !== null)
    foldAcceptance(state, e, entry.trusted > 0)
  if (!readable(entry)) return
  if (entry.underShares === true) {
    pass(state, 1 / typicalBatch(state.totals))
    countPick(state, places, entry.task, 0)
    trimWindow(state)
  }
  foldTrust(state, entry, e)
  foldCost(state, entry, e)
  const statistics = groupStatistics(state, e, entry)
  if (statistics !== null) foldStatistics(state, places, entry, e, statistics)
}

function foldStatistics(
  state: State,
  places: Places,
  entry: GroupEntry,
  e: number,
  group: { mean: number; variance: number },
): void {
  const { tasks, environments, patterns, totals } = state
  const i = entry.task
  const { mean, variance } = group
  tasks.groups[i]!++
  environments.groups[e]!++
  patterns.groups[places.pattern[i]!]!++
  totals.groups++
  tasks.lastMean[i] = mean
  tasks.lastSize[i] = entry.trusted
  tasks.lastHigh[i] = entry.high
  tasks.lastBinary[i] = entry.low + entry.high === entry.trusted ? 1 : 0
  tasks.lastVersion[i] = entry.policyVersion
  const mass = (entry.trusted - 1) / 2
  const frontier = variance * (1 - mean)
  tasks.mass[i]! += mass
  tasks.mean[i]! += mass * mean
  tasks.variance[i]! += mass * variance
  tasks.frontier[i]! += mass * frontier
  environments.mass[e]! += mass
  environments.mean[e]! += mass * mean
  environments.variance[e]! += mass * variance
  environments.frontier[e]! += mass * frontier
  totals.mass += mass
  totals.variance += mass * variance
  totals.frontier += mass * frontier
  if (entry.trusted < 2) return
  environments.tried[e] = environments.tried[e]! * FADE.bandit + 1
  environments.informative[e] = environments.informative[e]! * FADE.bandit + (variance > 0 ? 1 : 0)
  const seen = environments.groups[e]!
  const rate = Math.max(1 - FADE.realised, 1 / seen)
  environments.realised[e]! += rate * (variance - environments.realised[e]!)
  if (seen < NOISE_AFTER) return
  const lowest = environments.noise[e]!
  environments.noise[e] = lowest < 0 ? environments.realised[e]! : Math.min(lowest, environments.realised[e]!)
}

function foldRange(state: State, entry: RangeEntry): void {
  const { low, high } = state.environments
  const known = Number.isInteger(entry.environment) && entry.environment >= 0 && entry.environment < low.length
  if (!known || !Number.isFinite(entry.low) || !Number.isFinite(entry.high) || entry.low > entry.high) return
  low[entry.environment] = entry.low
  high[entry.environment] = entry.high
}

function foldPolicy(state: State, entry: PolicyEntry): void {
  const { totals } = state
  if (!Number.isInteger(entry.policyVersion)) return
  const known = totals.policyVersion
  if (known !== null && entry.policyVersion <= known) return
  totals.policyVersion = entry.policyVersion
  if (totals.sinceVersion > 0) {
    const grown = totals.versionPicks > 0 ? SIZE_FADE : 0
    totals.versionPicks = totals.sinceVersion + grown * (totals.versionPicks - totals.sinceVersion)
    totals.sinceVersion = 0
  }
}
