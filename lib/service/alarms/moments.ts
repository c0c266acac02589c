/**
 * Means with their errors, for alarm rules. Pure.
 * Owns: the 95 % bounds of a mean over groups of rollouts. Invariant: what is not finite answers null, never 0.
 */
import { wilson } from '@/lib/service/tally'

/** Mean and its standard error (n - 1); null of fewer than two values, or of one that is not finite. */
export function meanAndError(values: readonly number[]): { mean: number; error: number } | null {
  const n = values.length
  if (n < 2) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  if (!Number.isFinite(mean)) return null
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(squares / (n - 1) / n) }
}

export interface Bounds {
  value: number
  low: number
  high: number
  rollouts: number
}

/** Two-sided 95 % quantile of Student's t, within 4 % from three degrees of freedom on. */
const t95 = (freedom: number) => 1.96 + 2.37 / freedom + 2.82 / freedom ** 2

/**
 * 95 % bounds of the mean reward over groups (`mean` in [0, 1] of `rollouts` each): the wider ones of Student's over group means
 * and of Wilson's with one trial a group, as if rollouts of one task were all the same. Null of nothing.
 */
export function rewardBounds(groups: readonly { mean: number; rollouts: number }[]): Bounds | null {
  const n = groups.length
  if (n === 0) return null
  const value = groups.reduce((sum, group) => sum + group.mean, 0) / n
  if (!Number.isFinite(value)) return null
  const rollouts = groups.reduce((sum, group) => sum + group.rollouts, 0)
  const plain = wilson(value * n, n)
  const student = meanAndError(groups.map((group) => group.mean))
  if (student === null) return { value, low: 0, high: 1, rollouts }
  const half = t95(n - 1) * student.error
  return {
    value,
    low: Math.max(0, Math.min(plain.low, value - half)),
    high: Math.min(1, Math.max(plain.high, value + half)),
    rollouts,
  }
}
