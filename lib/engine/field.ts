/**
 * The field: what groups teach about every task's chance of success. In the additive form
 *   logit p = prior mean + baseline + environment + slope (length - 4) + sum over shared things amount (cross + within) + task;
 * the conjunctive one is in field-line.ts. Drift by exposure and a random walk on every effect once a policy version, each group
 * absorbed by a Laplace step at the mode.
 * Owns: the order of things: validate, normalise, believe dead or alive, update, book, trace.
 * Must never know: batches, quotas, people. Invariant: same calls, same floats; invalid input is refused before anything changes.
 */
import { expose, moveTrained } from './field-exposure'
import { lineOf } from './field-line'
import { gainOf } from './field-moments'
import { type Field, priorField } from './field-state'
import { updateEffects } from './field-update'
import { walk } from './field-walk'
import { laplace } from './laplace'
import { expect, sigmoid } from './nodes'
import type { GroupFacts } from './trace'
import { bookGroup, ratioOf } from './variance-book'

/** After this many versions at once every effect is back at its prior's variance; more are not walked. */
const MOST_VERSIONS = 512
/** So many are walked one by one, to the bit as if they came one by one; the rest at once, the same to rounding: a jump must not stop a run. */
const SINGLE_VERSIONS = 8
const TOLERANCE = 1e-9
const ROUNDING = 1e-14
/** A group of graded rewards is worth at most this many times its rollouts. */
const MOST_WORTH = 4

function refuse(what: string): never {
  throw new RangeError(what)
}

/** Moves the field by `policyVersions` (integer, 0 or more) policy versions. */
export function advanceField(field: Field, policyVersions: number): void {
  if (!Number.isInteger(policyVersions) || policyVersions < 0)
    refuse(`Cannot advance by ${policyVersions} policy versions.`)
  const versions = Math.min(policyVersions, MOST_VERSIONS)
  const single = Math.min(versions, SINGLE_VERSIONS)
  for (let v = 0; v < single; v++) walk(field, moveTrained(field), 1)
  if (versions > single) walk(field, null, versions - single)
  field.versions += policyVersions
}

interface Normalised {
  mean: number
  variance: number
  binary: boolean
}

function normalise(field: Field, group: GroupFacts): Normalised {
  const { task, trusted: n, sum, sumSquares } = group
  const e = field.structure.environmentOf[task]!
  const low = field.low[e]!
  const width = field.high[e]! - low
  const mean = (sum / n - low) / width
  const square = (sumSquares / n - 2 * low * (sum / n) + low * low) / (width * width)
  // Sums of rewards far from 0 in a narrow range have lost digits before they get here.
  const tolerance = TOLERANCE + ROUNDING * (Math.max(Math.abs(low), Math.abs(field.high[e]!)) / width) ** 2
  if (mean < -tolerance || mean > 1 + tolerance) {
    refuse(`Mean reward ${sum / n} of task ${task} is outside its range [${low}, ${field.high[e]!}].`)
  }
  if (square < mean * mean - tolerance || square > mean + tolerance) {
    refuse(`Sum of squares ${sumSquares} of task ${task} does not fit ${n} rewards of sum ${sum} in its range.`)
  }
  const bounded = Math.max(0, Math.min(1, mean))
  const binary = Math.abs(square - mean) <= tolerance
  const spread = binary ? bounded * (1 - bounded) : Math.max(0, square - mean * mean)
  return { mean: bounded, variance: n > 1 ? (spread * n) / (n - 1) : 0, binary }
}

function check(field: Field, group: GroupFacts): void {
  const { task, trusted, sum, sumSquares, low, high, policyVersion } = group
  if (!Number.isInteger(task) || task < 0 || task >= field.structure.tasks) refuse(`There is no task ${task}.`)
  if (!Number.isSafeInteger(trusted) || trusted < 0)
    refuse(`${trusted} trusted rollouts of task ${task} is not a count.`)
  if (!Number.isInteger(policyVersion)) refuse(`Policy version ${policyVersion} of task ${task} is not an integer.`)
  for (const [name, count] of [['low', low] as const, ['high', high] as const]) {
    if (!Number.isInteger(count) || count < 0 || count > trusted)
      refuse(`${name} ${count} of task ${task} is not in 0 to ${trusted}.`)
  }
  if (low + high > trusted)
    refuse(`low ${low} and high ${high} of task ${task} are more than its ${trusted} trusted rollouts.`)
  if (group.lease !== null && (!Number.isInteger(group.lease) || group.lease < 0))
    refuse(`There is no lease ${group.lease}.`)
  if (!Number.isFinite(sum)) refuse(`Sum ${sum} of task ${task} is not a number.`)
  if (!Number.isFinite(sumSquares)) refuse(`Sum of squares ${sumSquares} of task ${task} is not a number.`)
}

