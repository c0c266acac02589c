/**
 * Which groups and rollouts a filter asks for. Pure.
 * Owns: what can be told from a group's sums alone, so that a run of a million rollouts is filtered without reading them.
 * Invariant: a group that `mayHold` leaves out holds no match; where `countIn` answers null only its rollouts can tell.
 */
import type { RewardClass, RolloutFilterQuery } from '@/lib/contract/rollout-group'
import type { GroupRow } from '@/lib/store/group'
import { type Catalog, environmentByIdIn, environmentOf, taskByIdIn } from './catalog'

export interface RolloutFilter {
  environment: number | null
  task: number | null
  policyVersion: number | null
  statuses: readonly string[] | null
  reward: RewardClass | null
  text: string | null
}

/** Throws where an id names nothing. */
export function filterOf(catalog: Catalog, query: RolloutFilterQuery): RolloutFilter {
  return {
    environment: query.environment === undefined ? null : environmentByIdIn(catalog, query.environment),
    task: query.task === undefined ? null : taskByIdIn(catalog, query.task),
    policyVersion: query.policy ?? null,
    statuses: query.status ?? null,
    reward: query.reward ?? null,
    text: query.q ?? null,
  }
}

/** Whether all rollouts of a group match, or none: groups that are still out are shown then, too. */
export const wholeGroups = (filter: RolloutFilter) =>
  filter.statuses === null && filter.reward === null && filter.text === null

export function mayHold(catalog: Catalog, filter: RolloutFilter, group: GroupRow): boolean {
  if (filter.task !== null && group.task !== filter.task) return false
  if (filter.policyVersion !== null && group.policyVersion !== filter.policyVersion) return false
  if (filter.environment !== null && environmentOf(catalog, group.task) !== filter.environment) return false
  if (wholeGroups(filter)) return true
  if (group.returned === 0) return false
  return withStatus(filter, group) > 0 && countOfReward(catalog, filter.reward, group) !== 0
}

function withStatus({ statuses }: RolloutFilter, group: GroupRow): number {
  if (statuses === null) return group.returned
  return statuses.reduce((sum, status) => sum + (group.statuses[status] ?? 0), 0)
}

/** Rollouts of the group with such a reward, null where the sums do not say. */
function countOfReward(catalog: Catalog, reward: RewardClass | null, group: GroupRow): number | null {
  if (reward === null) return group.returned
  if (reward === 'untrusted') return group.untrusted
  if (group.trusted === 0) return 0
  const declared = catalog.set.environments[environmentOf(catalog, group.task)]?.rewardRange ?? null
  // an undeclared range may have widened since the ends were counted
  if (declared === null || group.state !== 'absorbed') return null
  if (reward === 'solved') return group.high
  return reward === 'failed' ? group.low : group.trusted - group.low - group.high
}

/** Matching rollouts of a group that may hold some. */
export function countIn(catalog: Catalog, filter: RolloutFilter, group: GroupRow): number | null {
  if (filter.text !== null) return null
  if (filter.reward === null) return withStatus(filter, group)
  return filter.statuses === null ? countOfReward(catalog, filter.reward, group) : null
}

export function rewardClassOf(fill: number | null): RewardClass {
  if (fill === null) return 'untrusted'
  if (fill >= 1) return 'solved'
  return fill <= 0 ? 'failed' : 'between'
}

/** Everything but the text, of a rollout whose group may hold matches. `fill`: its value on [0, 1], null when untrusted. */
export function rolloutMatches(filter: RolloutFilter, status: string, fill: number | null): boolean {
  if (filter.statuses !== null && !filter.statuses.includes(status)) return false
  return filter.reward === null || rewardClassOf(fill) === filter.reward
}
