/**
 * Forgetting: an environment that was learnt and is lost again.
 * Formula (decided 16): 95 % bounds of the mean reward over the newest 16, 32 and 64 uniform groups (or what holds 64 rollouts); fires
 * when bounds that lie wholly behind the best ones have their upper end under the best lower end minus .1. "Not enough yet" before.
 * Why: only uniform slots are an honest sample of an environment (scores choose what is hard). Rollouts of one task are alike, so
 * the bounds count groups: the best of many windows is a lucky one, and with 8 groups where every third task is solved it was
 * lucky enough to ring. 16 groups see a fall from 1 to .45, 64 one from .8 to .45. On a language model adaptive choice let an
 * environment fall from .95 to .06 unseen.
 */
import type { GroupRow } from '@/lib/store/group'
import { type Bounds, rewardBounds } from './moments'
import { type AlarmRule, percent, perEnvironment } from './ring'

const ROLLOUTS = 64
/** groups that anything is said of, and that are looked back over: few see a fall early, many see a small one */
const LEAST = 8
const SPANS = [16, 32, 64]
const SHOWN = 16
const MOST = 256
const DROP = 0.1

export interface ForgettingBook {
  /** newest uniform groups, oldest first */
  window: { mean: number; rollouts: number }[]
  /** rollouts of what `now` rests on, or would */
  rollouts: number
  /** bounds over the last 16 or more that are needed for 64 rollouts; null = not enough yet */
  now: Bounds | null
  /** the bounds whose lower one was the best so far, and the batch of the newest group in them */
  peak: (Bounds & { batch: number | null }) | null
  /** groups since that one: only they can show a fall, since before it the reward may have risen */
  sincePeak: number
  /** the bounds that lie under that by more than is accepted, null = none */
  fallen: Bounds | null
}

export const emptyForgetting = (): ForgettingBook => ({
  window: [],
  rollouts: 0,
  now: null,
  peak: null,
  sincePeak: 0,
  fallen: null,
})

/** Newest groups that hold enough rollouts, at least eight; null = there are too few. */
function enough(window: ForgettingBook['window']): number | null {
  let rollouts = 0
  for (let count = 1; count <= window.length; count += 1) {
    rollouts += window.at(-count)?.rollouts ?? 0
    if (count >= LEAST && rollouts >= ROLLOUTS) return count
  }
  return null
}

export function foldForgetting(book: ForgettingBook, group: GroupRow): void {
  const { slot, mean, trusted, batch } = group
  if (slot !== 'uniform' || mean === null || !Number.isFinite(mean) || trusted === 0) return
  book.window.push({ mean, rollouts: trusted })
  if (book.window.length > MOST) book.window.shift()
  const least = enough(book.window)
  const shown = book.window.slice(-Math.max(SHOWN, least ?? 0))
  book.rollouts = shown.reduce((sum, one) => sum + one.rollouts, 0)
  if (least === null) return
  book.now = rewardBounds(shown)
  book.fallen = null
  const spans = new Set(SPANS.map((span) => Math.max(span, least)).filter((span) => span <= book.window.length))
  book.sincePeak += 1
  for (const span of spans) {
    const bounds = rewardBounds(book.window.slice(-span))
    if (bounds === null) continue
    if (book.peak === null || bounds.low > book.peak.low) {
      book.peak = { ...bounds, batch }
      book.sincePeak = 0
    } else if (book.fallen === null && span <= book.sincePeak && bounds.high < book.peak.low - DROP)
      book.fallen = bounds
  }
}

export const forgetting: AlarmRule = (run) =>
  perEnvironment(run, ({ name, paused, book }) => {
    const { fallen: now, peak } = book.forgetting
    if (paused || now === null || peak === null) return null
    const at = peak.batch === null ? '' : ` at batch ${peak.batch}`
    return {
      kind: 'forgetting',
      severity: 'bad',
      title: `${name} forgets.`,
      sentence: `Reward on its uniform slots fell from ${percent(peak.value)} (at least ${percent(peak.low)})${at} to ${percent(now.value)} (at most ${percent(now.high)}) over the last ${now.rollouts} rollouts: give it a lower quota or more uniform slots.`,
      ago: 0,
    }
  })
