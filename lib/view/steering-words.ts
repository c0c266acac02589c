/**
 * Owns the sentences of the Steering page: each change in words, the verdict of a preview, the state of a history entry.
 * Must never know how a draft is edited. Invariant: what may be nothing is said to be maybe nothing.
 */
import type { Override, OverrideInput, Preview, Steering } from '@/lib/contract/steering'
import { formatCount, formatFixed } from './format'
import type { WeightName } from './steering-draft'

/** Names a server id: an environment's code or a task's key. */
export type NameOf = (target: string) => string

export const WEIGHT_LABELS: Record<WeightName, string> = {
  exploitation: 'exploitation',
  coverage: 'coverage',
  similarity: 'similarity penalty',
  recency: 'recency',
  headroom: 'headroom',
  cost: 'cost',
}

const WEIGHT_NAMES: Record<WeightName, string> = {
  exploitation: 'exploitation weight',
  coverage: 'coverage weight',
  similarity: 'similarity penalty',
  recency: 'recency weight',
  headroom: 'headroom',
  cost: 'cost weight',
}

export const WEIGHT_HINTS: Record<WeightName, string> = {
  exploitation: 'multiplies the predicted variance',
  coverage: 'adds for environments, tasks and patterns that were observed little',
  similarity: 'takes off what a candidate is like earlier picks of this batch and ones that are still out',
  recency: 'takes off what was picked a short while ago',
  headroom: 'exponent h of E[q (1-q)^(1+h)]: higher prefers tasks that are solved less often',
  cost: 'divides by the expected cost of a rollout over the mean, to this power: seconds, else tokens, else turns',
}

export const GROUP_SIZING_HINT =
  'adaptive gives scored picks 2 rollouts to twice the group size, by what they are expected to teach, at the same sum'

/** A share as per cent without its unit, one decimal only where it has one: 0.17 gives "17". */
export function percentBare(share: number): string {
  const percent = share * 100
  return formatFixed(percent, Math.abs(percent - Math.round(percent)) < 1e-6 ? 0 : 1)
}

const lasting = (batches: number | null) => (batches === null ? 'until lifted' : `for ${batches}`)
/** " for 10" where a setting was given an end. */
const ending = (batches: number | null | undefined) =>
  batches === null || batches === undefined ? '' : ` for ${batches}`

function quotaInWords(change: Extract<OverrideInput, { kind: 'quota' }>, now: Steering, name: NameOf): string {
  const quota = now.quotas.find(({ environment }) => environment.id === change.target)
  const code = name(change.target)
  if (quota === undefined) {
    return `${code} quota ${percentBare(change.lower)} to ${percentBare(change.upper)}\u00a0%`
  }
  const lower = Math.abs(quota.lower - change.lower) > 1e-9
  const upper = Math.abs(quota.upper - change.upper) > 1e-9
  const lowerMove = `${percentBare(quota.lower)} to ${percentBare(change.lower)}\u00a0%`
  const upperMove = `${percentBare(quota.upper)} to ${percentBare(change.upper)}\u00a0%`
  if (lower && upper) return `${code} lower quota ${lowerMove}, upper ${upperMove}`
  return lower ? `${code} lower quota ${lowerMove}` : `${code} upper quota ${upperMove}`
}

function liftInWords(target: string, now: Steering): string {
  const override = now.inForce.find(({ id }) => id === target)
  if (override === undefined) return 'lift an override'
  const name = override.task?.key ?? override.environment?.code ?? ''
  return `lift ${override.kind} ${name}`.trim()
}

export function changeInWords(change: OverrideInput, now: Steering, name: NameOf): string {
  switch (change.kind) {
    case 'weight': {
      const before = now.weights.find((weight) => weight.name === change.target)
      const from = before === undefined ? '' : `${formatFixed(before.now, 2)} to `
      return `${WEIGHT_NAMES[change.target]} ${from}${formatFixed(change.value, 2)}${ending(change.batches)}`
    }
    case 'uniform_share':
      return `uniform share ${formatFixed(now.uniformShare, 2)} to ${formatFixed(change.value, 2)}${ending(change.batches)}`
    case 'group_sizing':
      return `group sizes ${now.groupSizing} to ${change.value}${ending(change.batches)}`
    case 'quota':
      return `${quotaInWords(change, now, name)}${ending(change.batches)}`
    case 'pause':
      return `${name(change.target)} paused ${lasting(change.batches)}`
    case 'resume':
      return `${name(change.target)} resumed`
    case 'pin':
      return `${name(change.target)} pinned ${lasting(change.batches)}`
    case 'ban':
      return `${name(change.target)} banned ${lasting(change.batches)}`
    case 'boost':
      return `${name(change.target)} boosted ${formatFixed(change.factor, 2)} times ${lasting(change.batches)}`
    case 'lift':
      return liftInWords(change.target, now)
  }
}

