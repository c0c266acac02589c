/**
 * Writes chosen picks: their decision records, leases and empty groups, and the run's counters.
 * Owns: their numbers. Must never know: how they were chosen, which report bought them and why.
 * Invariant: runs in the transaction that appends their log entry, so that leases are numbered as the entry numbers them.
 */
import type { BatchDecision } from '@/lib/engine/decision'
import type { BatchEntry } from '@/lib/engine/log-entry'
import type { DraftChange } from '@/lib/engine/scheduler'
import { insertPicks } from '@/lib/store/batch'
import type { Tx } from '@/lib/store/database'
import { insertGroups } from '@/lib/store/group'
import { insertLeases } from '@/lib/store/lease'
import { type RunRow, updateRun } from '@/lib/store/run'
import { pickRecord } from './batch-record'
import { emptyGroup } from './group-book'
import { leaseSeconds } from './lease-time'
import { sharesOf } from './told'

/** Two stages are sizes enough: of them the engine chooses for the first, and adaptive sizes are set aside. */
export const ONE_SIZE: DraftChange = { change: { kind: 'group_sizing', value: 'fixed' }, batches: null }

/** The picks of a log entry. Those of the usual size do not repeat it. */
export function entryPicks(decision: BatchDecision, run: RunRow, groupSize: number): BatchEntry['picks'] {
  return decision.picks.map((pick, position) => {
    const { task, slot } = pick
    const leased = { task, slot, lease: run.leaseCount + position + 1 }
    return pick.groupSize === groupSize ? leased : { ...leased, groupSize: pick.groupSize }
  })
}

export interface Issuing {
  /** as it is in this transaction */
  run: RunRow
  decision: BatchDecision
  batch: number
  policyVersion: number
  /** picks that the batch has already */
  from: number
  /** rollouts of a second stage that are kept for each; null = one stage */
  restStage: number | null
  /** the rollout whose report bought them */
  boughtBy: string | null
  now: number
}

export async function issuePicks(tx: Tx, issuing: Issuing): Promise<void> {
  const { run, decision, batch, policyVersion, from, restStage, boughtBy, now } = issuing
  const numbered = decision.picks.map((pick, place) => ({ pick, place, lease: run.leaseCount + place + 1 }))
  await insertPicks(
    tx,
    run.id,
    batch,
    numbered.map(({ pick, place, lease }) => ({
      position: from + place,
      task: pick.task,
      slot: pick.slot,
      lease,
      record: pickRecord(pick, decision),
    })),
  )
  const expiresAt = now + leaseSeconds(run) * 1000
  await insertLeases(
    tx,
    run.id,
    numbered.map(({ pick, lease }) => ({
      batch,
      policyVersion,
      number: lease,
      task: pick.task,
      slot: pick.slot,
      groupSize: pick.groupSize,
      issuedAt: now,
      expiresAt,
      state: 'open' as const,
    })),
  )
  await insertGroups(
    tx,
    run.id,
    numbered.map(({ pick, place, lease }) => ({
      ...emptyGroup({
        number: run.groupCount + place + 1,
        lease,
        batch,
        slot: pick.slot,
        task: pick.task,
        policyVersion,
      }),
      shares: sharesOf(decision.fallback.rung === 'full' ? pick.shares : null),
      ...(restStage === null ? {} : { firstStage: pick.groupSize, restStage, boughtBy }),
    })),
  )
  await updateRun(tx, run.id, {
    leaseCount: run.leaseCount + numbered.length,
    groupCount: run.groupCount + numbered.length,
  })
}
