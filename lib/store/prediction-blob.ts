/**
 * Predicted variance of every task at the time of a batch, one blob of Float32 each.
 * Invariant: kept are the newest 200 batches and every tenth before (decided.md 6).
 */
import type { Db, Tx } from './database'

const KEEP_NEWEST = 200
const KEEP_EVERY = 10

export async function putPredictions(tx: Tx, runId: string, batch: number, values: Float32Array): Promise<void> {
  const bytes = new Uint8Array(
    values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength) as ArrayBuffer,
  )
  await tx.client.predictionBlob.upsert({
    where: { runId_batch: { runId, batch } },
    create: { runId, batch, bytes },
    update: { bytes },
    select: { batch: true },
  })
}

/** Which batches have theirs, oldest first. */
export async function predictionBatches(db: Db, runId: string): Promise<number[]> {
  const found = await db.client.predictionBlob.findMany({
    where: { runId },
    orderBy: { batch: 'asc' },
    select: { batch: true },
  })
  return found.map((blob) => blob.batch)
}

/** Of one batch; null where they were not kept. */
export async function findPredictions(db: Db, runId: string, batch: number): Promise<Float32Array | null> {
  const found = await db.client.predictionBlob.findUnique({ where: { runId_batch: { runId, batch } } })
  if (found === null) return null
  // the driver's buffer may start anywhere; numbers need a place divisible by four
  return new Float32Array(Uint8Array.from(found.bytes).buffer)
}

export async function prunePredictions(tx: Tx, runId: string): Promise<void> {
  const batches = await predictionBatches(tx, runId)
  const old = batches.slice(0, Math.max(0, batches.length - KEEP_NEWEST)).filter((batch) => batch % KEEP_EVERY !== 0)
  if (old.length === 0) return
  await tx.client.predictionBlob.deleteMany({ where: { runId, batch: { in: old.slice(0, KEEP_NEWEST) } } })
}
