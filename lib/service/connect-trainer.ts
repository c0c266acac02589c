/**
 * The live check: what a trainer did so far. Facts come from the store, so that they outlive a restart; from where, with
 * which client, and what was refused come from the calls that this process remembers.
 * Owns: which run is watched, and what counts as wrong. Must never know: how it is said.
 */
import type { ConnectState, RefusedCalls, RefusedReason } from '@/lib/contract/connect'
import { importedAt } from '@/lib/store/audit'
import { findBatch } from '@/lib/store/batch'
import { findRollout } from '@/lib/store/rollout'
import { countOtherRuns, findRun, IMPORTED, listRuns, type RunRow } from '@/lib/store/run'
import type { Catalog } from './catalog'
import { mending, type Nearest, nearestKey } from './nearest-key'
import { parseStoredConfig } from './run-config'
import { catalogOf, type Runtime } from './runtime'
import { notFound } from './service-error'
import type { RefusedName, ReportNote, TrainerCall } from './trainer-calls'

const WATCHED = 20
/** A run that began longer ago is not watched by itself. */
const RECENT_MS = 3_600_000
const REASONS = 10
/** Names a lookup remembers. */
const ASKED = 200

const iso = (at: number) => new Date(at).toISOString()
const isRefused = ({ status }: TrainerCall) => status === 401 || status === 403
const isFault = (call: TrainerCall) => call.status >= 400 && !isRefused(call)

/**
 * `runId` null: the run whose trainer started last. Throws 404 where the named run is not there.
 * `opened`: epoch milliseconds since which somebody waits for a trainer; a run that was over before is then not watched by itself.
 */
export async function readConnect(
  runtime: Runtime,
  runId: string | null,
  now: number,
  opened: number | null = null,
): Promise<ConnectState> {
  const { db } = runtime.database
  const calls = runtime.trainerCalls.calls()
  const recent = await trained(runtime, (await listRuns(db, { limit: WATCHED })).items, calls)
  const found = await watched(runtime, runId, recent, calls, now)
  const run = found === null || runId !== null || isAwaited(found, calls, opened) ? found : null
  const mine =
    run === null
      ? calls.filter(({ at }) => opened === null || at >= opened)
      : calls.filter((call) => call.run === run.id)
  const good = mine.filter(({ status }) => status < 400)
  const began = run === null ? 0 : (good.findLast(({ kind }) => kind === 'run')?.at ?? run.createdAt)
  return {
    at: iso(now),
    since: iso(runtime.trainerCalls.since),
    run:
      run === null
        ? null
        : {
            id: run.id,
            name: run.name,
            mode: run.mode === 'shadow' ? 'shadow' : 'choose',
            scheduler: parseStoredConfig(run.config).scheduler,
            startedAt: iso(run.createdAt),
          },
    runs: recent.map(({ id, name, createdAt }) => ({ id, name, startedAt: iso(createdAt) })),
    lastCallAt: mine.length === 0 ? null : iso(mine.at(-1)?.at ?? now),
    reached: reachedBy(run, good),
    taskSet: run === null ? null : await taskSetOf(runtime, run),
    batch: run === null ? null : await firstBatch(runtime, run, good),
    report: run === null ? null : await reportOf(runtime, run),
    unauthorised: gathered(
      calls.filter((call) => isRefused(call) && call.at > Math.max(began, run === null ? (opened ?? 0) : 0)),
    ),
    faults: gathered(faultsOf(run, run === null ? mine : calls, began)),
  }
}

/** Without runs that came in as a history or an archive, unless a trainer called since. */
async function trained(runtime: Runtime, runs: readonly RunRow[], calls: readonly TrainerCall[]): Promise<RunRow[]> {
  const archives = await importedAt(
    runtime.database.db,
    runs.map(({ id }) => id),
  )
  return runs.filter((run) => {
    const came = run.statusNote === IMPORTED ? 0 : archives.get(run.id)
    if (came === undefined) return true
    const called = calls.some((call) => call.run === run.id && call.status < 400 && call.at >= came)
    return called || (came > 0 && (run.lastReportAt ?? 0) > came)
  })
}

async function watched(
  runtime: Runtime,
  runId: string | null,
  recent: readonly RunRow[],
  calls: readonly TrainerCall[],
  now: number,
): Promise<RunRow | null> {
  if (runId !== null) {
    const run = await findRun(runtime.database.db, runId)
    if (run === null) throw notFound('run', runId)
    return run
  }
  const started = calls.findLast(({ kind, status, run }) => kind === 'run' && status < 400 && run !== null)?.run ?? null
  const run = started === null ? null : await findRun(runtime.database.db, started)
  const [newest] = recent
  return run ?? (newest !== undefined && now - newest.createdAt < RECENT_MS ? newest : null)
}

/** Still going on, or begun while somebody waited. */
function isAwaited(run: RunRow, calls: readonly TrainerCall[], opened: number | null): boolean {
  if (opened === null || (run.status !== 'finished' && run.status !== 'failed') || run.createdAt >= opened) return true
  return calls.some(({ kind, run: of, status, at }) => kind === 'run' && of === run.id && status < 400 && at >= opened)
}

/** The first call, also where older ones are forgotten or the trainer came back: a run was reached when it was made. */
function reachedBy(run: RunRow | null, good: readonly TrainerCall[]): ConnectState['reached'] {
  const call = good.find(({ kind }) => kind === 'run') ?? good[0]
  if (call !== undefined) {
    const { from, client, token, scope } = call
    const at = run === null ? call.at : Math.min(call.at, run.createdAt)
    return { at: iso(at), from, client, token, scope }
  }
  return run === null ? null : { at: iso(run.createdAt), from: null, client: null, token: null, scope: null }
}

