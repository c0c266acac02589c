/**
 * Whether the trials of a group are draws of their own, or retries that keep what the one before had reached.
 * Owns: one test: how many informative groups never fall from trial to trial, against what chance alone would give
 * (a group of n rewards with k solved is in ascending order once in n over k).
 */
import type { ReplayLadder } from '@/lib/testbed/replay/ladder'

export interface TrialOrder {
  /** share of the informative groups whose rewards never fall in the order of the trials */
  neverFalls: number
  /** what independent trials would give */
  byChance: number
  /** the trials are retries: (nearly) nothing ever falls although chance would let much of it fall */
  dependent: boolean
}

const NEARLY_ALL = 0.95
const LEAST_GROUPS = 20

/** Chance that these values in random order ascend: one over the number of their distinct orders. */
function ascendingByChance(values: readonly number[]): number {
  const counts = new Map<number, number>()
  let chance = 1
  values.forEach((value, i) => {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    chance *= count / (i + 1)
  })
  return chance
}

/** Null with too few informative groups to tell. */
export function trialOrder(ladder: ReplayLadder): TrialOrder | null {
  let groups = 0
  let never = 0
  let chance = 0
  for (const rung of ladder.rungs) {
    for (const group of rung.groups) {
      if (group?.informative !== true) continue
      const { rewards } = group
      groups++
      chance += ascendingByChance(rewards)
      if (rewards.every((reward, i) => i === 0 || reward >= rewards[i - 1]!)) never++
    }
  }
  if (groups < LEAST_GROUPS) return null
  const [neverFalls, byChance] = [never / groups, chance / groups]
  return { neverFalls, byChance, dependent: neverFalls >= NEARLY_ALL && byChance <= NEARLY_ALL / 2 }
}
