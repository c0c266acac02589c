/**
 * Brings the engine's state of a run to the run's log number: opens it from the newest snapshot and folds what came after.
 * Invariant: afterwards the state equals fold(log), whoever wrote the entries; another process may have.
 */

import type { LogEntry } from '@/lib/engine/log-entry'
import { findDeletion } from '@/lib/store/audit'
import { entrySpans, forksOf, isIn, type Span } from '@/lib/store/line'
import { readEntries } from '@/lib/store/log'
import { findRun, type RunRow } from '@/lib/store/run'
import { newestSnapshot, pruneSnapshots, putSnapshot } from '@/lib/store/snapshot'
import type { Catalog } from './catalog'
import type { EngineHost } from './engine-host'
import { faultOf, log } from './logger'
import { engineConfig, parseStoredConfig } from './run-config'
import { catalogOf, type Runtime } from './runtime'
import { notFound, ServiceError } from './service-error'

/** Entries folded in one call to the engine: keeps messages small. */
const SLICE = 500

/** Snapshots kept a run. */
const SNAPSHOTS = 5

export interface OpenRun {
  run: RunRow
  catalog: Catalog
}

export async function requireRun(runtime: Runtime, id: string): Promise<OpenRun> {
  const run = await findRun(runtime.database.db, id)
  if (run === null) throw await missingRun(runtime, id)
  return { run, catalog: await catalogOf(runtime, run.taskSetId) }
}

/** A run that was deleted says so, to a trainer and to a page that still shows it. */
export async function missingRun(runtime: Runtime, id: string): Promise<ServiceError> {
  const deletion = await findDeletion(runtime.database.db, id)
  if (deletion === null) return notFound('run', id)
  const { name, run } = JSON.parse(deletion.detail) as { name: string; run: string }
  // the search took signs of the id for wildcards
  if (run !== id) return notFound('run', id)
  const at = new Date(deletion.at).toISOString().slice(0, 16).replace('T', ' ')
  return new ServiceError(410, 'run_deleted', `The run "${name}" was deleted by ${deletion.actor} on ${at} UTC.`)
}

/**
 * What every reader of the live engine uses: `work` runs alone on the run, on its current state. Not for use inside the
 * run's queue, which it would wait for.
 */
export function withRun<T>(runtime: Runtime, id: string, work: (opened: OpenRun) => Promise<T>): Promise<T> {
  return runtime.queue.run(id, async () => work(await openRun(runtime, id)), 'look')
}

/**
 * Reads the run and makes the live engine's state current. Only inside the run's queue: beside it the state would move
 * under a batch that is being chosen.
 */
export async function openRun(runtime: Runtime, id: string): Promise<OpenRun> {
  const opened = await requireRun(runtime, id)
  await foldTo(runtime, runtime.engine, opened, id, opened.run.logSeq)
  return opened
}

/**
 * Folds the line of a run's log that ends at `seq` on a host, under a name of its own (the past is opened beside the
 * present). A state that a restore has left behind is opened anew.
 */
export async function foldTo(
  runtime: Runtime,
  host: EngineHost,
  { run, catalog }: OpenRun,
  name: string,
  seq: number,
): Promise<void> {
  const at = await host.seqOf(name)
  if (at === seq) return
  const { db } = runtime.database
  const spans = entrySpans(run.epoch === 1 ? [] : await forksOf(db, run.id), seq)
  const stands = at !== null && (at === 0 || isIn(spans, at))
  let reached = stands ? at : await openFrom(runtime, host, { run, catalog }, name, spans)
  for (const [start, end] of spans) {
    while (reached < end) {
      const after = Math.max(start, reached)
      const upTo = Math.min(end, after + SLICE)
      const rows = await readEntries<LogEntry>(db, run.id, after, upTo, { superseded: true })
      const entries = rows.map((row) => row.payload)
      await host.apply(name, reached, entries, true, upTo)
      reached = upTo
    }
  }
}

/** From the newest snapshot of the line that can be read; one of an older engine cannot, and then the log is folded from its start. */
async function openFrom(
  runtime: Runtime,
  host: EngineHost,
  { run, catalog }: OpenRun,
  name: string,
  spans: readonly Span[],
): Promise<number> {
  const setup = {
    run: name,
    set: catalog.set,
    config: engineConfig(catalog, parseStoredConfig(run.config)),
    seed: run.seed,
  }
  const snapshot = spans.length === 0 ? null : await newestSnapshot(runtime.database.db, run.id, spans)
  if (snapshot === null) return host.open({ ...setup, snapshot })
  try {
    return await host.open({ ...setup, snapshot })
  } catch (cause) {
    log('warn', 'snapshot_unreadable', { run: run.id, seq: snapshot.seq, ...faultOf(cause) })
    return host.open({ ...setup, snapshot: null })
  }
}

/** Keeps a snapshot when `every` entries have passed since the last. They only save time. */
export async function keepSnapshot(
  runtime: Runtime,
  run: string,
  seqBefore: number,
  seqNow: number,
  every: number,
): Promise<void> {
  if (Math.floor(seqBefore / every) === Math.floor(seqNow / every)) return
  const bytes = await runtime.engine.encode(run)
  await runtime.database.transaction(async (tx) => {
    await putSnapshot(tx, run, seqNow, bytes)
    await pruneSnapshots(tx, run, SNAPSHOTS)
  })
}
