/**
 * Ends leases before their time: a pick that is given back, an environment that is drained.
 * Owns: the order: what came of a lease so far is absorbed, then the lease ends. Must never know: who asked for it.
 */
import type { LeaseEndEntry } from '@/lib/engine/log-entry'
import type { DraftChange } from '@/lib/engine/scheduler'
import type { Tx } from '@/lib/store/database'
import { type GroupRow, groupsByLease } from '@/lib/store/group'
import { leasesByNumber, openLeases, setLeaseState } from '@/lib/store/lease'
import { addGroups, type Committing, type Due, settleDue } from './absorb'
import { environmentOf } from './catalog'
import { complete } from './group-book'
import type { OpenRun } from './open-run'
import type { Runtime } from './runtime'

export interface Ending extends Due {
  leases: readonly number[]
}

/** `leases`: numbers of open ones. */
export async function endLeases(
  runtime: Runtime,
  opened: OpenRun,
  leases: readonly number[],
  reason: LeaseEndEntry['reason'],
  now: number,
): Promise<Ending> {
  const found = await groupsByLease(runtime.database.db, opened.run.id, leases)
  const groups = found.filter((group) => group.state === 'open')
  const ending: Ending = { entries: [], groups, placeOf: [], expired: [], closes: groups.length > 0, leases }
  for (const group of groups) complete(group, opened.run.rolloutCount, now)
  await addGroups(runtime, opened, ending, now)
  for (const lease of leases) ending.entries.push({ kind: 'lease_end', at: now, lease, reason })
  return ending
}

/** Open leases of the environments that the changes drain. */
export async function drainedLeases(
  runtime: Runtime,
  { run, catalog }: OpenRun,
  changes: readonly DraftChange[],
): Promise<number[]> {
  const drained = new Set(
    changes.flatMap(({ change }) => (change.kind === 'pause' && change.mode === 'drain' ? [change.environment] : [])),
  )
  if (drained.size === 0) return []
  const open = await openLeases(runtime.database.db, run.id)
  return open.filter((lease) => drained.has(environmentOf(catalog, lease.task))).map((lease) => lease.number)
}

export async function settleEnding(
  tx: Tx,
  run: string,
  ending: Ending,
  { seq, predictions }: Pick<Committing<unknown>, 'seq' | 'predictions'>,
): Promise<void> {
  await settleDue(tx, run, ending, seq, predictions)
  await setLeaseState(tx, run, ending.leases, 'released')
}

/** Of the leases behind these groups, those that were given back or drained with nothing returned. */
export async function releasedAmong(
  runtime: Runtime,
  run: string,
  groups: readonly GroupRow[],
): Promise<ReadonlySet<number>> {
  const empty = groups.filter((group) => group.state !== 'open' && group.returned === 0)
  const leases = await leasesByNumber(
    runtime.database.db,
    run,
    empty.flatMap((group) => group.lease ?? []),
  )
  return new Set(leases.filter((lease) => lease.state === 'released').map((lease) => lease.number))
}
