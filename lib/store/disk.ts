/**
 * How much room the database takes.
 */
import type { Db } from './database'

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
