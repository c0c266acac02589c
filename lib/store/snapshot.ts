/**
 * Snapshots of the engine's state at log numbers. They only save time: without them the log is folded from its start.
 */
import type { Db, Tx } from './database'
import type { Span } from './line'

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

/** The newest one (missing = of all) at or before a log number, or in one of the spans (after, up to and with); null = none. */
export async function newestSnapshot(
  db: Db,
  runId: string,
  within?: number | readonly Span[],
): Promise<SnapshotRow | null> {
  const place =
    within === undefined || typeof within === 'number'
      ? { seq: { lte: within } }
      : { OR: within.map(([after, upTo]) => ({ seq: { gt: after, lte: upTo } })) }
  return await db.client.snapshot.findFirst({
    where: { runId, ...place },
    orderBy: { seq: 'desc' },
    select: { seq: true, bytes: true },
  })
}

/** Drops those after a log number. */
export async function dropSnapshotsAfter(tx: Tx, runId: string, seq: number): Promise<void> {
  await tx.client.snapshot.deleteMany({ where: { runId, seq: { gt: seq } } })
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
