/**
 * From the raw values of a group to its log entry and its realised figures. Pure.
 * Owns: normalisation of what is shown beside a prediction: mean in [0, 1], unbiased variance, informative or not.
 */
import type { GroupEntry } from '@/lib/engine/log-entry'
import type { GroupRow } from '@/lib/store/group'
import { slotOf } from './batch-record'

/** `values`: trusted raw values in the order reported. */
export function groupEntry(
  group: GroupRow,
  values: readonly number[],
  range: readonly [number, number],
  at: number,
): GroupEntry {
  return {
    kind: 'group',
    at,
    task: group.task,
    policyVersion: group.policyVersion,
    lease: group.lease,
    slot: group.slot === null ? null : slotOf(group.slot),
    trusted: values.length,
    sum: values.reduce((sum, value) => sum + value, 0),
    sumSquares: values.reduce((sum, value) => sum + value * value, 0),
    low: values.filter((value) => value === range[0]).length,
    high: values.filter((value) => value === range[1]).length,
    untrusted: group.untrusted,
    verifierErrors: group.verifierErrors,
    seconds: group.secondsCount > 0 ? group.secondsSum / group.secondsCount : null,
    turns: group.turnsCount > 0 ? group.turnsSum / group.turnsCount : null,
    tokens: group.tokensCount > 0 ? group.tokensSum / group.tokensCount : null,
    late: group.late,
    ...(group.firstStage === null ? {} : { judged: group.firstStage }),
    // without lease, but of a batch: one of shares
    ...(group.lease === null && group.batch !== null ? { underShares: true as const } : {}),
  }
}

/** Normalised mean, unbiased variance and whether the rewards differ; null where there is too little to say. */
export function spread(
  values: readonly number[],
  range: readonly [number, number],
): { mean: number | null; realisedVariance: number | null; informative: boolean | null; low: number; high: number } {
  const width = range[1] - range[0]
  const scaled = values.map((value) => (value - range[0]) / width)
  const n = scaled.length
  const ends = { low: scaled.filter((value) => value === 0).length, high: scaled.filter((value) => value === 1).length }
  if (n === 0) return { mean: null, realisedVariance: null, informative: null, ...ends }
  const mean = scaled.reduce((sum, value) => sum + value, 0) / n
  if (n === 1) return { mean, realisedVariance: null, informative: null, ...ends }
  const squares = scaled.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    mean,
    realisedVariance: squares / (n - 1),
    informative: scaled.some((value) => value !== scaled[0]),
    ...ends,
  }
}

/** The same for a group; one of two stages counts as informative by its first, whatever the second brought. */
export function realised(
  { firstStage }: Pick<GroupRow, 'firstStage'>,
  values: readonly number[],
  range: readonly [number, number],
): ReturnType<typeof spread> {
  const all = spread(values, range)
  return firstStage === null ? all : { ...all, informative: spread(values.slice(0, firstStage), range).informative }
}

/** The range that also holds the values, or null when it already does. */
export function widened(range: readonly [number, number], values: readonly number[]): [number, number] | null {
  const low = values.reduce((least, value) => Math.min(least, value), range[0])
  const high = values.reduce((most, value) => Math.max(most, value), range[1])
  return low < range[0] || high > range[1] ? [low, high] : null
}
