/**
 * Issued batches and their picks, with the decision records as they were when the choice was made.
 * Invariant: a batch and its picks are written together and never change, except for `superseded` (a restore) and picks that
 * a batch of two-stage groups gains behind those it has.
 * Request ids are unique per run and epoch.
 */
import { bulkInsert } from './bulk'
import type { Db, Tx } from './database'
import { fromRecord, type Table } from './table'

export interface BatchRow<Record = unknown> {
  index: number
  epoch: number
  requestId: string
  /** number of its log entry */
  seq: number
  at: number
  policyVersion: number
  size: number
  groupSize: number
  record: Record
  superseded: boolean
}

export interface PickRow<Record = unknown> {
  batch: number
  position: number
  task: number
  slot: string
  lease: number
  record: Record
}

const batchTable: Table<BatchRow> = {
  name: 'Batch',
  owner: 'runId',
  key: ['index'],
  columns: {
    index: 'int',
    epoch: 'int',
    requestId: 'text',
    seq: 'int',
    at: 'float',
    policyVersion: 'int',
    size: 'int',
    groupSize: 'int',
    record: 'json',
    superseded: 'bool',
  },
}

const pickTable: Table<PickRow> = {
  name: 'Pick',
  owner: 'runId',
  key: ['batch', 'position'],
  columns: { batch: 'int', position: 'int', task: 'int', slot: 'text', lease: 'int', record: 'json' },
}

/** Throws when the index, or the request id in this epoch, is taken. */
export async function insertBatch(
  tx: Tx,
  runId: string,
  batch: Omit<BatchRow, 'superseded'>,
  picks: readonly Omit<PickRow, 'batch'>[],
): Promise<void> {
  await bulkInsert(tx, batchTable, runId, [{ ...batch, superseded: false }])
  await insertPicks(tx, runId, batch.index, picks)
}

/** Throws when a position is taken. */
export async function insertPicks(
  tx: Tx,
  runId: string,
  batch: number,
  picks: readonly Omit<PickRow, 'batch'>[],
): Promise<void> {
  await bulkInsert(
    tx,
    pickTable,
    runId,
    picks.map((pick) => ({ ...pick, batch })),
  )
}

/** Of one policy version, newest first. */
export async function batchesOfPolicy<Record>(
  db: Db,
  runId: string,
  policyVersion: number,
): Promise<BatchRow<Record>[]> {
  const found = await db.client.batch.findMany({ where: { runId, policyVersion }, orderBy: { index: 'desc' } })
  return found.map((record) => fromRecord<BatchRow<Record>>(batchTable, record))
}

export async function findBatchByRequest<Record>(
  db: Db,
  runId: string,
  epoch: number,
  requestId: string,
): Promise<BatchRow<Record> | null> {
  const found = await db.client.batch.findUnique({ where: { runId_epoch_requestId: { runId, epoch, requestId } } })
  return found === null ? null : fromRecord<BatchRow<Record>>(batchTable, found)
}

export async function findBatch<Record>(db: Db, runId: string, index: number): Promise<BatchRow<Record> | null> {
  const found = await db.client.batch.findUnique({ where: { runId_index: { runId, index } } })
  return found === null ? null : fromRecord<BatchRow<Record>>(batchTable, found)
}

/** Index of the newest one that is not superseded, or of the newest of those before another; 0 = none. */
export async function newestLiveBatch(db: Db, runId: string, before?: number): Promise<number> {
  const found = await db.client.batch.findFirst({
    where: { runId, superseded: false, index: { lt: before } },
    orderBy: { index: 'desc' },
    select: { index: true },
  })
  return found?.index ?? 0
}

/** Those of the run's line after a log number, without their records. */
export async function liveBatchesAfter(
  db: Db,
  runId: string,
  seq: number,
): Promise<Pick<BatchRow, 'index' | 'epoch' | 'seq'>[]> {
  return await db.client.batch.findMany({
    where: { runId, superseded: false, seq: { gt: seq } },
    orderBy: { index: 'asc' },
    select: { index: true, epoch: true, seq: true },
  })
}

/** Batches from one index to another, both with, oldest first. */
export async function batchesBetween<Record>(
  db: Db,
  runId: string,
  from: number,
  to: number,
): Promise<BatchRow<Record>[]> {
  const found = await db.client.batch.findMany({
    where: { runId, index: { gte: from, lte: to } },
    orderBy: { index: 'asc' },
  })
  return found.map((record) => fromRecord<BatchRow<Record>>(batchTable, record))
}

/** Picks of the batches from one index to another, both with, in order. */
export async function picksBetween<Record>(
  db: Db,
  runId: string,
  from: number,
  to: number,
): Promise<PickRow<Record>[]> {
  const found = await db.client.batchPick.findMany({
    where: { runId, batch: { gte: from, lte: to } },
    orderBy: [{ batch: 'asc' }, { position: 'asc' }],
  })
  return found.map((record) => fromRecord<PickRow<Record>>(pickTable, record))
}

/** Picks of one task, newest first. */
export async function picksOfTask<Record>(
  db: Db,
  runId: string,
  task: number,
  limit: number,
): Promise<PickRow<Record>[]> {
  const found = await db.client.batchPick.findMany({
    where: { runId, task },
    orderBy: { batch: 'desc' },
    take: limit,
  })
  return found.map((record) => fromRecord<PickRow<Record>>(pickTable, record))
}