/** Believes a task dead or alive after a group; returns the probability that it is alive. */
function believe(field: Field, task: number, size: number, failed: boolean, mean: number, variance: number): number {
  const { deadOdds, settings } = field
  if (failed) {
    const chance = expect(mean, Math.sqrt(variance), (q) => (1 - q) ** size)
    deadOdds[task] = Math.min(settings.deadMost, deadOdds[task]! - Math.log(Math.max(chance, 1e-12)))
  } else deadOdds[task] = Math.min(deadOdds[task]!, settings.deadSolved)
  return 1 - sigmoid(deadOdds[task]!)
}

/** Row times the effects' deviations from their priors, the task's own included. */
function deviationAlong({ layout, mean }: Field, task: number, amounts: Float64Array): number {
  const first = layout.rowStart[task]!
  let sum = mean[layout.taskStart + task]!
  for (let k = 0; k < amounts.length; k++) sum += amounts[k]! * mean[layout.rowIndex[first + k]!]!
  return sum
}

/**
 * Absorbs one group of trusted rewards (raw scale, 0 or more of them; none changes nothing). Throws RangeError naming the value where
 * a count, a sum or a reward is impossible or outside the environment's range. Merging older groups is the caller's (models.ts).
 */
export function absorbGroup(field: Field, group: GroupFacts): void {
  check(field, group)
  if (group.trusted === 0) return
  const { task, trusted } = group
  const { mean, variance, binary } = normalise(field, group)
  const { settings, structure, book } = field
  const environment = structure.environmentOf[task]!
  const { logit: before, amounts } = lineOf(field, task)
  const gain = gainOf(field, task, amounts)
  const taskGain = field.taskVariance[task]!
  const prior = gain.variance + taskGain
  const alive = believe(field, task, trusted, mean <= TOLERANCE, before, prior)
  bookGroup(book, { task, environment, size: trusted, mean, variance, binary }, structure.tasksOf[environment]!)
  const worth = (trusted * alive) / Math.max(1 / MOST_WORTH, Math.min(1, ratioOf(book, environment)))
  const seen = laplace(before, prior, worth * mean, worth, settings.leastInformation)
  const scale = prior + seen.variance
  const shift = (seen.mode - before) / prior
  const along = deviationAlong(field, task, amounts)
  const row = amounts.slice()
  updateEffects(field, task, gain, shift, scale, seen.variance)
  expose(field, task, lineOf(field, task).amounts, trusted > 1 ? Math.sqrt((variance * (trusted - 1)) / trusted) : 0)
  const { policyVersion, lease, sum, sumSquares, low, high } = group
  field.trace.push({
    task,
    policyVersion,
    lease,
    trusted,
    sum,
    sumSquares,
    low,
    high,
    versions: field.versions,
    mean,
    variance,
    target: along + shift * scale,
    scale,
    observation: seen.variance,
    row,
    commonGain: gain.common,
    ownGain: gain.own,
    taskGain,
  })
}

/**
 * Puts a new reward range of an environment in force: the field is built again from its traced groups as if the range had been known
 * (groups that merged into older ones before are let go, their trace is older than the walk remembers).
 * Throws RangeError if the range is none or a traced reward lies outside; nothing changes then.
 */
export function setRange(field: Field, environment: number, low: number, high: number): void {
  if (field.low[environment] === undefined) refuse(`There is no environment ${environment}.`)
  if (!Number.isFinite(low) || !Number.isFinite(high) || low >= high) refuse(`[${low}, ${high}] is not a reward range.`)
  if (field.low[environment] === low && field.high[environment] === high) return
  const lows = field.low.slice()
  const highs = field.high.slice()
  lows[environment] = low
  highs[environment] = high
  const rebuilt = priorField(field.structure, field.layout, field.settings, lows, highs)
  rebuilt.versions = field.trace[0]?.versions ?? field.versions
  for (const group of field.trace) {
    advanceField(rebuilt, group.versions - rebuilt.versions)
    absorbGroup(rebuilt, group)
  }
  advanceField(rebuilt, field.versions - rebuilt.versions)
  Object.assign(field, rebuilt)
}
