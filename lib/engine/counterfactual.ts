/**
 * The smallest change of one setting that lets a left-out task in, verified by choosing the whole batch again.
 * Owns: which settings are tried, how far, in which order. Must never know: names, sentences.
 * Invariant: a change that is returned was chosen with, and one grid step less was seen to fail or is the value in force;
 * null says that none was found within the budget. Cost: one choice a setting and level for all runners-up together.
 */
import { WEIGHT_RANGES } from './config'
import type { Change } from './decision'
import type { RunnerUp } from './left-out'
import type { InForce } from './overrides'
import type { Ground, Proposal } from './proposal'
import { uniformCount } from './uniform-slots'

const GRID = 100
/** distances that are tried, in steps of 0.01: near ones first, so that the first that works is nearly the smallest */
const LEVELS = [1, 3, 8, 20, 50, 200]
const onGrid = (value: number) => Math.round(value * GRID) / GRID

/** Chooses again; null when the budget is spent. */
export type Again = (now: InForce) => Proposal | null

/** One setting that can be moved in one direction. */
interface Dial {
  setting: Change['setting']
  environment: number | null
  now: number
  limit: number
  range: number
  apply: (value: number) => InForce
}

type Works = (dial: Dial, value: number, task: number) => boolean

/** Remembers who is in the batch at each value of each dial. */
function remembered(again: Again): Works {
  const known = new Map<string, Uint8Array | null>()
  return (dial, value, task) => {
    const key = `${dial.setting} ${dial.environment} ${value}`
    let inBatch = known.get(key)
    if (inBatch === undefined) {
      inBatch = again(dial.apply(value))?.selection.inBatch ?? null
      known.set(key, inBatch)
    }
    return inBatch?.[task] === 1
  }
}

/** Value `steps` grid steps from now towards the limit; values in force that are off the grid round away from it. */
function valueAt(dial: Dial, steps: number): number {
  const up = dial.limit > dial.now
  const moved = onGrid(up ? Math.floor(dial.now * GRID + 1e-9) / GRID : Math.ceil(dial.now * GRID - 1e-9) / GRID)
  const value = onGrid(moved + (up ? steps : -steps) / GRID)
  return up ? Math.min(dial.limit, value) : Math.max(dial.limit, value)
}

function weightDials(now: InForce): Dial[] {
  const dials: Dial[] = []
  // where cost does not count, no answer is that it should
  const cost = now.weights.cost > 0 ? (['cost'] as const) : []
  for (const setting of ['similarity', 'recency', ...cost, 'exploitation', 'coverage'] as const) {
    const { low, high } = WEIGHT_RANGES[setting]
    for (const limit of [low, high]) {
      if (now.weights[setting] === limit) continue
      const apply = (value: number) => ({ ...now, weights: { ...now.weights, [setting]: value } })
      dials.push({ setting, environment: null, now: now.weights[setting], limit, range: high - low, apply })
    }
  }
  return dials
}

function uniformDial(now: InForce): Dial {
  const apply = (value: number) => ({ ...now, uniformShare: value })
  return { setting: 'uniform_share', environment: null, now: now.uniformShare, limit: 0, range: 1, apply }
}

/**
 * Directions that can help. Less exploitation does what more coverage does, and the other way round: the lowering one is tried
 * only where the raising one is at its end.
 */
function helpful(dial: Dial, entries: RunnerUp[], { weights }: InForce): boolean {
  const up = dial.limit > dial.now
  switch (dial.setting) {
    case 'similarity':
      return !up && entries.some(({ terms }) => terms.similarity < 0)
    case 'recency':
      return up ? entries.some(({ terms }) => terms.recency === 0) : entries.some(({ terms }) => terms.recency < 0)
    case 'cost':
      return up || entries.some(({ terms }) => terms.cost < 0)
    case 'exploitation':
      return up || weights.coverage === WEIGHT_RANGES.coverage.high
    case 'coverage':
      return up || weights.exploitation === WEIGHT_RANGES.exploitation.high
    default:
      return true
  }
}

/** Closes in between a value that fails and one that works. */
function closest(dial: Dial, fails: number, works: number, task: number, tried: Works): number {
  let short = fails
  let reached = works
  while (Math.abs(reached - short) > 1.5 / GRID) {
    const middle = onGrid((reached + short) / 2)
    if (middle === reached || middle === short) break
    if (tried(dial, middle, task)) reached = middle
    else short = middle
  }
  return reached
}

