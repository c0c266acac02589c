/**
 * What a run needs in order to go on from an earlier place of its own line. Writes nothing.
 * Owns: the plan's shape. Invariant: made outside any transaction, from rows that stand still while the run's counters do.
 */
import type { RestoreAnswer, RestoreInput } from '@/lib/contract/state'
import type { BatchEntry, LogEntry, OverrideChange, RestoreEntry } from '@/lib/engine/log-entry'
import { foldTo, type OpenRun } from '@/lib/service/open-run'
import type { Runtime } from '@/lib/service/runtime'
import { liveBatchesAfter, newestLiveBatch } from '@/lib/store/batch'
import { groupsSince } from '@/lib/store/group'
import { leasesByNumber, openLeases } from '@/lib/store/lease'
import { entriesOfKind } from '@/lib/store/log'
import type { OverrideRow } from '@/lib/store/override'
import { rolloutsOfGroups } from '@/lib/store/rollout'
import { noDifference } from './match-tasks'
import { type Gone, groupsToLookAt, type Place, type RegroupedRun, regroup } from './restore-groups'
import { refuseLeftBehind } from './restore-source'

export interface RestorePlan {
  to: RestoreEntry['to']
  /** newest batch before */
  fromBatch: number
  source: RestoreEntry['source']
  /** entries behind the restore's own */
  carried: LogEntry[]
  overrides: OverrideRow<OverrideChange>[]
  regrouped: RegroupedRun
  /** the engine's state afterwards, with its count of batches and its newest policy version */
  bytes: Uint8Array
  batches: number
  policyVersion: number | null
  /** leases of superseded batches, and of further picks that older batches got later */
  goneLeases: number[]
  /** numbers that carried leases and overrides take */
  leases: number
  overrideNumbers: number
  difference: RestoreAnswer['taskSet']
}

export async function planGoBack(runtime: Runtime, opened: OpenRun, state: RestoreInput): Promise<RestorePlan> {
  await refuseLeftBehind(runtime, opened, state)
  const { run } = opened
  const { db } = runtime.database
  const name = `${run.id} restored`
  const folded = await runtime.queue.run('past', async () => {
    await foldTo(runtime, runtime.builder, opened, name, state.seq)
    try {
      const view = await runtime.builder.view(name)
      return { bytes: await runtime.builder.encode(name), batches: view.batch, policyVersion: view.policyVersion }
    } finally {
      await runtime.builder.close(name)
    }
  })
  const [first] = await liveBatchesAfter(db, run.id, state.seq)
  const newest = await newestLiveBatch(db, run.id)
  const before = await newestLiveBatch(db, run.id, first?.index)
  return {
    ...folded,
    to: { seq: state.seq, rollouts: state.rollouts, batch: before },
    fromBatch: newest,
    source: null,
    carried: [],
    overrides: [],
    ...(await regrouped(runtime, opened, state)),
    leases: 0,
    overrideNumbers: 0,
    difference: noDifference(opened.catalog.tasks.length),
  }
}

/** Leases that were given after a log number, with new batches or for further picks of older ones. */
async function leasesAfter(runtime: Runtime, run: string, seq: number): Promise<Set<number>> {
  const found = await entriesOfKind<BatchEntry>(runtime.database.db, run, 'batch', seq)
  return new Set(found.flatMap(({ payload }) => payload.picks.map(({ lease }) => lease)))
}

/** The groups and leases of the run as they were at a place. */
export async function regrouped(
  runtime: Runtime,
  { run }: OpenRun,
  place: Place,
): Promise<Pick<RestorePlan, 'regrouped' | 'goneLeases'>> {
  const { db } = runtime.database
  const batches = await liveBatchesAfter(db, run.id, place.seq)
  const gone: Gone = {
    batches: new Set(batches.map(({ index }) => index)),
    leases: await leasesAfter(runtime, run.id, place.seq),
  }
  const groups = (await groupsSince(db, run.id, 0)).filter(({ superseded }) => !superseded)
  const looked = groupsToLookAt(groups, place, gone)
  const rollouts = await rolloutsOfGroups(
    db,
    run.id,
    looked.map(({ number }) => number),
  )
  const numbers = [...new Set(looked.flatMap(({ lease }) => lease ?? []))]
  const leases = new Map((await leasesByNumber(db, run.id, numbers)).map((lease) => [lease.number, lease]))
  const made = regroup(groups, rollouts, leases, place, gone, run.groupCount)
  const known = new Set(made.leases.map(({ number }) => number))
  // leases that stay open get time again, too: the trainer was away
  for (const { number, batch } of await openLeases(db, run.id))
    if (!gone.batches.has(batch) && !gone.leases.has(number) && !known.has(number))
      made.leases.push({ number, state: 'open' })
  return { regrouped: made, goneLeases: [...gone.leases] }
}
