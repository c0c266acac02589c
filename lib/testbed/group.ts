/**
 * The rollouts of one pick, and what statistics of them a scheduler may compute.
 * Owns: trusted rewards, mean, unbiased variance, informativeness of a group. Must never know: chains, policies.
 * Units: rewards normalised by the environment's declared range to [0, 1]; variance with n - 1, null below two rewards.
 */
import type { Rollout } from '@/lib/testbed/rollout'

export interface Group {
  /** index into the world's tasks */
  task: number
  rollouts: Rollout[]
}

/** Normalised rewards of the trusted rollouts. */
export function trustedRewards(group: Group, range: readonly [number, number]): number[] {
  const rewards: number[] = []
  for (const { reward } of group.rollouts)
    if (reward !== null) rewards.push((reward - range[0]) / (range[1] - range[0]))
  return rewards
}

/** Mean, or null of nothing. */
export function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** Unbiased variance, or null of fewer than two. */
export function varianceOf(values: readonly number[]): number | null {
  const mean = meanOf(values)
  if (mean === null || values.length < 2) return null
  let sum = 0
  for (const value of values) sum += (value - mean) ** 2
  return sum / (values.length - 1)
}

/** Whether the trusted rewards among the first `size` rollouts are not all equal. */
export function isInformative(group: Group, size: number): boolean {
  let first: number | null = null
  for (const { reward } of group.rollouts.slice(0, size)) {
    if (reward === null) continue
    if (first === null) first = reward
    else if (reward !== first) return true
  }
  return false
}
