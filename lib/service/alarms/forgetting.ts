/**
 * Forgetting: an environment that was learnt and is lost again.
 * Formula (decided 16): 95 % bounds of the mean reward over the newest 8 to 16 uniform groups that hold 64 rollouts or more;
 * fires when the upper bound now lies under the best lower bound so far minus .1. "Not enough yet" before that.
 * Why: only uniform slots are an honest sample of an environment (scores choose what is hard). Rollouts of one task are alike, so
 * the bounds count groups: 8 tasks that were all solved say little of an environment in which every fourth is not, and the
 * best of many windows is a lucky one. On a language model adaptive choice let an environment fall from .95 to .06 unseen.
 */
import type { GroupRow } from '@/lib/store/group'
import { type Bounds, rewardBounds } from './moments'
import { type AlarmRule, percent, perEnvironment } from './ring'

const ROLLOUTS = 64
const GROUPS = 8
const MOST = 16
const DROP = 0.1

export interface ForgettingBook {
  /** newest uniform groups, oldest first: no more than are needed */
  window: { mean: number; rollouts: number; batch: number | null }[]
  rollouts: number
  /** null = not enough yet */
  now: Bounds | null
  /** the bounds whose lower one was the best so far, and the batch of the newest group in them */
  peak: (Bounds & { batch: number | null }) | null
}

export const emptyForgetting = (): ForgettingBook => ({ window: [], rollouts: 0, now: null, peak: null })

export function foldForgetting(book: ForgettingBook, group: GroupRow): void {
  const { slot, mean, trusted, batch } = group
  if (slot !== 'uniform' || mean === null || !Number.isFinite(mean) || trusted === 0) return
  book.window.push({ mean, rollouts: trusted, batch })
  book.rollouts += trusted
  for (;;) {
    const oldest = book.window[0]
    if (oldest === undefined || book.window.length <= MOST || book.rollouts - oldest.rollouts < ROLLOUTS) break
    book.window.shift()
    book.rollouts -= oldest.rollouts
  }
  if (book.rollouts < ROLLOUTS || book.window.length < GROUPS) return
  book.now = rewardBounds(book.window)
  if (book.now !== null && (book.peak === null || book.now.low > book.peak.low)) book.peak = { ...book.now, batch }
}

export const forgetting: AlarmRule = (run) =>
  perEnvironment(run, ({ name, paused, book }) => {
    const { now, peak } = book.forgetting
    if (paused || now === null || peak === null || !(now.high < peak.low - DROP)) return null
    const at = peak.batch === null ? '' : ` at batch ${peak.batch}`
    return {
      kind: 'forgetting',
      severity: 'bad',
      title: `${name} forgets.`,
      sentence: `Reward on its uniform slots fell from ${percent(peak.value)} (at least ${percent(peak.low)})${at} to ${percent(now.value)} (at most ${percent(now.high)}) over the last ${now.rollouts} rollouts: give it a lower quota or more uniform slots.`,
      ago: 0,
    }
  })
