/**
 * One sentence for what kept a task out (LOOK.md, Words 5 and 6). Pure.
 */
import type { LeftOut, QuotaUse } from '@/lib/engine/decision'
import { type Catalog, environmentOf, taskAt } from './catalog'

/** `quotas`: use by environment in the same batch, so that a cap is told with its number. */
export function leftOutSentence(catalog: Catalog, left: LeftOut, quotas: readonly QuotaUse[]): string {
  const ordinal = environmentOf(catalog, left.task)
  const code = taskAt(catalog, left.task).environment.code
  const most = catalog.set.environments[ordinal]?.maxConcurrent ?? null
  const picks = quotas.find(({ environment }) => environment === ordinal)?.picks ?? null
  switch (left.rule) {
    case 'similarity':
      return left.like === null || left.similarity === null
        ? 'Too like a task of this batch'
        : `${left.similarity.toFixed(2)} similar to ${taskAt(catalog, left.like).key}`
    case 'recency':
      return 'Picked in a recent batch'
    case 'cost':
      return 'Its rollouts cost more than the mean'
    case 'upper_quota':
      return `${code} is at its upper quota`
    case 'lower_quota':
      // what the uniform slots took of the batch, where no environment has a lower quota
      if (!quotas.some(({ lower }) => lower > 0)) return 'The batch had no slot left for it'
      return 'Gave way to an environment under its lower quota'
    case 'banned':
      return 'Banned'
    case 'paused':
      return `${code} is paused`
    case 'leased':
      return 'Its rollouts are still out'
    case 'waiting':
      return 'Three groups without a trusted rollout: it waits'
    case 'concurrency':
      return `${code} has no free place${most === null ? '' : `: maxConcurrent is ${most}`}`
    case 'environment_cap':
      return `${code} has its most picks of one batch${picks === null ? '' : `, ${picks}`}`
    case 'score':
      return `Score ${Math.max(0, left.margin).toFixed(3)} below the last pick`
  }
}
