/* Owns the Overview's answer: does it learn, does the scheduler earn its keep.
   Invariant: "more" and "fewer" only where the interval of the difference leaves out zero; else it says so. */
import type { Overview } from '@/lib/contract/overview'
import type { RunSummary } from '@/lib/contract/run'
import { formatBare, formatCount, formatFixed, formatNumber } from './format'
import type { VerdictText } from './runs-verdict'

type VerdictRun = Pick<RunSummary, 'mode' | 'scheduler' | 'picksBack' | 'batchSize'>
type Interval = NonNullable<Overview['chosen']>

export interface Difference {
  value: number
  low: number
  high: number
}

/** Chosen minus uniform with the 95 % interval of two independent means. */
export function shareDifference(chosen: Interval, uniform: Interval): Difference {
  const value = chosen.value - uniform.value
  const down = Math.hypot(chosen.value - chosen.low, uniform.high - uniform.value)
  const up = Math.hypot(chosen.high - chosen.value, uniform.value - uniform.low)
  return { value, low: value - down, high: value + up }
}

/** How the reward on the whole task set moved since the first batches. */
export function learning(overview: Overview): 'rises' | 'falls' | 'flat' | 'unknown' {
  const { rewardWhole, rewardWholeFirst } = overview
  if (rewardWhole === null || rewardWholeFirst === null) return 'unknown'
  if (rewardWhole.low > rewardWholeFirst) return 'rises'
  return rewardWhole.high < rewardWholeFirst ? 'falls' : 'flat'
}

const HEAD = { rises: 'Learning: ', falls: 'Losing ground: ', flat: 'Not learning yet: ', unknown: '' } as const

function points(value: number): string {
  return formatBare('share', Math.abs(value), 'n/a')
}

function range(difference: Difference): string {
  return `${formatFixed(difference.low * 100, 1, true)} to ${formatFixed(difference.high * 100, 1, true)}`
}

function compared(overview: Overview): string {
  const { chosen, uniform } = overview
  if (chosen === null) return ''
  if (uniform === null) return '; the uniform slots have no group yet to compare with'
  const difference = shareDifference(chosen, uniform)
  if (difference.low > 0) return `, ${points(difference.value)} points more than uniform choice`
  if (difference.high < 0) return `, ${points(difference.value)} points fewer than uniform choice`
  return `; against uniform choice the difference is not clear yet, ${range(difference)} points`
}

function sentence(overview: Overview, run: VerdictRun): string {
  const { chosen, uniform } = overview
  if (run.mode === 'shadow') {
    if (chosen === null)
      return 'None of the newest groups has two trusted rewards; the trainer chooses its tasks by itself.'
    return `${formatNumber('share', chosen.value, 'n/a')} of the ${formatCount(chosen.groups, 'group')} that the trainer chose are informative.`
  }
  if (run.scheduler === 'uniform' && uniform !== null) {
    const head = HEAD[learning(overview)]
    return `${head}${formatNumber('share', uniform.value, 'n/a')} of groups are informative, by uniform choice.`
  }
  if (chosen === null) {
    if (overview.batch === 0) return 'No batch yet: the trainer has not asked for one.'
    if (overview.byShares) return 'Too early to say: no trusted group is back; the trainer chooses its tasks by shares.'
    if (run.batchSize === null) return 'Too early to say: no trusted group is back.'
    return `Too early to say: ${formatFixed(run.picksBack, 0)} of the first ${formatFixed(run.batchSize, 0)} picks are back.`
  }
  const head = HEAD[learning(overview)]
  if (overview.byShares)
    return `${head}${formatNumber('share', chosen.value, 'n/a')} of the ${formatCount(chosen.groups, 'group')} that the trainer chose by shares are informative.`
  return `${head}${formatNumber('share', chosen.value, 'n/a')} of chosen groups are informative${compared(overview)}.`
}

function twoDigits(value: number): string {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value)))) - 1)
  return formatFixed(Math.round(value / size) * size, 0)
}

/** Rollouts more that uniform choice needs for as many informative groups; null where it cannot be said. */
export function rolloutsSaved(overview: Overview): Difference | null {
  const { uniform } = overview
  const { informative, trusted, groupSize, batches } = overview.yield
  if (uniform === null || groupSize === null || batches < 5 || informative === 0 || uniform.low <= 0) return null
  const more = (share: number) => (informative / share - trusted) * groupSize
  return { value: more(uniform.value), low: more(uniform.high), high: more(uniform.low) }
}

function context(overview: Overview): string | null {
  const parts: string[] = []
  const { rewardWhole, rewardWholeFirst, uniform } = overview
  if (rewardWhole !== null && rewardWholeFirst !== null) {
    const moved = { rises: 'rose', falls: 'fell', flat: 'went', unknown: 'went' }[learning(overview)]
    const ends = `from ${formatBare('reward', rewardWholeFirst, '')} to ${formatBare('reward', rewardWhole.value, '')}`
    parts.push(`Reward on the whole task set ${moved} ${ends}.`)
  }
  const saved = rolloutsSaved(overview)
  const over = `for the last ${overview.yield.batches} batches`
  if (saved !== null && saved.low > 0) {
    parts.push(
      `Uniform choice would have needed about ${twoDigits(saved.value)} more rollouts ${over} (${twoDigits(saved.low)} to ${twoDigits(saved.high)}).`,
    )
  } else if (saved !== null && saved.high < 0) {
    parts.push(`Uniform choice would have needed about ${twoDigits(-saved.value)} fewer rollouts ${over}.`)
  } else if (uniform !== null) {
    parts.push(
      `The uniform slots gave ${formatNumber('share', uniform.value, 'n/a')} over ${formatFixed(uniform.groups, 0)} groups, interval ${formatBare('share', uniform.low, '')} to ${formatNumber('share', uniform.high, '')}.`,
    )
  }
  return parts.length === 0 ? null : parts.join(' ')
}

const SHADOW = 'Shadow mode: the scheduler predicts each group before it is back, and chooses nothing.'

export function overviewVerdict(overview: Overview, run: VerdictRun): VerdictText {
  return { sentence: sentence(overview, run), context: run.mode === 'shadow' ? SHADOW : context(overview) }
}

/** A shadow run: how what was predicted before each group did. */
export function predictionSentence({ predictionError: known, chosen }: Overview): string {
  if (known !== null)
    return `Predicted before each group: mean absolute error of the predicted variance ${formatFixed(known.error, 3)} over ${formatCount(known.groups, 'group')}, against ${formatFixed(known.errorOfMean, 3)} of the mean so far.`
  return chosen === null
    ? 'How predictions did: n/a, since no group has two trusted rollouts, and one rollout has no variance.'
    : 'How predictions did: n/a until a second group comes back.'
}
