/**
 * The smallest change of one setting that lets a left-out task in, verified by choosing the whole batch again.
 * Owns: guesses in closed form and their verification. Must never know: names, sentences.
 * Invariant: a change that is returned was chosen with; null says that none was found within the budget.
 * Cost: a few choices a runner-up, at most `budget` in all.
 */
import { WEIGHT_RANGES, type WeightName } from './config'
import type { Change, LeftOut } from './decision'
import { thresholdOf } from './left-out'
import type { InForce } from './overrides'
import type { Ground, Proposal } from './proposal'

const STEP = 100
const onGrid = (value: number) => Math.round(value * STEP) / STEP
const up = (value: number) => Math.ceil(value * STEP - 1e-9) / STEP
const down = (value: number) => Math.floor(value * STEP + 1e-9) / STEP

/** A trial: the setting, its value now, the guess, the furthest allowed, and the settings that hold with a value. */
interface Trial {
  setting: Change['setting']
  environment: number | null
  now: number
  guess: number
  limit: number
  range: number
  apply: (value: number) => InForce
}

/** Chooses again; null when the budget is spent. */
export type Again = (now: InForce) => Proposal | null

/** Guess where two scores that are linear in a weight meet: candidate a + b w, threshold c + d w. */
function meeting(
  candidate: [number, number],
  last: [number, number],
  now: number,
  range: { low: number; high: number },
): number | null {
  const slope = candidate[1] - last[1]
  if (slope === 0) return null
  const at = (last[0] - candidate[0]) / slope
  if (!Number.isFinite(at) || at < range.low - 1e-9 || at > range.high + 1e-9) return null
  return slope > 0 ? Math.max(up(at), onGrid(now)) : Math.min(down(at), onGrid(now))
}

/** Score of a task as a line in one weight, everything else held: [at 0, slope]. */
function lineOf(proposal: Proposal, now: InForce, name: WeightName, i: number, similarity: number): [number, number] {
  const { scores } = proposal.input
  const weight = now.weights[name]
  const part = name === 'exploitation' ? scores.exploitation[i]! + scores.override[i]! : scores.coverage[i]!
  const before = scores.base[i]! - scores.recency[i]!
  const recency = before > 0 ? scores.base[i]! / before : 1
  const like = 1 - scores.similarity * similarity
  const rest = scores.trust[i]!
  switch (name) {
    case 'exploitation':
    case 'coverage': {
      const slope = weight > 0 ? (part / weight) * recency * like * rest : 0
      return [(before - part) * recency * like * rest, slope]
    }
    case 'recency': {
      const slope = weight > 0 ? (scores.recency[i]! / weight) * like * rest : 0
      return [before * like * rest, slope]
    }
    case 'similarity':
      return [scores.base[i]! * rest, -scores.base[i]! * similarity * rest]
    case 'headroom':
      return [0, 0]
  }
}

function withWeight(now: InForce, name: WeightName, value: number): InForce {
  return { ...now, weights: { ...now.weights, [name]: value } }
}

function weightTrials(proposal: Proposal, now: InForce, entry: LeftOut): Trial[] {
  const trials: Trial[] = []
  const threshold = thresholdOf(proposal)
  const last = proposal.selection.chosen.find(
    ({ slot, owed, score }) => slot === 'score' && !owed && score === threshold,
  )
  if (last === undefined) return trials
  for (const name of ['exploitation', 'coverage', 'similarity', 'recency'] as const) {
    const range = WEIGHT_RANGES[name]
    const value = now.weights[name]
    const guess = meeting(
      lineOf(proposal, now, name, entry.task, entry.similarity ?? 0),
      lineOf(proposal, now, name, last.task, last.similarity),
      value,
      range,
    )
    if (guess === null) continue
    const limit = guess >= value ? range.high : range.low
    trials.push({
      setting: name,
      environment: null,
      now: value,
      guess,
      limit,
      range: range.high - range.low,
      apply: (v) => withWeight(now, name, v),
    })
  }
  return trials
}

