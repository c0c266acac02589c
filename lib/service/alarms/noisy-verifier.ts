/**
 * Variance that never falls: a verifier that tosses coins manufactures what looks informative for ever.
 * Formula: over the newest 28 to 40 judged uniform groups of an environment that span 24 batches or more,
 *   floor = mean group variance - 1.645 standard errors > .1 (a verifier that flips one reward in six makes .14);
 *   tasks do not differ: between = Var(group means) - mean(group variance / n), its upper 95 % bound at most .15 of
 *   (between + mean variance);
 *   nothing moves: the newer half's variance is not under the older half's by more than a standard error, and its mean has not
 *   moved by .1 nor by two;
 * and all of this was so for 6 groups on end.
 * Why: variance alone is what training wants. A flip rate f squeezes every task between f and 1 - f, solved ones stay at 1 - f; real
 * tasks differ, and change when they are trained. The floor is what exploitation should take off. Says nothing before 28 groups.
 */
import type { GroupRow } from '@/lib/store/group'
import { meanAndError } from './moments'
import { type AlarmRule, perEnvironment } from './ring'

const GROUPS = 28
const MOST = 40
const BATCHES = 24
const HELD = 6
const FLOOR = 0.1
const ALIKE = 0.15
const MOVED = 0.1
const ONE_SIDED = 1.645

interface NoiseGroup {
  mean: number
  variance: number
  rollouts: number
  batch: number
}

export interface NoiseBook {
  /** newest judged uniform groups, oldest first */
  groups: NoiseGroup[]
  /** what they say, null = nothing or not enough yet; and for how many groups on end */
  floor: number | null
  held: number
}

export const emptyNoise = (): NoiseBook => ({ groups: [], floor: null, held: 0 })

export function foldNoise(book: NoiseBook, group: GroupRow): void {
  const { slot, batch, mean, realisedVariance: variance, trusted } = group
  if (slot !== 'uniform' || batch === null || mean === null || variance === null) return
  if (trusted < 2 || !Number.isFinite(mean) || !Number.isFinite(variance)) return
  book.groups.push({ mean, variance, rollouts: trusted, batch })
  if (book.groups.length > MOST) book.groups.shift()
  book.floor = noiseFloor(book.groups)
  book.held = book.floor === null ? 0 : book.held + 1
}

/** Whether the tasks of these groups differ no more than chance allows. */
function alike(book: readonly NoiseGroup[], variance: number): boolean {
  const means = meanAndError(book.map((group) => group.mean))
  if (means === null) return false
  const n = book.length
  const spread = means.error ** 2 * n
  const chance = book.reduce((sum, group) => sum + group.variance / group.rollouts, 0) / n
  const upper = Math.max(0, spread - chance + ONE_SIDED * spread * Math.sqrt(2 / (n - 1)))
  return upper <= ALIKE * (upper + variance)
}

/** Whether neither variance nor reward of the newer half left the older one's. */
function still(book: readonly NoiseGroup[]): boolean {
  const half = Math.floor(book.length / 2)
  const [older, newer] = [book.slice(0, half), book.slice(half)]
  const halves = (value: (group: NoiseGroup) => number) => {
    const [a, b] = [meanAndError(older.map(value)), meanAndError(newer.map(value))]
    return a === null || b === null ? null : { change: b.mean - a.mean, error: Math.hypot(a.error, b.error) }
  }
  const variance = halves((group) => group.variance)
  const mean = halves((group) => group.mean)
  if (variance === null || mean === null || variance.change < -variance.error) return false
  return Math.abs(mean.change) < MOVED && Math.abs(mean.change) <= 2 * mean.error
}

/** Variance that is no task's, 0 to .25; null where it cannot be told from tasks that are being learnt. */
export function noiseFloor(book: readonly NoiseGroup[]): number | null {
  const first = book[0]
  const last = book.at(-1)
  if (book.length < GROUPS || first === undefined || last === undefined || last.batch - first.batch < BATCHES)
    return null
  const variance = meanAndError(book.map((group) => group.variance))
  if (variance === null) return null
  const floor = variance.mean - ONE_SIDED * variance.error
  return floor > FLOOR && alike(book, variance.mean) && still(book) ? floor : null
}

export const noisyVerifier: AlarmRule = (run) =>
  perEnvironment(run, ({ name, paused, book: { noise } }) => {
    const { floor, held, groups } = noise
    const since = groups[0]?.batch ?? run.batch
    if (paused || floor === null || held < HELD) return null
    return {
      kind: 'noisy_verifier',
      severity: 'warn',
      title: `${name}: variance never falls.`,
      sentence: `Over ${groups.length} uniform groups since batch ${since} its variance stayed above ${floor.toFixed(2)}, its reward did not move and its tasks do not differ, as if the verifier tossed coins: score the same rollout twice.`,
      ago: Math.max(0, run.batch - since),
    }
  })
