/**
 * Stored picks as a trainer is given them, with its batch or bought later: the same object both times.
 */
import type { IssuedPick } from '@/lib/contract/batch'
import type { PickRow } from '@/lib/store/batch'
import type { Db } from '@/lib/store/database'
import { groupsOfBatches } from '@/lib/store/group'
import { tasksByOrdinal } from '@/lib/store/task'
import { type PickRecord, slotOf } from './batch-record'
import { taskAt } from './catalog'
import { leaseId } from './ids'
import type { OpenRun } from './open-run'
import type { Runtime } from './runtime'

/** In the order given. */
export async function issuedPicks(
  runtime: Runtime,
  { run, catalog }: OpenRun,
  batch: { groupSize: number },
  picks: readonly PickRow<PickRecord>[],
): Promise<IssuedPick[]> {
  const tasks = await tasksByOrdinal<unknown>(
    runtime.database.db,
    run.taskSetId,
    picks.map((pick) => pick.task),
  )
  const payloads = new Map(tasks.map((task) => [task.ordinal, task.payload]))
  return picks.map(({ task, lease, slot, record }) => {
    const { id, key, environment } = taskAt(catalog, task)
    return {
      lease: leaseId(lease),
      environment: environment.key,
      task: key,
      id,
      groupSize: record.groupSize ?? batch.groupSize,
      slot: slotOf(slot),
      payload: payloads.get(task) ?? null,
      reason: record.reason,
    }
  })
}

/** Leases of a batch that a report bought. */
export async function boughtLeases(db: Db, runId: string, batch: number): Promise<Set<number>> {
  const groups = await groupsOfBatches(db, runId, [batch])
  return new Set(groups.flatMap(({ lease, boughtBy }) => (lease === null || boughtBy === null ? [] : [lease])))
}
