/**
 * The run before and after one override, from stored batches and groups alone. Pure over history and rows.
 * Owns: which batches are compared, and on which slots. Must never know: the engine's state.
 * Invariant: no batch counts on both sides; the side after ends where the override ends or another takes over its setting.
 */
import type { EffectMeasure, OverrideEffect } from '@/lib/contract/override-effect'
import type { GroupRow } from '@/lib/store/group'
import { type Row, settingKey, spanOf } from './override-span'
import { groupsByBatch, type RunHistory } from './run-history'
import { informativeShare, meanInterval, meanOf, shareInterval, wilson } from './tally'

type Measured = NonNullable<EffectMeasure['before']>
type Stretch = OverrideEffect['before']

export interface Compared {
  before: Stretch
  after: Stretch
  cut: OverrideEffect['cut']
}

/** The batches on both sides; `newest`: index of the newest batch, 0 = none. */
export function comparedBatches(rows: readonly Row[], row: Row, asked: number, newest: number): Compared {
  const from = row.fromBatch
  const span = spanOf(rows, row)
  const key = settingKey(row.change)
  const replaced = rows.find(
    (other) =>
      other.number > row.number && key !== null && settingKey(other.change) === key && other.change.kind !== 'resume',
  )
  const ends = [
    { last: newest, cut: 'newest' as const },
    ...(span?.until == null ? [] : [{ last: span.until - 1, cut: 'ended' as const }]),
    ...(replaced === undefined ? [] : [{ last: replaced.fromBatch - 1, cut: 'replaced' as const }]),
  ]
  const wanted = from + asked - 1
  const first = ends.reduce((least, end) => (end.last < least.last ? end : least))
  return {
    before: stretch(Math.max(1, from - asked), Math.min(from - 1, newest)),
    after: stretch(from, Math.min(wanted, first.last)),
    cut: first.last < wanted ? first.cut : null,
  }
}

function stretch(from: number, to: number): Stretch {
  return to < from ? null : { from, to, batches: to - from + 1 }
}

const chosen = (groups: readonly GroupRow[]) => groups.filter((group) => group.slot !== 'uniform')
const uniform = (groups: readonly GroupRow[]) => groups.filter((group) => group.slot === 'uniform')
/** Picks of a batch: each has one group that is not late. */
const picksOf = (groups: readonly GroupRow[]) => groups.filter((group) => !group.late)

/** Share of picks that `touches`, with Wilson's interval; `groups` counts picks. */
function picksShare(groups: readonly GroupRow[], touches: (task: number) => boolean): Measured | null {
  const picks = picksOf(groups)
  if (picks.length === 0) return null
  const hits = picks.filter((group) => touches(group.task)).length
  return { value: hits / picks.length, ...wilson(hits, picks.length), groups: picks.length }
}

/** Mean of the stored predictions, as an interval over groups. */
function predictedMean(groups: readonly GroupRow[]): Measured | null {
  const known = picksOf(chosen(groups)).filter((group) => group.predictedVariance !== null)
  return meanInterval(known.map((group) => ({ ...group, state: 'absorbed', mean: group.predictedVariance })))
}

/** After less before; the interval of a difference of two independent values, from their intervals (MOVER). */
export function measureOf(before: Measured | null, after: Measured | null): EffectMeasure {
  // One group has no spread of its own: nothing can be said about the difference.
  if (before === null || after === null || before.groups < 2 || after.groups < 2)
    return { before, after, difference: null }
  const value = after.value - before.value
  const low = value - Math.hypot(after.value - after.low, before.high - before.value)
  const high = value + Math.hypot(after.high - after.value, before.value - before.low)
  return { before, after, difference: { value, low, high } }
}

/** `touches`: tasks of the environment that the override is about, null = it is about all. */
export function effectMeasures(
  history: RunHistory,
  { before, after }: Compared,
  touches: ((task: number) => boolean) | null,
): Pick<OverrideEffect, 'measures' | 'series'> {
  const byBatch = groupsByBatch(history)
  const groupsOf = (part: Stretch) =>
    part === null ? [] : Array.from({ length: part.batches }, (_, k) => byBatch.get(part.from + k) ?? []).flat()
  const sides = { before: groupsOf(before), after: groupsOf(after) }
  const both = (measure: (groups: readonly GroupRow[]) => Measured | null) =>
    measureOf(measure(sides.before), measure(sides.after))
  const first = before?.from ?? after?.from ?? 1
  const last = after?.to ?? before?.to ?? 0
  return {
    measures: {
      informativeShare: both((groups) => shareInterval(chosen(groups))),
      uniformShare: both((groups) => shareInterval(uniform(groups))),
      picksShare: touches === null ? null : both((groups) => picksShare(groups, touches)),
      predictedVariance: both(predictedMean),
      rewardWhole: both((groups) => meanInterval(uniform(groups))),
    },
    series: Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => {
      const batch = first + k
      const groups = byBatch.get(batch) ?? []
      return {
        batch,
        informativeShare: informativeShare(chosen(groups)),
        uniformShare: informativeShare(uniform(groups)),
        picksShare: touches === null ? null : (picksShare(groups, touches)?.value ?? null),
        predictedVariance: meanOf(picksOf(chosen(groups)), (group) => group.predictedVariance),
        rewardWhole: meanOf(uniform(groups), (group) => group.mean),
      }
    }),
  }
}

/** Other overrides that began or ended within the compared batches, oldest first. */
export function overlapping(
  rows: readonly Row[],
  row: Row,
  { before, after }: Compared,
): { row: Row; batch: number; how: 'began' | 'ended' }[] {
  const first = before?.from ?? after?.from ?? row.fromBatch
  const last = after?.to ?? before?.to ?? row.fromBatch
  // What begins with the first batch of all holds for every one of them, so it is no difference.
  const within = (batch: number) => batch > first && batch <= last
  return rows.flatMap((other) => {
    if (other.number === row.number) return []
    const span = spanOf(rows, other)
    if (span === null) return []
    const began = within(span.from) ? [{ row: other, batch: span.from, how: 'began' as const }] : []
    const ended =
      span.until !== null && within(span.until) && span.endedBy !== row.number
        ? [{ row: other, batch: span.until, how: 'ended' as const }]
        : []
    return [...began, ...ended]
  })
}
