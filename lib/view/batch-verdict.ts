/**
 * Owns the Batch page's answer: one sentence with the number in it, one quieter line, both computed from the record.
 * Must never know how they are drawn. Invariant: a proposed batch never sounds issued; expected is named before realised.
 */
import type { BatchDetail, PickView, ProposedBatch } from '@/lib/contract/batch'
import { formatCount, formatFixed } from './format'
import { stagesSentence } from './stage-words'

export type AnyBatch = BatchDetail | ProposedBatch

/** An issued batch has an id, leases and results; a proposed one has none of them. */
export function isIssued(batch: AnyBatch): batch is BatchDetail {
  return 'id' in batch
}

/** "2 to 6" of 8: the counts solved at which a group is likely to be informative, a quarter to three quarters. */
export function middleRange(groupSize: number): { low: number; high: number } {
  const low = Math.max(1, Math.ceil(groupSize * 0.25))
  return { low, high: Math.max(low, groupSize - low) }
}

function inTheMiddle(pick: PickView): boolean {
  const { low, high } = middleRange(pick.groupSize)
  const expected = pick.prediction.ability * pick.groupSize
  return expected >= low && expected <= high
}

/** True where nothing but the prior speaks for a pick: no group of any task bears on it. */
function byPriorAlone({ prediction: { shares } }: PickView): boolean {
  return Math.abs(shares.own) + Math.abs(shares.within) + Math.abs(shares.cross) < 1e-9
}

/** Scored picks that sit in the middle. */
function middleWords(batch: AnyBatch, scored: readonly PickView[]): string {
  if (scored.every(byPriorAlone)) return 'No evidence yet: the prior holds for all'
  const judged = batch.stages?.[0] ?? batch.groupSize
  const { low, high } = middleRange(judged)
  const solves = low === high ? String(low) : `${low} to ${high}`
  const middle = scored.filter(inTheMiddle).length
  const which = scored.length === batch.pickList.length ? '' : ` of ${scored.length} chosen by score`
  return `${middle}${which} ${middle === 1 ? 'sits' : 'sit'} where the policy solves ${solves} of ${judged}`
}

/** The scored picks and the slots that are no score: "40 of 48 chosen by score sit where the policy solves 2 to 6 of 8; 16 are drawn uniformly." */
function spreadSentence(batch: AnyBatch): string | null {
  const scored = batch.pickList.filter((pick) => pick.slot === 'score')
  const parts = scored.length === 0 ? [] : [middleWords(batch, scored)]
  const uniform = batch.pickList.filter((pick) => pick.slot === 'uniform').length
  const pinned = batch.pickList.filter((pick) => pick.slot === 'pin').length
  if (uniform > 0) parts.push(`${uniform} ${uniform === 1 ? 'is' : 'are'} drawn uniformly`)
  if (pinned > 0) parts.push(`${pinned} ${pinned === 1 ? 'is' : 'are'} pinned`)
  return parts.length === 0 ? null : `${parts.join('; ')}.`
}

/** Informative groups that were expected of the picks whose groups are complete. */
export function expectedOfBack(picks: readonly PickView[]): number {
  return picks
    .filter((pick) => pick.result.state === 'complete')
    .reduce((sum, pick) => sum + pick.prediction.informative, 0)
}

function backSentence(batch: BatchDetail): string {
  if (batch.back === 0) return 'No group is back yet.'
  const expected = formatFixed(expectedOfBack(batch.pickList), 0)
  const untrusted = batch.back - batch.trusted
  const distrust = untrusted > 0 ? `, ${untrusted} without a trusted rollout` : ''
  const who = batch.back >= batch.picks ? 'All' : String(batch.back)
  const verb = batch.back === 1 && who !== 'All' ? 'is' : 'are'
  return `${who} ${verb} back: ${batch.informative} informative, ${expected} expected${distrust}.`
}

const RUNGS: Record<string, string> = {
  no_cross: 'without cross-environment evidence',
  environment_means: 'by environment means alone',
  uniform: 'uniformly, without predictions',
}

function fallbackSentence(batch: AnyBatch): string | null {
  const how = RUNGS[batch.fallback.rung]
  if (how === undefined) return null
  return batch.fallback.why === null ? `Chosen ${how}.` : `Chosen ${how}: ${batch.fallback.why}`
}

/** "16 picks are shared out over 5 environments; the trainer chose its own tasks and 12 groups came back." */
function sharesAnswer(batch: AnyBatch, shares: NonNullable<AnyBatch['shares']>): string {
  const given = shares.filter(({ picks }) => picks > 0).length
  if (given === 0) return `Batch ${batch.index} shares nothing out: no task was eligible.`
  const out = `${formatCount(batch.size, 'pick')} ${batch.size === 1 ? 'is' : 'are'} shared out over ${formatCount(given, 'environment')}`
  const came = shares.reduce((sum, { groups }) => sum + groups, 0)
  if (came === 0) return `${out}; the trainer chooses its own tasks.`
  return `${out}; the trainer rolled out ${formatCount(came, 'task')} of its own choice.`
}

function answer(batch: AnyBatch): string {
  if (batch.shares !== null) return sharesAnswer(batch, batch.shares)
  const expected = formatCount(Math.round(batch.expectedInformative), 'informative group')
  const picks = formatCount(batch.picks, 'pick')
  if (batch.picks === 0) return `Batch ${batch.index} has no picks: nothing was eligible.`
  if (!isIssued(batch)) return `The next ${picks} should give ${expected}.`
  const these = `${batch.picks === 1 ? 'This' : 'These'} ${picks}`
  if (batch.back < batch.picks) return `${these} should give ${expected}.`
  const wanted = Math.round(batch.expectedInformative)
  const gave = formatCount(batch.informative, 'informative group')
  return `${these} gave ${gave}; ${formatFixed(wanted, 0)} ${wanted === 1 ? 'was' : 'were'} expected.`
}

function sharesContext(batch: AnyBatch, chosen: string): string {
  const back =
    isIssued(batch) && batch.back > 0 ? `${batch.informative} of ${batch.back} that are back are informative.` : null
  const parts = [
    'Nothing was leased: what comes back counts by task and policy.',
    chosen,
    back,
    fallbackSentence(batch),
  ]
  return parts.filter((part) => part !== null).join(' ')
}

export function batchVerdict(batch: AnyBatch): { answer: string; context: string } {
  const from = `from ${formatFixed(batch.eligible, 0)} eligible of ${formatCount(batch.tasks, 'task')}.`
  const chosen = isIssued(batch)
    ? `Chosen at policy ${batch.policyVersion} ${from}`
    : `Proposed for policy ${batch.policyVersion} ${from}`
  if (batch.shares !== null) return { answer: answer(batch), context: sharesContext(batch, chosen) }
  const last = isIssued(batch) ? backSentence(batch) : 'Nothing is written and no lease is given.'
  const parts = [
    spreadSentence(batch),
    chosen,
    batch.picks === 0 ? null : last,
    isIssued(batch) ? stagesSentence(batch) : null,
    fallbackSentence(batch),
  ]
  return { answer: answer(batch), context: parts.filter((part) => part !== null).join(' ') }
}
