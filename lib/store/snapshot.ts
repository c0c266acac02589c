/**
 * Snapshots of the engine's state at log numbers. They only save time: without them the log is folded from its start.
 */
import type { Db, Tx } from './database'

export interface SnapshotRow {
  seq: number
  bytes: Uint8Array
}

export async function putSnapshot(tx: Tx, runId: string, seq: number, bytes: Uint8Array): Promise<void> {
  const owned = new Uint8Array(bytes)
  await tx.client.snapshot.upsert({
    where: { runId_seq: { runId, seq } },
    create: { runId, seq, bytes: owned },
    update: { bytes: owned },
    // else the megabytes would be read back
    select: { seq: true },
  })
}

/** The newest one at or before the log number (missing = of all), or null. */
export async function newestSnapshot(db: Db, runId: string, atOrBefore?: number): Promise<SnapshotRow | null> {
  return await db.client.snapshot.findFirst({
    where: { runId, seq: { lte: atOrBefore } },
    orderBy: { seq: 'desc' },
    select: { seq: true, bytes: true },
  })
}

/** Keeps the newest `keep`; 0 drops all. */
export async function pruneSnapshots(tx: Tx, runId: string, keep: number): Promise<void> {
  const [newestDropped] = await tx.client.snapshot.findMany({
    where: { runId },
    orderBy: { seq: 'desc' },
    skip: keep,
    take: 1,
    select: { seq: true },
  })
  if (newestDropped === undefined) return
  await tx.client.snapshot.deleteMany({ where: { runId, seq: { lte: newestDropped.seq } } })
}