/** "is expected to give 13 fewer informative groups"; a direction is said only where the draft's interval leaves out what is without it. */
function gain({ expected: { now, draft, low, high } }: Preview): string {
  const count = Math.abs(Math.round(draft - now))
  if (count === 0 || (now >= low && now <= high)) {
    const [from, to] = [formatFixed(now, 1), formatFixed(draft, 1)]
    const groups = from === to ? `${from} either way` : `${from} to ${to}`
    return `makes no clear difference in informative groups, ${groups}`
  }
  return `is expected to give ${count} ${draft > now ? 'more' : 'fewer'} informative ${count === 1 ? 'group' : 'groups'}`
}

// The expectation counts groups; of a batch without picks every share is 0.
function sharesOf({ expected, size }: Preview): Preview['expected'] {
  const of = (groups: number) => (size === 0 ? 0 : groups / size)
  return {
    now: of(expected.now),
    nowLow: of(expected.nowLow),
    nowHigh: of(expected.nowHigh),
    draft: of(expected.draft),
    low: of(expected.low),
    high: of(expected.high),
  }
}

function interval(preview: Preview): string {
  const { now, draft, low, high } = sharesOf(preview)
  const share = (value: number) => formatFixed(value * 100, 1)
  const moved = share(now) === share(draft) ? `${share(now)}` : `${share(now)} to ${share(draft)}`
  const between = `Informative share ${moved}\u00a0%, interval ${formatFixed(low * 100, 0)} to ${formatFixed(high * 100, 0)}\u00a0%`
  if (share(now) === share(draft)) return `${between}.`
  if (now < low || now > high) return `${between}, so the ${draft > now ? 'gain' : 'loss'} is more than noise.`
  return `${between}, so the ${draft > now ? 'gain' : 'loss'} may be nothing.`
}

/** The two expectations side by side, each with its interval, in per cent. */
export function expectedRows(
  preview: Preview,
): { name: string; share: number; low: number; high: number; groups: number }[] {
  const of = sharesOf(preview)
  return [
    { name: 'without', share: of.now, low: of.nowLow, high: of.nowHigh, groups: preview.expected.now },
    { name: 'draft', share: of.draft, low: of.low, high: of.high, groups: preview.expected.draft },
  ]
}

const sizesInWords = (sizes: Preview['sizes']['now']) =>
  sizes.map(({ rollouts, picks }) => `${picks} × ${rollouts}`).join(', ')

/** Group sizes as "64 × 8 to 12 × 4, 40 × 8, 12 × 12"; null while every pick has the same size before and after. */
export function sizesSentence({ sizes }: Preview): string | null {
  const one = (list: Preview['sizes']['now']) => (list.length === 1 ? (list[0]?.rollouts ?? null) : null)
  if (sizes.now.length === 0 || (one(sizes.now) !== null && one(sizes.now) === one(sizes.draft))) return null
  const same = sizesInWords(sizes.now) === sizesInWords(sizes.draft)
  const rollouts = sizes.draft.reduce((sum, size) => sum + size.picks * size.rollouts, 0)
  const words = same ? sizesInWords(sizes.draft) : `${sizesInWords(sizes.now)} to ${sizesInWords(sizes.draft)}`
  return `Picks × rollouts: ${words}; ${formatCount(rollouts, 'rollout')} in all.`
}

export function previewVerdict(preview: Preview, accepted: number): { answer: string; context: string } {
  if (accepted === 0) {
    return {
      answer: `Your draft is refused: batch ${preview.batch} is chosen without it.`,
      context: 'Each change says why, and what comes nearest to it.',
    }
  }
  const swaps = preview.enters.length
  const answer =
    swaps === 0
      ? `Your draft changes no pick of batch ${preview.batch}.`
      : `Your draft swaps ${swaps} of ${formatCount(preview.size, 'task')} and ${gain(preview)}.`
  const stay = swaps === 0 ? null : `${formatCount(preview.stays, 'task')} ${preview.stays === 1 ? 'stays' : 'stay'}.`
  const parts = [interval(preview), stay, 'The draft changes nothing until you apply it.']
  return { answer, context: parts.filter((part) => part !== null).join(' ') }
}

/** Whether a change can be taken further the same way: what is at its end, or all or nothing, cannot. */
function goesFurther(change: OverrideInput, now: Steering): boolean {
  if (change.kind === 'boost') return change.factor > 0
  if (change.kind === 'uniform_share') return change.value > 0 && change.value < 1
  if (change.kind === 'quota') {
    const quota = now.quotas.find(({ environment }) => environment.id === change.target)
    const lower = quota === undefined || Math.abs(quota.lower - change.lower) > 1e-9
    const upper = quota === undefined || Math.abs(quota.upper - change.upper) > 1e-9
    return (lower && change.lower > 0) || (upper && change.upper > 0 && change.upper < 1)
  }
  if (change.kind !== 'weight') return false
  const weight = now.weights.find(({ name }) => name === change.target)
  return weight === undefined || (change.value > weight.low && change.value < weight.high)
}

