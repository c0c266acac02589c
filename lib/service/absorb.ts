/**
 * Brings what came back into the engine's state: the entries that are due, in order, and what is written beside them.
 * Owns: which entries are due when a batch is asked for or a shadow report completes a group (decided.md 1, 4, 7).
 * Invariant: groups enter in the order in which they were completed; each is predicted before it is absorbed.
 */
import type { Foretold } from '@/lib/engine/foretell'
import type { GroupEntry, LogEntry } from '@/lib/engine/log-entry'
import { announceRun } from '@/lib/store/announce'
import type { Tx } from '@/lib/store/database'
import {
  completeGroups,
  type GroupRow,
  groupsByLease,
  newestReported,
  staleGroups,
  upsertGroups,
} from '@/lib/store/group'
import { dueLeases, setLeaseState } from '@/lib/store/lease'
import { appendEntries } from '@/lib/store/log'
import { valuesOfGroups } from '@/lib/store/rollout'
import { type RunRow, updateRun } from '@/lib/store/run'
import { lockRun } from '@/lib/store/run-lock'
import { environmentOf } from './catalog'
import { complete } from './group-book'
import { groupEntry, realised, widened } from './group-entry'
import { keepSnapshot, type OpenRun, openRun } from './open-run'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'
import { toldOf } from './told'
import { varianceNoise } from './variance-noise'

/** Another process on the same database can move the log between reading and writing: then it is done again. */
const TRIES = 5

export interface Due {
  entries: LogEntry[]
  groups: GroupRow[]
  /** position in `entries` of each group of `groups`; null = nothing trusted to absorb */
  placeOf: (number | null)[]
  expired: number[]
  /** it closes groups that are not full: a report that comes in between would still count in them */
  closes: boolean
}

interface Collecting {
  /** nothing more is waited for */
  isLast?: boolean
  /** open groups that are complete with this, too */
  closing?: readonly GroupRow[]
  /** leases that do not end now, whatever their time says */
  kept?: ReadonlySet<number>
}

export async function collectDue(
  runtime: Runtime,
  { run, catalog }: OpenRun,
  now: number,
  policyVersion: number | null,
  { isLast, closing: also = [], kept = new Set() }: Collecting = {},
): Promise<Due> {
  const { db } = runtime.database
  const due: Due = { entries: [], groups: [], placeOf: [], expired: [], closes: false }
  const newest = Math.max(policyVersion ?? -1, run.policyVersion ?? -1)
  if (policyVersion !== null && policyVersion > (run.policyVersion ?? -1))
    due.entries.push({ kind: 'policy', at: now, policyVersion })
  const expired = (await dueLeases(db, run.id, now)).filter((lease) => !kept.has(lease.number))
  due.expired = expired.map((lease) => lease.number)
  const late = (await groupsByLease(db, run.id, due.expired)).filter((group) => group.state === 'open')
  const ended = [...also, ...late]
  const stale = await staleGroups(db, run.id, isLast === true ? newest : newest - 2)
  const closing = [...ended, ...stale.filter((group) => !ended.some(({ number }) => number === group.number))]
  for (const group of closing) complete(group, run.rolloutCount, now)
  due.closes = closing.length > 0
  due.groups = [...(await completeGroups(db, run.id)), ...closing]
  await addGroups(runtime, { run, catalog }, due, now)
  // behind what came back of them: the end of a lease says that nothing more will
  for (const lease of expired) due.entries.push({ kind: 'lease_end', at: now, lease: lease.number, reason: 'expired' })
  return due
}

/** An entry for each group that something came back of; before it, one that widens an undeclared range where it must. */
export async function addGroups(runtime: Runtime, { run, catalog }: OpenRun, due: Due, now: number): Promise<void> {
  const values = await valuesOfGroups(
    runtime.database.db,
    run.id,
    due.groups.map((group) => group.number),
  )
  const inForce = due.groups.length === 0 ? [] : (await runtime.engine.view(run.id)).ranges
  const ranges = new Map<number, readonly [number, number]>()
  for (const group of due.groups) {
    const environment = environmentOf(catalog, group.task)
    const found = values.get(group.number) ?? []
    const range = ranges.get(environment) ?? inForce[environment] ?? [0, 1]
    const wider = catalog.set.environments[environment]?.rewardRange === null ? widened(range, found) : null
    if (wider !== null) due.entries.push({ kind: 'range', at: now, environment, low: wider[0], high: wider[1] })
    ranges.set(environment, wider ?? range)
    const entry: GroupEntry | null = group.returned > 0 ? groupEntry(group, found, wider ?? range, now) : null
    due.placeOf.push(entry === null ? null : due.entries.length)
    if (entry !== null) due.entries.push(entry)
    Object.assign(group, realised(group, found, wider ?? range))
    group.varianceNoise = varianceNoise(found, wider ?? range)
  }
}

