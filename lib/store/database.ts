/**
 * Opens the database that a URL names and hands out what every aggregate takes: `Db` to read, `Tx` to write.
 * Owns: the two Prisma clients, connection settings, transactions. Must never know: what is stored.
 * Invariant: everything is written inside a transaction. On SQLite reads run on a second, query-only connection,
 * since one connection would show a transaction's half-done work to everyone else in the process.
 * lib/generated is not in git: `npm run db:generate` makes it.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient as PostgresqlClient } from '@/lib/generated/postgresql/client'
import { type Prisma, PrismaClient as SqliteClient } from '@/lib/generated/sqlite/client'

export type Provider = 'sqlite' | 'postgresql'

/** The two schemas are one model (checked by a test), so the SQLite client's types serve both. */
export type StoreClient = Prisma.TransactionClient

/** Reads: outside a transaction, or inside the one it came from. */
export interface Db {
  readonly provider: Provider
  readonly client: StoreClient
}

/** Writes: exists only inside `transaction`. */
export interface Tx extends Db {
  /** Runs when the transaction has committed, never when it failed. */
  afterCommit(work: () => void): void
}

export interface Database {
  readonly db: Db
  readonly provider: Provider
  readonly url: string
  /**
   * One transaction: all or nothing. SQLite runs them one after the other; PostgreSQL side by side (read committed), so
   * take the run's lock first where the order matters. Throws what `work` throws, and after 2 minutes.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Many reads of one moment, on a connection of its own: nobody waits for it, and what is written meanwhile is not seen.
   * Not for short reads: while it goes on, SQLite's log file grows. Throws what `work` throws, and after 30 minutes.
   */
  moment<T>(work: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const BUSY_MILLISECONDS = 10_000
const TRANSACTION_MILLISECONDS = 120_000
const MOMENT_MILLISECONDS = 30 * 60_000

/** `file:/absolute/path.db` or `postgresql://...`; migrations must have been applied. Throws when it cannot be opened. */
export async function openDatabase(url: string): Promise<Database> {
  const provider = providerOf(url)
  const { writer, reader } = provider === 'sqlite' ? await openSqlite(url) : openPostgresql(url)
  return {
    db: { provider, client: reader },
    provider,
    url,
    async transaction(work) {
      const committed: (() => void)[] = []
      const options = { timeout: TRANSACTION_MILLISECONDS, maxWait: TRANSACTION_MILLISECONDS }
      const result = await writer.$transaction(
        (client) => work({ provider, client, afterCommit: (done) => committed.push(done) }),
        options,
      )
      for (const done of committed) done()
      return result
    },
    async moment(work) {
      const own = provider === 'sqlite' ? await connectSqlite(url, ['query_only = on']) : null
      const options = { timeout: MOMENT_MILLISECONDS, maxWait: TRANSACTION_MILLISECONDS }
      try {
        return own === null
          ? await writer.$transaction((client) => work({ provider, client }), {
              ...options,
              isolationLevel: 'RepeatableRead' as 'Serializable',
            })
          : await own.$transaction((client) => work({ provider, client }), options)
      } finally {
        await own?.$disconnect()
      }
    },
    async close() {
      await writer.$disconnect()
      if (reader !== writer) await reader.$disconnect()
    },
  }
}

export function providerOf(url: string): Provider {
  if (/^postgres(ql)?:/.test(url)) return 'postgresql'
  if (url.startsWith('file:')) return 'sqlite'
  throw new Error('DATABASE_URL must start with file: or postgresql:')
}

async function openSqlite(url: string): Promise<{ writer: SqliteClient; reader: SqliteClient }> {
  const writer = await connectSqlite(url, [])
  return { writer, reader: await connectSqlite(url, ['query_only = on']) }
}

async function connectSqlite(url: string, extra: string[]): Promise<SqliteClient> {
  const client = new SqliteClient({ adapter: new PrismaBetterSqlite3({ url, timeout: BUSY_MILLISECONDS }) })
  for (const pragma of ['journal_mode = wal', 'synchronous = normal', 'foreign_keys = on', ...extra]) {
    await client.$queryRawUnsafe(`pragma ${pragma}`)
  }
  return client
}

function openPostgresql(url: string): { writer: SqliteClient; reader: SqliteClient } {
  const client = new PostgresqlClient({ adapter: new PrismaPg({ connectionString: url, max: 10 }) })
  const shared = client as unknown as SqliteClient
  return { writer: shared, reader: shared }
}
