/* Owns the difference of two configurations over seeds, with its 95 % t-interval.
   Invariant: pairs of one seed where there are any, else the two sets of runs side by side (Welch); one pair has no interval;
   what is not finite is left out, never read as 0. */
import { studentQuantile } from './student-t'

export interface SeedValue {
  seed: string
  value: number | null
}

export interface SeedDifference {
  value: number
  /** null with one pair, or fewer than two runs on a side that has no pair */
  low: number | null
  high: number | null
  /** pairs of seeds; null where it is not paired */
  pairs: number | null
  /** runs on either side that count */
  runs: readonly [number, number]
  freedom: number | null
  /** of the single differences, pairs only; null with one pair and where it is not paired */
  variance: number | null
  /** half the interval that one more pair of the same spread would leave; null without an interval */
  halfWithOneMore: number | null
}

const LEVEL = 0.975

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function variance(values: readonly number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

// Several runs of one seed count as their mean.
function bySeed(values: readonly SeedValue[]): Map<string, number> {
  const lists = new Map<string, number[]>()
  for (const { seed, value } of values) {
    if (value === null || !Number.isFinite(value)) continue
    lists.set(seed, [...(lists.get(seed) ?? []), value])
  }
  return new Map([...lists].map(([seed, list]) => [seed, mean(list)]))
}

/**
 * Mean of `differences` with its t-interval; null of none. `near`: variances of the same pairs at places close by, which are
 * averaged with the own one: two seeds can lie together by chance. The degrees of freedom stay those of one place, since
 * neighbouring places hardly differ.
 */
export function meanOverPairs(differences: readonly number[], near: readonly number[] = []): SeedDifference | null {
  const known = differences.filter((value) => Number.isFinite(value))
  const n = known.length
  if (n === 0) return null
  const value = mean(known)
  const plain = { value, pairs: n, runs: [n, n] as const }
  if (n === 1) return { ...plain, low: null, high: null, freedom: null, variance: null, halfWithOneMore: null }
  const ownVariance = variance(known)
  const spread = Math.sqrt(mean([...near.filter((one) => Number.isFinite(one)), ownVariance]))
  const half = (studentQuantile(LEVEL, n - 1) * spread) / Math.sqrt(n)
  const halfWithOneMore = (studentQuantile(LEVEL, n) * spread) / Math.sqrt(n + 1)
  return { ...plain, low: value - half, high: value + half, freedom: n - 1, variance: ownVariance, halfWithOneMore }
}

// Two samples that share no seed.
function apart(a: readonly number[], b: readonly number[]): SeedDifference {
  const value = mean(a) - mean(b)
  const plain = { value, pairs: null, runs: [a.length, b.length] as const }
  if (a.length < 2 || b.length < 2)
    return { ...plain, low: null, high: null, freedom: null, variance: null, halfWithOneMore: null }
  const [va, vb] = [variance(a) / a.length, variance(b) / b.length]
  const error = Math.sqrt(va + vb)
  const freedom =
    error === 0 ? a.length + b.length - 2 : (va + vb) ** 2 / (va ** 2 / (a.length - 1) + vb ** 2 / (b.length - 1))
  const half = studentQuantile(LEVEL, freedom) * error
  return { ...plain, low: value - half, high: value + half, freedom, variance: null, halfWithOneMore: null }
}

/** Of one place: `ours` minus `theirs`; null where a side has nothing. `near` as in `meanOverPairs`. */
export function seedDifference(
  ours: readonly SeedValue[],
  theirs: readonly SeedValue[],
  near: readonly number[] = [],
): SeedDifference | null {
  const [a, b] = [bySeed(ours), bySeed(theirs)]
  if (a.size === 0 || b.size === 0) return null
  const shared = [...a.keys()].filter((seed) => b.has(seed))
  if (shared.length === 0) return apart([...a.values()], [...b.values()])
  return meanOverPairs(
    shared.map((seed) => (a.get(seed) ?? Number.NaN) - (b.get(seed) ?? Number.NaN)),
    near,
  )
}

/** "shown" only where the interval leaves out zero. */
export function standing(difference: SeedDifference | null): 'shown' | 'not shown yet' | 'no interval' | 'n/a' {
  if (difference === null) return 'n/a'
  const { low, high } = difference
  if (low === null || high === null) return 'no interval'
  return low > 0 || high < 0 ? 'shown' : 'not shown yet'
}
