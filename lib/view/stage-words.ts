/**
 * Words for two-stage groups and for batches of them. Must never know how they are drawn.
 * Invariant: a stage that is not decided yet never sounds like one that stopped.
 */
import type { BatchDetail, GroupResult } from '@/lib/contract/batch'
import { formatFixed } from './format'

/** "4 + 4", "stopped at 4", "4 first"; "last 4" of what the budget had. */
export function stageWords({ first, second, kept }: NonNullable<GroupResult['stages']>): string {
  if (kept === 0) return `last ${first}`
  if (second === null) return `${first} first`
  return second === 0 ? `stopped at ${first}` : `${first} + ${second}`
}

/** How the rollouts of a two-stage batch were spent, or null where it has one stage. */
export function stagesSentence(batch: Pick<BatchDetail, 'stages' | 'size' | 'groupSize' | 'pickList'>): string | null {
  if (batch.stages === null) return null
  const [first, second] = batch.stages
  const known = batch.pickList.flatMap(({ result }) => result.stages ?? [])
  const count = (fits: (stages: (typeof known)[number]) => boolean) => known.filter(fits).length
  const more = batch.pickList.filter((pick) => pick.more).length
  const handed = known.reduce((sum, stages) => sum + stages.first + (stages.second ?? 0), 0)
  const parts = [
    `${count((stages) => stages.second === 0 && stages.kept > 0)} stopped at ${first}`,
    `${count((stages) => stages.second !== null && stages.second > 0)} went on to ${first} + ${second}`,
    `${more} ${more === 1 ? 'pick was' : 'picks were'} bought with what that left`,
  ]
  const budget = batch.size * batch.groupSize
  return `${parts.join(', ')}; ${formatFixed(handed, 0)} of ${formatFixed(budget, 0)} rollouts are handed out.`
}