/** Why a draft that is possible changes no pick: the record's own word where it has one, else whether moving further can help. */
export function unchangedSentence(preview: Preview, draft: readonly OverrideInput[], now: Steering): string {
  const same = `Batch ${preview.batch} stays the same`
  const refused = preview.refused.length
  if (refused > 0 && refused >= draft.length) return `${same}: every change of the draft is refused. Correct one first.`
  if (refused > 0) {
    return `${same}: ${refused} of ${formatCount(draft.length, 'change')} ${refused === 1 ? 'is' : 'are'} refused, the rest changes no pick.`
  }
  const [without] = preview.notesNow.filter((note) => !preview.notes.includes(note))
  if (without !== undefined) return `${same}. Without the draft: ${without}`
  if (preview.notes.length > 0) return `${same}. What could not be met is told below.`
  return draft.some((change) => goesFurther(change, now))
    ? `${same}: the draft is possible, but not enough to part two picks. Move a setting further.`
    : `${same}: what the draft changes decided no pick of it.`
}

/** Why one change leaves the next batch as it is: what is paused is out of it, so a batch that stays had no pick of it. */
function sameBecause(change: OverrideInput): string {
  return change.kind === 'pause' ? 'it has no pick of this environment' : `the ${change.kind} decides no pick of it`
}

/** One sentence about one change, said in place before it is applied. */
export function changePreviewSentence(preview: Preview, change: OverrideInput): { words: string; refused: boolean } {
  const refused = preview.refused[0]
  if (refused !== undefined) return { words: `Refused: ${refused.message}`, refused: true }
  const swaps = preview.enters.length
  if (swaps === 0 && preview.leaves.length === 0)
    return { words: `Batch ${preview.batch} would stay the same: ${sameBecause(change)}.`, refused: false }
  const moved =
    swaps === 0
      ? `takes ${formatCount(preview.leaves.length, 'task')} out of`
      : `swaps ${swaps} of ${formatCount(preview.size, 'task')} of`
  return {
    words: `It ${moved} batch ${preview.batch} and ${gain(preview)}.`,
    refused: false,
  }
}

/** Without a draft: what the next batch will be chosen with. */
export function restingVerdict(now: Steering): { answer: string; context: string } {
  const count = now.inForce.length
  const answer =
    count === 0
      ? `No override is in force: batch ${now.nextBatch} follows the run's configuration.`
      : `${formatCount(count, 'override')} ${count === 1 ? 'is' : 'are'} in force for batch ${now.nextBatch}; there is no draft.`
  return { answer, context: 'Change a weight, a quota or a task, and the next batch with and without it stands here.' }
}

/** Of a run that has ended: a draft has no batch to change. */
export function endedVerdict(changes: number): { answer: string; context: string } {
  return {
    answer: 'The run has ended: no batch is chosen any more.',
    context:
      changes === 0
        ? 'What steered it stands in the history.'
        : `Your draft of ${formatCount(changes, 'change')} can be looked at, not applied.`,
  }
}

export type UndoState = 'undo' | 'undone' | 'expired' | 'ended' | 'superseded'

/** What the last column of a history entry offers. A lift or a resume is undone by putting in force again what it ended. */
export function undoState(entry: Override): UndoState {
  if (entry.superseded) return 'superseded'
  if (entry.undoneBy !== null) return 'undone'
  if (entry.kind === 'lift' || entry.kind === 'resume' || entry.inForce) return 'undo'
  return entry.batches !== null ? 'expired' : 'ended'
}

/** What an undo would do, said before it is done. */
export function undoSentence(entry: Override, batch: number): string {
  if (entry.kind === 'lift' || entry.kind === 'resume') {
    return `Puts back in force from batch ${batch} what this entry ended, as a new entry.`
  }
  const { laterBy } = entry
  if (laterBy !== null) {
    return `Changes nothing now: ${laterBy.letter} was set later and holds ${entry.backTo} (${laterBy.sentence}). Undo ${laterBy.letter}, too, to go further back.`
  }
  return `Back to ${entry.backTo} from batch ${batch}, as a new entry.`
}

/** What an undo did, said once it is written; `from`: the first batch that it holds for. */
export function undoneSentence(entry: Override, from: number): string {
  const { kind, laterBy, sentence } = entry
  if (kind === 'lift') return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} taken back from batch ${from}.`
  if (laterBy !== null) {
    return `${entry.letter} is undone from batch ${from}, but ${laterBy.letter} was set later and still holds ${entry.backTo}.`
  }
  return `${sentence}: ${kind === 'resume' ? 'taken back' : 'undone'} from batch ${from}.`
}

/** How long an entry was given and how it stands: "10 batches, 4 left", "until lifted", "held to batch 56". */
export function holdsInWords(entry: Override): string {
  if (entry.superseded) return 'superseded by a restore'
  if (entry.kind === 'lift' || entry.kind === 'resume') return 'at once'
  if (entry.inForce) {
    if (entry.batchesLeft === null) return 'until lifted'
    return `${formatCount(entry.batches ?? Math.ceil(entry.batchesLeft), 'batch', 'batches')}, ${formatFixed(Math.ceil(entry.batchesLeft), 0)} left`
  }
  if (entry.until === null) return 'ended'
  if (entry.until <= entry.from) return 'never held'
  return `to batch ${entry.until - 1}`
}
