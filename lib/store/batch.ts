/**
 * Issued batches and their picks, with the decision records as they were when the choice was made.
 * Invariant: a batch and its picks are written together and never change, except for `superseded` (a restore).
 * Request ids are unique per run and epoch.
 */
import { bulkInsert } from './bulk'
import type { Db, Tx } from './database'
import { type Page, type PageQuery, pageOf } from './page'
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
  await bulkInsert(
    tx,
    pickTable,
    runId,
    picks.map((pick) => ({ ...pick, batch: batch.index })),
  )
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

/** Newest first, superseded ones too. The cursor is the index of the last batch of the page before. */
export async function listBatches<Record>(db: Db, runId: string, query: PageQuery): Promise<Page<BatchRow<Record>>> {
  const found = await db.client.batch.findMany({
    where: { runId, index: { lt: query.cursor ?? undefined } },
    orderBy: { index: 'desc' },
    take: query.limit + 1,
  })
  const rows = found.map((record) => fromRecord<BatchRow<Record>>(batchTable, record))
  return pageOf(rows, query.limit, await db.client.batch.count({ where: { runId } }), (last) => last.index)
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

/** The same without the decision records: what counts and series need. */
export async function pickHeadsBetween(
  db: Db,
  runId: string,
  from: number,
  to: number,
): Promise<Omit<PickRow, 'record'>[]> {
  return await db.client.batchPick.findMany({
    where: { runId, batch: { gte: from, lte: to } },
    orderBy: [{ batch: 'asc' }, { position: 'asc' }],
    select: { batch: true, position: true, task: true, slot: true, lease: true },
  })
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

/** How often each task was picked, and in which batch last. */
export async function pickCounts(db: Db, runId: string): Promise<{ task: number; picks: number; lastBatch: number }[]> {
  const found = await db.client.batchPick.groupBy({
    by: ['task'],
    where: { runId },
    _count: { _all: true },
    _max: { batch: true },
  })
  return found.map((group) => ({ task: group.task, picks: group._count._all, lastBatch: group._max.batch ?? 0 }))
}