/** The share at which the next batch has one uniform slot less. */
function uniformTrial(ground: Ground, now: InForce, proposal: Proposal): Trial[] {
  const { uniformCount } = proposal.input
  if (uniformCount === 0 || ground.state.config.scheduler !== 'envsched') return []
  const share = (uniformCount - ground.state.totals.uniformCredit) / ground.size
  const guess = Math.max(0, down(share - 1e-6))
  if (guess >= now.uniformShare) return []
  return [
    {
      setting: 'uniform_share',
      environment: null,
      now: now.uniformShare,
      guess,
      limit: 0,
      range: 1,
      apply: (v) => ({ ...now, uniformShare: v }),
    },
  ]
}

function quotaTrial(now: InForce, proposal: Proposal, entry: LeftOut, size: number): Trial[] {
  const e = proposal.input.environmentOf[entry.task]!
  const quota = now.quotas[e]!
  const { plan, selection } = proposal
  const share = (plan.used[e]! + selection.taken[e]!) / (plan.span[e]! + size)
  const guess = Math.min(1, Math.max(onGrid(quota.upper), down(share) + 1 / STEP))
  const apply = (upper: number) => ({ ...now, quotas: now.quotas.with(e, { lower: quota.lower, upper }) })
  return [{ setting: 'upper_quota', environment: e, now: quota.upper, guess: onGrid(guess), limit: 1, range: 1, apply }]
}

function switchTrial(now: InForce, proposal: Proposal, entry: LeftOut): Trial[] {
  const e = proposal.input.environmentOf[entry.task]!
  const one = { now: 1, guess: 0, limit: 0, range: 1 }
  if (entry.rule === 'banned') {
    const banned = now.banned.slice()
    banned[entry.task] = 0
    return [{ setting: 'ban', environment: null, ...one, apply: () => ({ ...now, banned }) }]
  }
  return [{ setting: 'pause', environment: e, ...one, apply: () => ({ ...now, pause: now.pause.with(e, null) }) }]
}

function trialsOf(ground: Ground, now: InForce, proposal: Proposal, entry: LeftOut): Trial[] {
  switch (entry.rule) {
    case 'banned':
    case 'paused':
      return switchTrial(now, proposal, entry)
    case 'upper_quota':
      return quotaTrial(now, proposal, entry, ground.size)
    case 'leased':
    case 'waiting':
    case 'concurrency':
    case 'environment_cap':
      return []
    case 'score':
    case 'similarity':
    case 'recency':
    case 'lower_quota': {
      if (ground.state.config.scheduler !== 'envsched') return []
      const trials = [...weightTrials(proposal, now, entry), ...uniformTrial(ground, now, proposal)]
      return trials.sort((a, b) => Math.abs(a.guess - a.now) / a.range - Math.abs(b.guess - b.now) / b.range)
    }
  }
}

/** Tries the guess, then further out; then closes in on the smallest step that still works. */
function settle(trial: Trial, task: number, again: Again): number | null {
  const works = (value: number) => again(trial.apply(value))?.selection.inBatch[task] === 1
  let reached = trial.guess
  let short = trial.now
  for (let k = 0; !works(reached); k++) {
    if (k === 2 || reached === trial.limit) return null
    short = reached
    const further = onGrid(
      reached + Math.sign(trial.limit - trial.now) * Math.max(1 / STEP, Math.abs(reached - trial.now)),
    )
    reached = trial.limit > trial.now ? Math.min(trial.limit, further) : Math.max(trial.limit, further)
  }
  if (trial.setting === 'ban' || trial.setting === 'pause') return reached
  for (let k = 0; k < 4 && Math.abs(reached - short) > 1.5 / STEP; k++) {
    const middle = onGrid((reached + short) / 2)
    if (works(middle)) reached = middle
    else short = middle
  }
  return reached
}

/** The change for one entry, or null. Changes that are no change (the value in force) are never returned. */
export function smallestChange(
  ground: Ground,
  now: InForce,
  proposal: Proposal,
  entry: LeftOut,
  again: Again,
): Change | null {
  for (const trial of trialsOf(ground, now, proposal, entry)) {
    const needed = settle(trial, entry.task, again)
    if (needed !== null && needed !== trial.now)
      return { setting: trial.setting, now: trial.now, needed, environment: trial.environment }
  }
  return null
}
