/**
 * Leases: the handles by which the rollouts of picks are reported.
 * Invariant: open until complete, released, expired or superseded; numbers are unique in the run and never used again.
 */
import { bulkInsert, inSlices } from './bulk'
import type { Db, Tx } from './database'
import { fromRecord, type Table } from './table'

/** `superseded`: its batch is of a part that a restore took out of the run's line */
export type LeaseState = 'open' | 'complete' | 'released' | 'expired' | 'superseded'

export interface LeaseRow {
  number: number
  batch: number
  task: number
  slot: string
  groupSize: number
  policyVersion: number
  issuedAt: number
  expiresAt: number
  state: LeaseState
}

const table: Table<LeaseRow> = {
  name: 'Lease',
  owner: 'runId',
  key: ['number'],
  columns: {
    number: 'int',
    batch: 'int',
    task: 'int',
    slot: 'text',
    groupSize: 'int',
    policyVersion: 'int',
    issuedAt: 'float',
    expiresAt: 'float',
    state: 'text',
  },
}

const leaseOf = (record: object) => fromRecord<LeaseRow>(table, record)

/** Sorted here: asked to sort by the primary key, SQLite would walk all leases of the run along it. */
const byNumber = (records: readonly object[]) => records.map(leaseOf).sort((a, b) => a.number - b.number)

export async function insertLeases(tx: Tx, runId: string, leases: readonly LeaseRow[]): Promise<void> {
  await bulkInsert(tx, table, runId, leases)
}

/** In no order; numbers that do not exist are left out. */
export async function leasesByNumber(db: Db, runId: string, numbers: readonly number[]): Promise<LeaseRow[]> {
  const found = await inSlices(numbers, (slice) =>
    db.client.lease.findMany({ where: { runId, number: { in: slice } } }),
  )
  return found.map(leaseOf)
}

/** By number. */
export async function openLeases(db: Db, runId: string): Promise<LeaseRow[]> {
  return byNumber(await db.client.lease.findMany({ where: { runId, state: 'open' } }))
}

export async function countOpenLeases(db: Db, runId: string): Promise<number> {
  return await db.client.lease.count({ where: { runId, state: 'open' } })
}

/** Those in a state, of each run that has any. */
export async function leaseCounts(db: Db, runIds: readonly string[], state: LeaseState): Promise<Map<string, number>> {
  const found = await inSlices(runIds, (slice) =>
    db.client.lease.groupBy({ by: ['runId'], where: { runId: { in: slice }, state }, _count: { _all: true } }),
  )
  return new Map(found.map(({ runId, _count }) => [runId, _count._all]))
}

/** Open ones whose time has come (expiresAt at or before `now`), by number. */
export async function dueLeases(db: Db, runId: string, now: number): Promise<LeaseRow[]> {
  const found = await db.client.lease.findMany({
    where: { runId, state: 'open', expiresAt: { lte: now } },
  })
  return byNumber(found)
}

/** Open ones get more time. */
export async function extendLeases(
  tx: Tx,
  runId: string,
  numbers: readonly number[],
  expiresAt: number,
): Promise<void> {
  if (numbers.length === 0) return
  await tx.client.lease.updateMany({
    where: { runId, number: { in: [...numbers] }, state: 'open' },
    data: { expiresAt },
  })
}

/** Answers how many changed: those that were in that state already are not counted. */
export async function setLeaseState(
  tx: Tx,
  runId: string,
  numbers: readonly number[],
  state: LeaseState,
): Promise<number> {
  const counts = await inSlices(numbers, async (slice) => {
    const where = { runId, number: { in: slice }, state: { not: state } }
    return [(await tx.client.lease.updateMany({ where, data: { state } })).count]
  })
  return counts.reduce((sum, count) => sum + count, 0)
}
