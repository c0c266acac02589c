/**
 * Owns which quotas are shown first: those whose use is nearest to, or outside, a bound that was set; and since when an
 * environment's window counts.
 * Invariant: ties keep the task set's order; unset quotas come last, by use.
 */
import type { Steering } from '@/lib/contract/steering'

type Quota = Steering['quotas'][number]

// Distance to the nearest set bound, negative outside; unset quotas stand behind all set ones.
function slack({ used, window, lower, upper }: Quota): number {
  const share = window === 0 ? 0 : used / window
  const set = [lower > 0 ? share - lower : null, upper < 1 ? upper - share : null].filter((bound) => bound !== null)
  return set.length === 0 ? 2 - share : Math.min(...set)
}

/** The first batch that an environment's window counts after its quota was last set or undone; 1 where it never was. */
export function windowSince(now: Pick<Steering, 'history'>, environment: string): number {
  const set = now.history.filter((entry) => entry.kind === 'quota' && entry.environment?.id === environment)
  const undone = now.history.filter((entry) => set.some(({ undoneBy }) => undoneBy === entry.id))
  return Math.max(1, ...[...set, ...undone].map(({ from }) => from))
}

/** Ids of `count` environments, tightest first, and of all with a quota in force, however many. */
export function tightQuotas(quotas: readonly Quota[], count: number): string[] {
  return quotas
    .map((quota, i) => ({
      id: quota.environment.id,
      slack: slack(quota),
      isSet: quota.lower > 0 || quota.upper < 1,
      i,
    }))
    .sort((a, b) => a.slack - b.slack || a.i - b.i)
    .filter(({ isSet }, i) => isSet || i < count)
    .map(({ id }) => id)
}
