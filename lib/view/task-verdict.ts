/**
 * Owns the Task page's answer and the small words of its tables: ordinals, what came back, what stands in the way.
 * Invariant: computed from the record alone; a graded reward is never called solved.
 */
import type { GroupResult } from '@/lib/contract/batch'
import type { TaskDetail } from '@/lib/contract/task'
import { formatCount, formatFixed, formatNumber } from './format'

/** 1 gives "first", 9 gives "9th", 31 gives "31st". */
export function ordinal(n: number): string {
  if (n === 1) return 'first'
  const tens = n % 100
  if (tens >= 11 && tens <= 13) return `${n}th`
  const ending = ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th'
  return `${n}${ending}`
}

/** Solved of trusted when every reward is at an end; else null. */
export function solvedOf(result: GroupResult): { solved: number; of: number } | null {
  const fills = result.squares.flatMap(({ state, fill }) => (state === 'trusted' && fill !== null ? [fill] : []))
  if (fills.length === 0 || fills.some((fill) => fill > 0 && fill < 1)) return null
  return { solved: fills.filter((fill) => fill >= 1).length, of: fills.length }
}

function groupInShort(result: GroupResult): string {
  const solved = solvedOf(result)
  if (solved !== null) return `${solved.solved} of ${solved.of}`
  return result.mean === null ? 'no trusted rollout' : `mean ${formatFixed(result.mean, 2)}`
}

/** "0.250, informative", "0, all failed", "3 of 8 back". */
export function cameBack(result: GroupResult): string {
  if (result.state === 'released') return 'given back'
  if (result.state === 'expired' && result.returned === 0) return 'lease expired'
  if (result.state === 'out' || result.state === 'partial') return `${result.returned} of ${result.size} back`
  if (result.trusted === 0) return 'no trusted rollout'
  if (result.variance === null) return `${formatCount(result.trusted, 'trusted rollout')}, too few`
  if (result.informative === true) return `${formatNumber('variance', result.variance, 'no group')}, informative`
  const solved = solvedOf(result)
  if (solved === null) return `${formatFixed(result.variance, 0)}, all alike`
  return solved.solved === 0 ? '0, all failed' : '0, all solved'
}

function historySentence(task: TaskDetail): string {
  const complete = task.groups
    .filter(({ result }) => result.trusted > 0 && result.state !== 'out' && result.state !== 'partial')
    .sort((a, b) => a.policyVersion - b.policyVersion)
  if (complete.length === 0) return 'Never tried: the prediction rests on its neighbours and the prior.'
  const last = complete
    .slice(-2)
    .map(({ policyVersion, result }) => `${groupInShort(result)} at policy ${policyVersion}`)
  const verb = complete.slice(-2).every(({ result }) => solvedOf(result) !== null) ? 'Solved' : 'Rewarded'
  const before = complete.length - last.length
  return `${verb} ${last.join(', ')}${before > 0 ? `, after ${formatCount(before, 'earlier group')}` : ''}.`
}

function pickSentence(task: TaskDetail): string | null {
  const newest = task.picks.filter(({ superseded }) => !superseded).sort((a, b) => b.batch - a.batch)[0]
  if (newest === undefined) return 'Never picked.'
  const place = `Picked ${ordinal(newest.position)} in batch ${newest.batch}`
  const waiting = newest.result.state === 'out' || newest.result.state === 'partial'
  return waiting ? `${place}; ${newest.result.returned} of ${newest.result.size} rollouts are back.` : `${place}.`
}

function controlSentences({ control }: TaskDetail): string[] {
  const said: string[] = []
  if (control.banned) said.push('Banned: it is not picked until the ban is lifted.')
  if (control.pinned) said.push('Pinned: it is in every batch while its lease allows.')
  if (control.boost !== 1) said.push(`Its exploitation is multiplied by ${formatFixed(control.boost, 2)}.`)
  if (control.waiting !== null && control.waiting > 0) {
    said.push(
      `Waits ${control.waiting} more ${control.waiting === 1 ? 'batch' : 'batches'}: no rollout of it was trusted.`,
    )
  }
  return said
}

const STREAK = 8

/** Where the newest groups all lie on one side of what was predicted; null below eight of them. */
export function streakSentence(history: TaskDetail['history']): string | null {
  const gaps = history.flatMap(({ predictedVariance, realisedVariance }) =>
    predictedVariance === null || realisedVariance === null ? [] : [realisedVariance - predictedVariance],
  )
  const side = Math.sign(gaps.at(-1) ?? 0)
  if (side === 0) return null
  const before = gaps.findLastIndex((gap) => Math.sign(gap) !== side)
  const length = gaps.length - 1 - before
  if (length < STREAK) return null
  return `Its last ${formatCount(length, 'group')} all came out ${side < 0 ? 'lower' : 'higher'} than predicted.`
}

export function taskVerdict(task: TaskDetail): { answer: string; context: string } {
  const { predictedVariance, informative } = task.prediction
  const answer =
    `Predicted variance ${formatFixed(predictedVariance, 3)} of at most 0.250: ` +
    `${formatFixed(informative * 100, 0)}\u00a0% that its next group is informative.`
  const parts = [historySentence(task), streakSentence(task.history), pickSentence(task), ...controlSentences(task)]
  return { answer, context: parts.filter((part) => part !== null).join(' ') }
}

/** Mean absolute error of the predictions whose group came back, with the count; null before the first. */
export function predictionError(history: TaskDetail['history']): { error: number; groups: number } | null {
  const errors = history.flatMap(({ predictedVariance, realisedVariance }) =>
    predictedVariance === null || realisedVariance === null ? [] : [Math.abs(predictedVariance - realisedVariance)],
  )
  if (errors.length === 0) return null
  return { error: errors.reduce((sum, error) => sum + error, 0) / errors.length, groups: errors.length }
}

/** "35: 34 trusted, 1 untrusted" over all groups. */
export function rolloutCounts(groups: TaskDetail['groups']): { returned: number; trusted: number } {
  return groups.reduce(
    (sum, { result }) => ({ returned: sum.returned + result.returned, trusted: sum.trusted + result.trusted }),
    { returned: 0, trusted: 0 },
  )
}
