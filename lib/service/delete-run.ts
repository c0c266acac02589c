/**
 * Deletes a run: everything that was stored of it. Its task set stays, and so do other runs on it.
 * Owns: the order, so that nobody waits long and nothing is half there: the text first, by slices, since it is the bulk
 * and nothing depends on it; the rest in one transaction. Invariant: an audit event outlives the run and tells who did it.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Principal } from '@/lib/contract/access'
import type { DeletedRun } from '@/lib/contract/run'
import { announceRun } from '@/lib/store/announce'
import { appendAudit, RUN_DELETED } from '@/lib/store/audit'
import type { Tx } from '@/lib/store/database'
import { deleteRun as remove } from '@/lib/store/run'
import { lockRun } from '@/lib/store/run-lock'
import { deleteRows, highestOf, MEASURED_TABLES } from '@/lib/store/run-tables'
import { forgetDiskUse } from './disk-use'
import { sweepAll } from './keep'
import { SLICE } from './measured'
import { requireRun } from './open-run'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'

/** `name`, where given, must be the run's whole name: what a person typed to confirm. */
export async function deleteRun(
  runtime: Runtime,
  id: string,
  name: string | null,
  who: Principal,
  now: number,
): Promise<DeletedRun> {
  const { run } = await requireRun(runtime, id)
  if (name !== null && name !== run.name)
    throw new ServiceError(409, 'name_differs', `The run is called "${run.name}": type that name to delete it.`)
  await sweepAll(runtime, run, now)
  const deleted = await runtime.queue.run(id, async () => {
    const { catalog } = await requireRun(runtime, id)
    const gone = await runtime.database.transaction(async (tx) => {
      const fresh = await lockRun(tx, id)
      if (fresh === null) return null
      const { rolloutCount: rollouts, batchCount: batches } = fresh
      const answer = { id, name: fresh.name, rollouts, batches, taskSet: { id: catalog.id, name: catalog.name } }
      await clear(tx, id)
      await remove(tx, id)
      await appendAudit(tx, {
        runId: null,
        at: now,
        actor: who.name,
        action: RUN_DELETED,
        detail: JSON.stringify({ run: id, ...answer }),
      })
      await announceRun(tx, id)
      return answer
    })
    await runtime.engine.close(id)
    runtime.histories.delete(id)
    return gone
  })
  await runtime.replays.get(id)?.host?.stop()
  runtime.replays.delete(id)
  forgetDiskUse(runtime, id)
  if (deleted === null) throw new ServiceError(410, 'run_deleted', `The run "${run.name}" was deleted meanwhile.`)
  return deleted
}

/** The large tables by slices, so that the process answers others between; what is left goes with the run's row. */
async function clear(tx: Tx, id: string): Promise<void> {
  for (const table of MEASURED_TABLES) {
    // what was done stays known
    if (table === 'AuditEvent') continue
    const top = await highestOf(tx, id, table)
    for (let upTo = Math.min(top, SLICE[table]); upTo > 0; upTo = Math.min(top, upTo + SLICE[table])) {
      await deleteRows(tx, id, table, upTo)
      if (upTo === top) break
      await pause()
    }
  }
}