async function taskSetOf(runtime: Runtime, run: RunRow): Promise<ConnectState['taskSet']> {
  const catalog = await catalogOf(runtime, run.taskSetId)
  return {
    at: iso(run.createdAt),
    name: catalog.name,
    tasks: catalog.tasks.length,
    environments: catalog.environments.length,
    otherRuns: await countOtherRuns(runtime.database.db, run),
  }
}

async function firstBatch(runtime: Runtime, run: RunRow, good: readonly TrainerCall[]): Promise<ConnectState['batch']> {
  const batch = await findBatch<{ fallback: { rung: string } }>(runtime.database.db, run.id, 1)
  if (batch === null) return null
  return {
    at: iso(batch.at),
    index: batch.index,
    picks: batch.size,
    groupSize: batch.groupSize,
    milliseconds: good.findLast(({ kind }) => kind === 'batch')?.milliseconds ?? null,
    rung: batch.record.fallback.rung,
  }
}

async function reportOf(runtime: Runtime, run: RunRow): Promise<ConnectState['report']> {
  const notes = runtime.trainerCalls.reports(run.id)
  const at = (await findRollout(runtime.database.db, run.id, { seq: 1 }))?.at ?? null
  const last = notes.at(-1)
  if (at === null && last === undefined) return null
  const whole = notes.findLastIndex(({ refused, accepted, duplicates }) => refused === 0 && accepted + duplicates > 0)
  const since = notes.slice(whole + 1)
  return {
    at: at === null ? null : iso(at),
    accepted: run.rolloutCount,
    untrusted: notes.reduce((sum, note) => sum + note.untrusted, 0),
    refused: since.reduce((sum, note) => sum + note.refused, 0),
    lastAt: last === undefined ? null : iso(last.at),
    allRefused: last !== undefined && last.refused > 0 && last.accepted + last.duplicates === 0,
    reasons: reasonsOf(await catalogOf(runtime, run.taskSetId), since),
  }
}

function reasonsOf(catalog: Catalog, notes: readonly ReportNote[]): RefusedReason[] {
  const merged = new Map<string, { count: number; names: RefusedName[] }>()
  for (const note of notes)
    for (const [shape, { count, names }] of note.reasons) {
      const known = merged.get(shape) ?? { count: 0, names: [] }
      merged.set(shape, { count: known.count + count, names: [...known.names, ...names] })
    }
  return [...merged.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, REASONS)
    .flatMap(({ count, names }) => {
      const [first] = names
      return first === undefined ? [] : [{ ...first, count, ...nearestOf(catalog, first, names, count) }]
    })
}

interface Lookup {
  /** environment of the first task with that key */
  places: Map<string, string>
  /** the nearest ones of names that were asked about: the page asks again every second */
  asked: Map<string, Nearest | null>
}

const lookups = new WeakMap<Catalog, Map<string | null, Lookup>>()

/** Of all tasks, or of those of one environment. A catalog never changes. */
function lookupOf(catalog: Catalog, environment: string | null): Lookup {
  const all = lookups.get(catalog) ?? new Map<string | null, Lookup>()
  lookups.set(catalog, all)
  const known = all.get(environment)
  if (known !== undefined) return known
  const made: Lookup = { places: new Map(), asked: new Map() }
  for (const one of catalog.tasks)
    if ((environment === null || one.environment.key === environment) && !made.places.has(one.key))
      made.places.set(one.key, one.environment.key)
  all.set(environment, made)
  return made
}

/** The known pair that a name is nearest to, and how many others differ in the same way. */
function nearestOf(
  catalog: Catalog,
  { environment, task, lease }: RefusedName,
  names: readonly RefusedName[],
  count: number,
): Pick<RefusedReason, 'nearest' | 'alike'> {
  const none = { nearest: null, alike: null }
  if (task === null || lease !== null) return none
  const known = environment !== null && catalog.environments.some(({ key }) => key === environment)
  const { places, asked } = lookupOf(catalog, known ? environment : null)
  const found = asked.has(task) ? (asked.get(task) ?? null) : nearestKey(task, places.keys())
  if (asked.size >= ASKED) asked.clear()
  asked.set(task, found)
  const place = found === null ? undefined : places.get(found.key)
  if (found === null || place === undefined) return none
  const nearest = { environment: place, task: found.key, distance: found.distance }
  const mend = mending(task, found.key)
  if (mend === null) return { nearest, alike: found.distance === 0 && names.length === count ? count : null }
  const same = names.filter((name) => name.task !== null && places.has(mend(name.task))).length
  return { nearest, alike: names.length < count && same === names.length ? count : same }
}

/** Refusals other than of the token, after the newest good call of the same kind. */
function faultsOf(run: RunRow | null, calls: readonly TrainerCall[], began: number): TrainerCall[] {
  return calls.filter((call, place) => {
    if (!isFault(call)) return false
    if (run !== null && call.run !== run.id && !(call.run === null && call.at > began)) return false
    const later = calls.slice(place + 1)
    return !later.some(
      ({ kind, status, run: of }) => kind === call.kind && status < 400 && (of === call.run || kind === 'run'),
    )
  })
}

function gathered(calls: readonly TrainerCall[]): RefusedCalls[] {
  const byWhat = new Map<string, RefusedCalls>()
  for (const { code, message, at, from, client, call, status } of calls) {
    const key = `${code ?? String(status)} ${message ?? ''}`
    const known = byWhat.get(key)
    byWhat.set(key, {
      code: code ?? String(status),
      message: message ?? 'The server met a fault of its own.',
      count: (known?.count ?? 0) + 1,
      lastAt: iso(at),
      ...{ from, client, call },
    })
  }
  return [...byWhat.values()].sort((a, b) => b.lastAt.localeCompare(a.lastAt)).slice(0, REASONS)
}
