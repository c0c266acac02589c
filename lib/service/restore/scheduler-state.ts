/**
 * The scheduler's state as a trainer's checkpoint keeps it: where the log and the reports stood, and a fingerprint of them.
 * Owns: the fingerprint. Invariant: entries never change and the last one names its time, so a fingerprint of the last entry
 * and the last rollout tells one log from another; the run's id is not in it, so an imported archive of the run still fits.
 */
import { createHash } from 'node:crypto'
import type { SchedulerState } from '@/lib/contract/state'
import type { OpenRun } from '@/lib/service/open-run'
import { requireRun } from '@/lib/service/open-run'
import type { Runtime } from '@/lib/service/runtime'
import { newestLiveBatch } from '@/lib/store/batch'
import type { Db } from '@/lib/store/database'
import { findEntry } from '@/lib/store/log'
import { findRollout } from '@/lib/store/rollout'

export async function readState(runtime: Runtime, id: string, now: number): Promise<SchedulerState> {
  const opened = await requireRun(runtime, id)
  const { run, catalog } = opened
  const { db } = runtime.database
  const place = { seq: run.logSeq, rollouts: run.rolloutCount, at: new Date(now).toISOString() }
  const fingerprint = await fingerprintOf(db, opened, place)
  if (fingerprint === null) throw new Error(`the log of ${id} has no entry ${run.logSeq}`)
  return {
    version: 1,
    run: id,
    epoch: run.epoch,
    ...place,
    batch: await newestLiveBatch(db, id),
    policyVersion: run.policyVersion,
    fingerprint,
    taskSet: { id: catalog.id, fingerprint: catalog.fingerprint, tasks: catalog.tasks.length },
  }
}

/** Of a run's log at a place; null where it does not reach so far. */
export async function fingerprintOf(
  db: Db,
  { run, catalog }: OpenRun,
  { seq, rollouts, at }: Pick<SchedulerState, 'seq' | 'rollouts' | 'at'>,
): Promise<string | null> {
  const entry = seq === 0 ? null : await findEntry(db, run.id, seq)
  const rollout = rollouts === 0 ? null : await findRollout(db, run.id, { seq: rollouts })
  if ((entry === null && seq > 0) || (rollout === null && rollouts > 0)) return null
  const parts = [
    run.seed,
    catalog.fingerprint,
    at,
    seq,
    entry === null ? null : [entry.epoch, entry.kind, entry.at, entry.payload],
    rollouts,
    // its id changes when it is superseded
    rollout === null ? null : [rollout.task, rollout.policyVersion, rollout.at],
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
