/**
 * How much room the database takes, now and over the last days.
 */
import type { Db, Tx } from './database'

/** Bytes of the database, without its write-ahead log. */
export async function databaseBytes(db: Db): Promise<number> {
  const rows =
    db.provider === 'sqlite'
      ? await db.client.$queryRaw<{ bytes: number | bigint }[]>`
          select pages.page_count * sizes.page_size as "bytes" from pragma_page_count() pages, pragma_page_size() sizes`
      : await db.client.$queryRaw<{ bytes: number | bigint }[]>`
          select pg_database_size(current_database()) as "bytes"`
  return Number(rows[0]?.bytes ?? 0)
}

/** Bytes that lie free inside SQLite's file and are used again before it grows; null on PostgreSQL, which does not tell. */
export async function freeBytesInside(db: Db): Promise<number | null> {
  if (db.provider !== 'sqlite') return null
  const rows = await db.client.$queryRaw<{ bytes: number | bigint }[]>`
    select pages.freelist_count * sizes.page_size as "bytes" from pragma_freelist_count() pages, pragma_page_size() sizes`
  return Number(rows[0]?.bytes ?? 0)
}

export interface DiskSample {
  at: number
  bytes: number
}

/** Keeps a sample, and drops those before `since`. */
export async function putDiskSample(tx: Tx, sample: DiskSample, since: number): Promise<void> {
  await tx.client.diskSample.upsert({ where: { at: sample.at }, create: sample, update: { bytes: sample.bytes } })
  await tx.client.diskSample.deleteMany({ where: { at: { lt: since } } })
}

/** The oldest sample at or after a time, and the newest of all; null without any. */
export async function diskSamples(db: Db, since: number): Promise<{ oldest: DiskSample; newest: DiskSample } | null> {
  const oldest = await db.client.diskSample.findFirst({ where: { at: { gte: since } }, orderBy: { at: 'asc' } })
  const newest = await db.client.diskSample.findFirst({ orderBy: { at: 'desc' } })
  return oldest === null || newest === null ? null : { oldest, newest }
}
