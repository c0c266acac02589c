/**
 * Owns the words of a restore: what a page says of the point where a run went back, and of what that left behind.
 * Must never know how it is drawn. Invariant: a batch was left behind by the first restore that reached over it.
 */
import type { Overview } from '@/lib/contract/overview'
import type { RestorePoint } from '@/lib/contract/state'
import { formatCount, formatFixed } from './format'

/** The restore that left a batch behind, null where none is known. */
export function leftBehindBy(restores: readonly RestorePoint[], batch: number): RestorePoint | null {
  return restores.find(({ from, to }) => batch > to && batch <= from) ?? null
}

export function supersededWords(restores: readonly RestorePoint[], batch: number | null): string {
  const by = batch === null ? null : leftBehindBy(restores, batch)
  if (by === null) return 'superseded by a restore'
  return `superseded by a restore at batch ${by.from}`
}

/** "Went back from batch 60 to batch 40", "Began with the history of "first run" up to batch 40". */
export function restoreSentence({ from, to, source }: RestorePoint): string {
  if (source !== null) return `Began with the history of "${source.name}" up to batch ${source.batch}`
  return to === 0 ? `Went back from batch ${from} to the start` : `Went back from batch ${from} to batch ${to}`
}

/**
 * "Began with the history of "first run" up to batch 7: 39 tasks the same, 3 changed, 1 new, 3 gone." Null in a run that began with
 * nothing.
 */
export function beganSentence(restores: readonly RestorePoint[]): string | null {
  const began = restores.findLast(({ source }) => source !== null)
  if (began === undefined) return null
  const { tasks } = began
  if (tasks === undefined) return `${restoreSentence(began)}.`
  const parts = [
    `${formatCount(tasks.same, 'task')} the same`,
    ...(tasks.changed > 0 ? [`${formatFixed(tasks.changed, 0)} changed`] : []),
    ...(tasks.added > 0 ? [`${formatFixed(tasks.added, 0)} new`] : []),
    ...(tasks.removed > 0 ? [`${formatFixed(tasks.removed, 0)} gone`] : []),
  ]
  return `${restoreSentence(began)}: ${parts.join(', ')}.`
}

/** The same of the first batch after it; null of all others. */
export function beganAt(restores: readonly RestorePoint[], batch: number): string | null {
  const began = restores.findLast(({ source }) => source !== null)
  return began !== undefined && batch === began.from + 1 ? beganSentence(restores) : null
}

/** The newest restore as a mark on an axis of batches: at the first batch after it. Null where the axis has none. */
export function restoreMark(
  restores: readonly RestorePoint[],
  batches: readonly number[],
): { x: number; figure: string } | null {
  const newest = restores.at(-1)
  if (newest === undefined || newest.source !== null) return null
  const x = batches.find((batch) => batch > newest.from)
  return x === undefined ? null : { x, figure: `restored to ${newest.to}` }
}

type Point = Overview['series'][number]

/** The points of a line with a gap before the mark: what was left behind is no part of it. */
export function brokenAt(series: readonly Point[], mark: { x: number } | null): Point[] {
  const at = mark === null ? -1 : series.findIndex(({ batch }) => batch >= mark.x)
  const before = series[at - 1]
  if (mark === null || before === undefined || before.batch >= mark.x - 1) return [...series]
  const gap: Point = {
    batch: before.batch + 1,
    policyVersion: before.policyVersion,
    informativeShare: null,
    informativeMean: null,
    uniformMean: null,
    uniformLow: null,
    uniformHigh: null,
    rewardChosen: null,
    rewardWhole: null,
  }
  return [...series.slice(0, at), gap, ...series.slice(at)]
}
