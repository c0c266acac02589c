/**
 * What a server process keeps: one database, one engine, catalogs, histories, queues. One instance on globalThis, because
 * Next bundles route handlers and actions apart and would make one each.
 * Owns: their life. Must never know: requests. Invariant: everything in here can be thrown away and rebuilt from the store.
 */
import { mkdir } from 'node:fs/promises'
import { type Announcer, openAnnouncer } from '@/lib/store/announce'
import { type Database, openDatabase } from '@/lib/store/database'
import { WebhookQueue } from './alarms/webhook-queue'
import type { Catalog } from './catalog'
import { loadCatalog } from './catalog'
import type { EngineHost } from './engine-host'
import { startEngineWorker, startInlineEngine } from './engine-start'
import { type Meters, startMeters } from './meters'
import type { Replay } from './replay-history'
import type { RunHistory } from './run-history'
import { RunQueue } from './run-queue'
import { readSettings, type Settings } from './settings'
import { TrainerCalls } from './trainer-calls'

export interface Runtime {
  settings: Settings
  database: Database
  /** scheduling of live runs */
  engine: EngineHost
  /** structure of new task sets and states of the past: slow work that must not wait for, or hold up, a batch */
  builder: EngineHost
  queue: RunQueue
  announcer: Announcer
  catalogs: Map<string, Promise<Catalog>>
  histories: Map<string, RunHistory>
  /** running imports by id */
  imports: Map<string, { cancelled: boolean; replay: boolean }>
  /** replays by run: the newest of each */
  replays: Map<string, Replay>
  /** what trainers asked of this process lately */
  trainerCalls: TrainerCalls
  /** alarms on their way to webhooks */
  webhooks: WebhookQueue
  /** what this process measures of itself */
  meters: Meters
  /** called once when the process is asked to end: what would keep it waiting */
  atStop: Set<() => void>
  /** a further engine, for long work that stops it when it is over */
  startHost: () => EngineHost
}

const slot = Symbol.for('envsched.runtime')
const shared = globalThis as { [slot]?: Promise<Runtime> }

export function getRuntime(): Promise<Runtime> {
  shared[slot] ??= openRuntime(readSettings(process.env), process.env.NEXT_RUNTIME === 'nodejs').catch(
    (cause: unknown) => {
      delete shared[slot]
      throw cause
    },
  )
  return shared[slot]
}

/** Tests and commands open their own, with the engine in line. */
export async function openRuntime(settings: Settings, threads: boolean): Promise<Runtime> {
  await mkdir(settings.dataDir, { recursive: true })
  const database = await openDatabase(settings.databaseUrl)
  const start = threads ? startEngineWorker : startInlineEngine
  return {
    settings,
    database,
    engine: start(),
    builder: start(),
    queue: new RunQueue(),
    announcer: await openAnnouncer(database),
    catalogs: new Map(),
    histories: new Map(),
    imports: new Map(),
    replays: new Map(),
    trainerCalls: new TrainerCalls(Date.now()),
    webhooks: new WebhookQueue(),
    meters: startMeters(),
    atStop: new Set(),
    startHost: start,
  }
}

export async function closeRuntime(runtime: Runtime): Promise<void> {
  runtime.webhooks.stop()
  await runtime.queue.idle()
  for (const replay of runtime.replays.values()) await replay.host?.stop()
  await runtime.engine.stop()
  await runtime.builder.stop()
  await runtime.announcer.close()
  await runtime.database.close()
}

export function catalogOf(runtime: Runtime, taskSet: string): Promise<Catalog> {
  const known = runtime.catalogs.get(taskSet)
  if (known !== undefined) return known
  const loading = loadCatalog(runtime.database, taskSet)
  runtime.catalogs.set(taskSet, loading)
  loading.catch(() => runtime.catalogs.delete(taskSet))
  return loading
}
