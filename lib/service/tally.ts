/**
 * Sums over groups, once, for every page: shares with their intervals, means, and nothing where there is nothing. Pure.
 * Owns: what counts. Informative = at least two trusted rewards, not all equal. Shares are 0 to 1; null = no group.
 */
import type { GroupRow } from '@/lib/store/group'

interface Interval {
  value: number
  low: number
  high: number
  groups: number
}

/** Whether its rewards differ: told as soon as it is complete, although the run absorbs it only with the next batch. */
export function rewardsDiffer(group: GroupRow): boolean | null {
  if (group.informative !== null) return group.informative
  if (group.state === 'open' || group.trusted < 2) return null
  const squares = group.trusted * group.sumSquares
  return squares - group.sum * group.sum > 1e-12 * squares
}

/** Groups whose rewards can be compared: complete, two trusted rollouts or more. */
export const judged = (groups: readonly GroupRow[]) =>
  groups.filter((group) => group.state !== 'open' && rewardsDiffer(group) !== null)

export function informativeShare(groups: readonly GroupRow[]): number | null {
  const known = judged(groups)
  return known.length === 0 ? null : known.filter((group) => rewardsDiffer(group) === true).length / known.length
}

/** Share with Wilson's 95 % interval. */
export function shareInterval(groups: readonly GroupRow[]): Interval | null {
  const known = judged(groups)
  const n = known.length
  if (n === 0) return null
  const hits = known.filter((group) => rewardsDiffer(group) === true).length
  return { ...wilson(hits, n), value: hits / n, groups: n }
}

/** Wilson's interval of a share of `hits` in `n` > 0, of 95 % unless another normal quantile is given. */
export function wilson(hits: number, n: number, z = 1.959964): { low: number; high: number } {
  const p = hits / n
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n)
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** Mean of the group means with a normal 95 % interval over groups. */
export function meanInterval(groups: readonly GroupRow[]): Interval | null {
  const means = groups.flatMap((group) => (group.state === 'open' ? [] : (group.mean ?? [])))
  const value = mean(means)
  if (value === null) return null
  const n = means.length
  const squares = means.reduce((sum, one) => sum + (one - value) ** 2, 0)
  const half = n < 2 ? 0 : 1.959964 * Math.sqrt(squares / (n - 1) / n)
  return { value, low: value - half, high: value + half, groups: n }
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

export function meanOf<T>(rows: readonly T[], value: (row: T) => number | null): number | null {
  return mean(rows.flatMap((row) => value(row) ?? []))
}

/** Adds counts by name. */
export function addCounts(into: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) into[name] = (into[name] ?? 0) + count
}
