/**
 * What a run takes by kind, what the server takes, and what it grows by.
 * Owns: the kinds, the cache. Invariant: a poll costs no scan: sums are kept (measured.ts) and asked for every ten seconds at most.
 */
import { statfs } from 'node:fs/promises'
import type { DiskUse } from '@/lib/contract/disk'
import { databaseBytes, diskSamples, freeBytesInside, putDiskSample } from '@/lib/store/disk'
import { countToldAlone } from '@/lib/store/group'
import { countOtherRuns, type RunRow } from '@/lib/store/run'
import { taskSetSum } from '@/lib/store/run-tables'
import { type Measured, RunMeasure } from './measured'
import { requireRun } from './open-run'
import type { Runtime } from './runtime'

/** How old an answer may be, unless text was dropped meanwhile. */
const FRESH_MS = 10_000
const DAY_MS = 86_400_000
const LEAST_SPAN_MS = 10 * 60_000
const KEEP_SAMPLES_MS = 14 * DAY_MS
/** Bytes of one prediction in its blob: Float32. */
const PREDICTION_BYTES = 4

interface Kept {
  measure: RunMeasure
  at: number
  sweptAt: number | null
  answer: Omit<DiskUse, 'server'> | null
}

const caches = new WeakMap<
  Runtime['database'],
  { runs: Map<string, Kept>; sets: Map<string, ReturnType<typeof taskSetSum>> }
>()

function cacheOf(runtime: Runtime) {
  const known = caches.get(runtime.database)
  if (known !== undefined) return known
  const made = { runs: new Map<string, Kept>(), sets: new Map<string, ReturnType<typeof taskSetSum>>() }
  caches.set(runtime.database, made)
  return made
}

/** Forgets what is kept of a run that is gone. */
export function forgetDiskUse(runtime: Runtime, run: string): void {
  caches.get(runtime.database)?.runs.delete(run)
}

export async function readDiskUse(runtime: Runtime, runId: string, now: number): Promise<DiskUse> {
  const { run } = await requireRun(runtime, runId)
  const { runs } = cacheOf(runtime)
  const kept = runs.get(runId) ?? {
    measure: new RunMeasure(),
    at: Number.NEGATIVE_INFINITY,
    sweptAt: null,
    answer: null,
  }
  runs.set(runId, kept)
  const answer = await runtime.queue.run(`disk use of ${runId}`, async () => {
    if (kept.answer !== null && kept.sweptAt === run.sweptAt && now - kept.at < FRESH_MS) return kept.answer
    const measured = await kept.measure.read(runtime.database.db, runId, run.sweptAt)
    kept.answer = await answerOf(runtime, run, measured, now)
    kept.at = now
    kept.sweptAt = run.sweptAt
    return kept.answer
  })
  return { ...answer, server: await serverUse(runtime, now) }
}

async function answerOf(
  runtime: Runtime,
  run: RunRow,
  { tables, text }: Measured,
  now: number,
): Promise<Omit<DiskUse, 'server'>> {
  const { sets } = cacheOf(runtime)
  const { db } = runtime.database
  const set = sets.get(run.taskSetId) ?? taskSetSum(db, run.taskSetId)
  sets.set(run.taskSetId, set)
  set.catch(() => sets.delete(run.taskSetId))
  const { tasks, edges } = await set
  const bytesOf = (...names: (keyof typeof tables)[]) => names.reduce((sum, name) => sum + tables[name].bytes, 0)
  const parts: DiskUse['parts'] = [
    { kind: 'text', bytes: text.bytes },
    { kind: 'rollouts', bytes: bytesOf('Rollout') },
    { kind: 'predictions', bytes: bytesOf('Pick', 'Batch', 'Lease', 'Group', 'PredictionBlob') },
    { kind: 'graph', bytes: tasks.bytes + edges.bytes },
    { kind: 'history', bytes: bytesOf('LogEntry', 'Override', 'Snapshot', 'AuditEvent') },
  ]
  const perBatch = tasks.rows * PREDICTION_BYTES
  return {
    measuredAt: new Date(now).toISOString(),
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    parts,
    counts: {
      rollouts: tables.Rollout.rows,
      texts: text.rollouts,
      batches: tables.Batch.rows,
      picks: tables.Pick.rows,
      predictions:
        (perBatch === 0 ? 0 : tables.PredictionBlob.rows * tasks.rows) +
        (run.mode === 'shadow' ? await countToldAlone(db, run.id) : 0),
      overrides: tables.Override.rows,
      entries: tables.LogEntry.rows,
      snapshots: tables.Snapshot.rows,
      tasks: tasks.rows,
      edges: edges.rows,
      otherRuns: await countOtherRuns(db, run),
    },
  }
}

async function serverUse(runtime: Runtime, now: number): Promise<DiskUse['server']> {
  const { db, provider } = runtime.database
  const freeInside = await freeBytesInside(db)
  const disk = provider === 'sqlite' ? await statfs(runtime.settings.dataDir).catch(() => null) : null
  const used = (await databaseBytes(db)) - (freeInside ?? 0)
  return {
    used,
    freeInside,
    diskFree: disk === null ? null : disk.bavail * disk.bsize,
    diskTotal: disk === null ? null : disk.blocks * disk.bsize,
    growth: await growthOf(runtime, used, now),
  }
}

async function growthOf(runtime: Runtime, used: number, now: number): Promise<DiskUse['server']['growth']> {
  const samples = await diskSamples(runtime.database.db, now - DAY_MS)
  if (samples === null || now - samples.oldest.at < LEAST_SPAN_MS) return null
  const span = now - samples.oldest.at
  return { bytesADay: ((used - samples.oldest.bytes) / span) * DAY_MS, seconds: span / 1000 }
}

/** Writes down what the database takes now, for what it grows by. */
export async function sampleDisk(runtime: Runtime, now: number): Promise<void> {
  const { db } = runtime.database
  const bytes = (await databaseBytes(db)) - ((await freeBytesInside(db)) ?? 0)
  await runtime.database.transaction((tx) => putDiskSample(tx, { at: now, bytes }, now - KEEP_SAMPLES_MS))
}