function changeOf(dial: Dial, needed: number): Change {
  return { setting: dial.setting, environment: dial.environment, now: dial.now, needed }
}

/** Values of the dials by level; a level that changes nothing is left out. */
function* levels(ground: Ground, dials: Dial[]): Generator<{ dial: Dial; last: number; value: number }[]> {
  const slots = (value: number) => uniformCount(ground.state.totals.uniformCredit, value, ground.size)
  const before = new Map<Dial, number>()
  for (const steps of LEVELS) {
    const level: { dial: Dial; last: number; value: number }[] = []
    for (const dial of dials) {
      const last = before.get(dial) ?? dial.now
      const value = valueAt(dial, steps)
      if (value === last || (dial.setting === 'uniform_share' && slots(value) === slots(last))) continue
      before.set(dial, value)
      level.push({ dial, last, value })
    }
    yield level
  }
}

/** Weights and the uniform share, level by level for all entries at once; an entry takes the nearest of what works first. */
function sweep(
  ground: Ground,
  now: InForce,
  proposal: Proposal,
  entries: RunnerUp[],
  tried: Works,
): Map<number, Change> {
  const found = new Map<number, Change>()
  const dials = weightDials(now).filter((dial) => helpful(dial, entries, now))
  if (proposal.input.uniformCount > 0) dials.push(uniformDial(now))
  for (const level of levels(ground, dials)) {
    for (const { task } of entries) {
      if (found.has(task)) continue
      let nearest = Number.POSITIVE_INFINITY
      for (const { dial, last, value } of level) {
        if (!tried(dial, value, task)) continue
        const needed = closest(dial, last, value, task, tried)
        const distance = Math.abs(needed - dial.now) / dial.range
        if (distance >= nearest) continue
        nearest = distance
        found.set(task, changeOf(dial, needed))
      }
    }
    if (found.size === entries.length) break
  }
  return found
}

/** The least upper quota that lets it in, with the window begun anew, as the change would begin it. */
function quotaChange(ground: Ground, now: InForce, entry: RunnerUp, tried: Works): Change | null {
  const e = ground.environmentOf[entry.task]!
  const { lower, upper } = now.quotas[e]!
  const dial: Dial = {
    setting: 'upper_quota',
    environment: e,
    now: upper,
    limit: 1,
    range: 1,
    apply: (value) => ({ ...now, quotas: now.quotas.with(e, { lower, upper: value }), renewed: e }),
  }
  if (!(upper < 1) || !tried(dial, 1, entry.task)) return null
  return changeOf(dial, closest(dial, upper, 1, entry.task, tried))
}

/** Lifting a ban or a pause: on (1) now, off (0) needed. */
function switchChange(ground: Ground, now: InForce, entry: RunnerUp, tried: Works): Change | null {
  const e = ground.environmentOf[entry.task]!
  const ban = entry.rule === 'banned'
  const dial: Dial = {
    setting: ban ? 'ban' : 'pause',
    environment: ban ? null : e,
    now: 1,
    limit: 0,
    range: 1,
    apply: () => {
      if (!ban) return { ...now, pause: now.pause.with(e, null) }
      const banned = now.banned.slice()
      banned[entry.task] = 0
      return { ...now, banned }
    },
  }
  return tried(dial, 0, entry.task) ? changeOf(dial, 0) : null
}

/** The change of each entry, or null. */
export function smallestChanges(
  ground: Ground,
  now: InForce,
  proposal: Proposal,
  entries: RunnerUp[],
  again: Again,
): (Change | null)[] {
  const tried = remembered(again)
  const alone = entries.map((entry) => {
    if (entry.rule === 'upper_quota') return quotaChange(ground, now, entry, tried)
    if (entry.rule === 'banned' || entry.rule === 'paused') return switchChange(ground, now, entry, remembered(again))
    return null
  })
  const settable = entries.filter(
    ({ rule }) =>
      rule === 'score' || rule === 'similarity' || rule === 'recency' || rule === 'cost' || rule === 'lower_quota',
  )
  if (settable.length === 0 || ground.state.config.scheduler !== 'envsched') return alone
  const found = sweep(ground, now, proposal, settable, tried)
  return entries.map(({ task }, k) => found.get(task) ?? alone[k] ?? null)
}
