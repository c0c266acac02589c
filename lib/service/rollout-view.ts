/**
 * Rollouts as trainers and pages read them: indices become names, columns become the contract. Pure.
 */
import { DISTRUSTS, type RolloutRow, STATUSES } from '@/lib/contract/rollout'
import type { RolloutLine } from '@/lib/contract/rollout-group'
import type { RolloutRow as Stored } from '@/lib/store/rollout'
import { type Catalog, taskAt } from './catalog'
import { groupId, leaseId, rolloutRef } from './ids'

export type Component = RolloutRow['rewardComponents'][number]
export type StoredRollout = Stored<Component>

export const statusOf = (text: string) => STATUSES.find((status) => status === text) ?? 'ok'
const distrustOf = (text: string | null) => DISTRUSTS.find((distrust) => distrust === text) ?? null

export function rolloutView(catalog: Catalog, row: StoredRollout): RolloutRow {
  return {
    id: row.id,
    ref: rolloutRef(row.seq),
    group: groupId(row.group),
    lease: row.lease === null ? null : leaseId(row.lease),
    batch: row.batch,
    task: taskAt(catalog, row.task),
    policyVersion: row.policyVersion,
    reward: row.reward,
    outcome: row.outcome,
    status: statusOf(row.status),
    trusted: row.trusted,
    distrust: distrustOf(row.distrust),
    turns: row.turns,
    tokens: row.tokens,
    seconds: row.seconds,
    tools: row.tools ?? [],
    rewardComponents: row.components ?? [],
    error: row.error,
    worker: row.worker,
    at: new Date(row.at).toISOString(),
    superseded: row.superseded,
  }
}

/** `fill`: its statistics value on [0, 1], null when untrusted. */
export function rolloutLine(row: StoredRollout, position: number, fill: number | null): RolloutLine {
  return {
    ref: rolloutRef(row.seq),
    position,
    status: statusOf(row.status),
    reward: row.reward,
    fill,
    distrust: distrustOf(row.distrust),
    turns: row.turns,
    tokens: row.tokens,
    seconds: row.seconds,
  }
}
