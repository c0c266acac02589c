/**
 * What a pick counts, and what a request does: requests, time, coverage, recency, the quota window, uniform draws.
 * Owns: these counters of the fold. Must never know: leases, groups, scores.
 * Invariant: a pick counts the same, leased in a batch or rolled out under shares. Cost: O(1) a pick, O(N) when time passes.
 */
import type { SharesEntry } from './log-entry'
import { expireOverrides, type InForce, inForce } from './overrides'
import { type State, windowLength } from './state'
import { foldUniform, uniformCredit } from './uniform-slots'

/** What the fold must know of the task set. */
export interface Places {
  environmentOf: Int32Array
  pattern: Int32Array
}

/** Per batch: what coverage counts, and the means of the control schedulers. */
const FADE = { covered: 0.95, environment: 0.95, task: 0.9, all: 0.98 }
/** Per batch or policy version: how long its size is remembered. */
export const SIZE_FADE = 0.8

export function isTask(places: Places, task: number): boolean {
  return Number.isInteger(task) && task >= 0 && task < places.environmentOf.length
}

/** The share of uniform slots a scheduler works with: the plain controls have none, `uniform` has nothing else. */
export function uniformShareOf(scheduler: State['config']['scheduler'], share: number): number {
  if (scheduler === 'uniform') return 1
  return scheduler === 'env-then-task' || scheduler === 'env-bandit' ? 0 : share
}

export const nextBatch = (known: number, told: number) => (Number.isInteger(told) && told > known ? told : known + 1)

/** Picks of one request, in the fading mean of them. Further picks of a batch make that batch larger. */
export function countRequest(state: State, picks: number, more: boolean): void {
  const { totals } = state
  if (picks === 0) return
  if (more) {
    totals.requestPicks += (totals.batch > 1 ? 1 - SIZE_FADE : 1) * picks
    return
  }
  const grown = totals.requestPicks > 0 ? SIZE_FADE : 0
  totals.requestPicks = picks + grown * (totals.requestPicks - picks)
}

/** Time passes, in batches. */
export function pass(state: State, batches: number): void {
  state.totals.clock += batches
  fadeMeans(state, batches)
}

/** One pick of a task, leased or rolled out under shares (lease 0, which no lease has). */
export function countPick(state: State, places: Places, i: number, lease: number): void {
  const { totals, tasks, environments, patterns } = state
  const e = places.environmentOf[i]!
  const p = places.pattern[i]!
  tasks.picks[i]!++
  tasks.lastBatch[i] = totals.batch
  tasks.lastClock[i] = totals.clock
  environments.picks[e]!++
  environments.lastBatch[e] = totals.batch
  environments.covered[e]!++
  patterns.covered[p]!++
  patterns.lastBatch[p] = totals.batch
  state.window.push({ environment: e, lease, position: totals.picks })
  totals.picks++
  totals.sinceVersion++
}

export function foldDraws(state: State, places: Places, now: InForce, picks: number, uniform: number[]): void {
  const { totals } = state
  const share = uniformShareOf(state.config.scheduler, now.uniformShare)
  totals.uniformCredit = uniformCredit(totals.uniformCredit, share, picks, uniform.length)
  foldUniform(state, uniform, (i) => now.banned[i] === 1 || now.pause[places.environmentOf[i]!] !== null)
}

export function trimWindow(state: State): void {
  const length = windowLength(state)
  if (state.window.length > length) state.window = state.window.slice(state.window.length - length)
}

/** Picks, window and time are counted when their groups come: only those were really rolled out. */
export function foldShares(state: State, places: Places, entry: SharesEntry): void {
  const { totals } = state
  const size = Number.isInteger(entry.size) && entry.size > 0 ? entry.size : 0
  const now = inForce(state, places.environmentOf)
  countRequest(state, size, false)
  totals.batch = nextBatch(totals.batch, entry.batch)
  const uniform = [...new Set(entry.uniform.filter((task) => isTask(places, task)))]
  foldDraws(state, places, now, size, uniform)
  expireOverrides(state)
}

function fadeMeans(state: State, passed: number): void {
  const { tasks, environments, patterns, totals } = state
  const scale = (column: Float64Array, rate: number) => {
    const factor = rate ** passed
    for (let k = 0; k < column.length; k++) column[k]! *= factor
  }
  scale(environments.covered, FADE.covered)
  scale(patterns.covered, FADE.covered)
  for (const column of [environments.mass, environments.mean, environments.variance, environments.frontier])
    scale(column, FADE.environment)
  for (const column of [tasks.mass, tasks.mean, tasks.variance, tasks.frontier]) scale(column, FADE.task)
  const all = FADE.all ** passed
  totals.mass *= all
  totals.variance *= all
  totals.frontier *= all
}
