/**
 * Tells every process that a run changed: LISTEN and NOTIFY on PostgreSQL, an emitter in the one process on SQLite.
 * Invariant: heard only after the transaction has committed, by all listeners, the announcer's own included. A
 * connection that broke is opened again; what was announced meanwhile is lost, so listeners must also ask now and then.
 */
import { EventEmitter } from 'node:events'
import { Client } from 'pg'
import type { Database, Tx } from './database'

const CHANNEL = 'envsched_run'
const RECONNECT_MILLISECONDS = 1000

export interface Announcer {
  /** Calls the listener with the id of each run that changes; answers how to stop. */
  listen(listener: (runId: string) => void): () => void
  close(): Promise<void>
}

// on globalThis, since a server's bundles each have their own copy of this module
const slot = Symbol.for('envsched.announcer')
const shared = globalThis as { [slot]?: EventEmitter }
shared[slot] ??= new EventEmitter().setMaxListeners(0)
const local = shared[slot]

/** Announces with the transaction's commit. */
export async function announceRun(tx: Tx, runId: string): Promise<void> {
  if (tx.provider === 'postgresql') await tx.client.$executeRaw`select pg_notify(${CHANNEL}, ${runId})`
  else tx.afterCommit(() => local.emit(CHANNEL, runId))
}

export async function openAnnouncer(database: Database): Promise<Announcer> {
  return database.provider === 'sqlite' ? localAnnouncer() : await postgresqlAnnouncer(database.url)
}

function localAnnouncer(): Announcer {
  return announcerOf(local, async () => {})
}

async function postgresqlAnnouncer(url: string): Promise<Announcer> {
  const emitter = new EventEmitter().setMaxListeners(0)
  let closed = false
  let client: Client | null = null
  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: url, keepAlive: true })
    next.on('notification', (message) => emitter.emit(CHANNEL, message.payload ?? ''))
    next.on('error', () => {})
    next.on('end', () => {
      if (!closed) setTimeout(retry, RECONNECT_MILLISECONDS).unref()
    })
    await next.connect()
    await next.query(`listen ${CHANNEL}`)
    client = next
  }
  // a failed connection ends, and its `end` tries again
  const retry = (): void => {
    if (!closed) connect().catch(() => {})
  }
  await connect()
  return announcerOf(emitter, async () => {
    closed = true
    await client?.end()
  })
}

function announcerOf(emitter: EventEmitter, close: () => Promise<void>): Announcer {
  const mine = new Set<() => void>()
  return {
    listen(listener) {
      emitter.on(CHANNEL, listener)
      const stop = () => {
        emitter.off(CHANNEL, listener)
        mine.delete(stop)
      }
      mine.add(stop)
      return stop
    },
    async close() {
      for (const stop of mine) stop()
      await close()
    },
  }
}