/** Writes what became of the groups and leases. `seq` is the log number before the first entry. */
export async function settleDue(
  tx: Tx,
  run: string,
  due: Due,
  seq: number,
  predictions: readonly (Foretold | null)[],
): Promise<void> {
  for (const [index, group] of due.groups.entries()) {
    const place = due.placeOf[index] ?? null
    const prediction = place === null ? null : (predictions[place] ?? null)
    group.state = 'absorbed'
    group.logSeq = place === null ? seq + due.entries.length : seq + place + 1
    group.predictedVariance = prediction?.predictedVariance ?? null
    group.ability = prediction?.ability ?? null
    group.deviation = prediction?.deviation ?? null
    group.spread = prediction?.spread ?? null
    group.informativeProbability = prediction?.informative ?? null
    if (prediction !== null) Object.assign(group, toldOf(prediction, group))
  }
  await upsertGroups(tx, run, due.groups)
  await setLeaseState(tx, run, due.expired, 'expired')
}

/** What is written in one transaction, under the run's lock. */
export interface Committing<T> {
  tx: Tx
  /** log number before the first entry */
  seq: number
  predictions: readonly (Foretold | null)[]
  value: T
  /** the run as it is now: another process's report may have moved its counters */
  run: RunRow
}

/**
 * Applies entries to the engine and writes them with what belongs to them, in one short transaction that checks the log
 * number. `write` returns entries to add behind them (a batch that was chosen on the new state). Returns the new number.
 */
export async function commitEntries<T>(
  runtime: Runtime,
  opened: OpenRun,
  { entries, closes }: Pick<Due, 'entries' | 'closes'>,
  after: (predictions: (Foretold | null)[]) => Promise<{ entries: LogEntry[]; value: T }>,
  write: (committing: Committing<T>) => Promise<void>,
  snapshotEvery = runtime.settings.snapshotEvery,
): Promise<T | 'moved'> {
  const { run } = opened
  const seq = run.logSeq
  try {
    const applied = await runtime.engine.apply(run.id, seq, entries)
    const made = await after(applied.predictions)
    const all = [...entries, ...made.entries]
    const written = await runtime.database.transaction(async (tx) => {
      const fresh = await lockRun(tx, run.id)
      if (fresh === null || (closes && fresh.rolloutCount !== run.rolloutCount)) return false
      if (all.length > 0 && (await appendEntries(tx, run.id, seq, run.epoch, all)) === null) return false
      await write({ tx, seq, predictions: applied.predictions, value: made.value, run: fresh })
      await announceRun(tx, run.id)
      return true
    })
    if (!written) {
      await runtime.engine.close(run.id)
      return 'moved'
    }
    if (made.entries.length > 0) await runtime.engine.apply(run.id, seq + entries.length, made.entries)
    await keepSnapshot(runtime, run.id, seq, seq + all.length, snapshotEvery)
    return made.value
  } catch (cause) {
    await runtime.engine.close(run.id)
    throw cause
  }
}

/** Runs `attempt` on the current state until the log did not move meanwhile. */
export async function untilWritten<T>(
  runtime: Runtime,
  id: string,
  attempt: (opened: OpenRun) => Promise<T | 'moved'>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const result = await attempt(await openRun(runtime, id))
    if (result !== 'moved') return result
  }
  throw new ServiceError(503, 'busy', 'Other servers keep changing this run. Ask again in a second.')
}

/**
 * Absorbs what is complete, without choosing anything (shadow mode, the end of a run). Call inside the run's queue.
 * `isLast`: nothing more is waited for, so what is open without a lease is complete, too.
 */
export async function absorbCompleted(
  runtime: Runtime,
  id: string,
  now: number,
  { isLast = false, snapshotEvery = runtime.settings.snapshotEvery } = {},
): Promise<number> {
  return untilWritten(runtime, id, async (opened) => {
    const known = opened.run.policyVersion
    // here nobody asks for batches: what was reported says how far the policy is
    const reported = await newestReported(runtime.database.db, id)
    const version = known === null || reported === null ? (known ?? reported) : Math.max(known, reported)
    const due = await collectDue(runtime, opened, now, version, { isLast })
    if (due.groups.length === 0 && due.expired.length === 0) return 0
    return commitEntries(
      runtime,
      opened,
      due,
      async () => ({ entries: [], value: due.groups.length }),
      async ({ tx, seq, predictions }) => {
        await settleDue(tx, id, due, seq, predictions)
        if (version !== null && version !== known) await updateRun(tx, id, { policyVersion: version })
      },
      snapshotEvery,
    )
  })
}
