/**
 * What a run needs in order to begin with the history of another one, whose task set may differ. Writes nothing.
 * Owns: what is pending at the state's place: leases whose rollouts had come are carried as groups, the others are given back,
 * since their batches are not this run's. Invariant: the other run is only read, along the line of the state; what the run had
 * before is superseded.
 */
import type { RestoreAnswer, RestoreInput } from '@/lib/contract/state'
import type { GroupEntry, LogEntry, OverrideChange } from '@/lib/engine/log-entry'
import { type Catalog, environmentOf } from '@/lib/service/catalog'
import { emptyGroup } from '@/lib/service/group-book'
import { groupEntry, widened } from '@/lib/service/group-entry'
import type { OpenRun } from '@/lib/service/open-run'
import { engineConfig, parseStoredConfig } from '@/lib/service/run-config'
import type { Runtime } from '@/lib/service/runtime'
import { newestLiveBatch } from '@/lib/store/batch'
import type { GroupRow } from '@/lib/store/group'
import { leasesByNumber } from '@/lib/store/lease'
import { entrySpans, type Fork, forksOf, isIn, rolloutSpans } from '@/lib/store/line'
import { readEntries } from '@/lib/store/log'
import { listOverrides, type OverrideRow } from '@/lib/store/override'
import { type RolloutRow, rolloutsOfLeases, rolloutsWithoutLease } from '@/lib/store/rollout'
import { tasksByOrdinal } from '@/lib/store/task'
import { type Carrying, carriedEntry, openAfter } from './carry-entries'
import { contentOf, matchTasks, type NamedTask, type TaskMatch } from './match-tasks'
import { type RestorePlan, regrouped } from './plan-go-back'
import { rebuilt } from './restore-groups'

/** Entries folded in one call to the engine. */
const SLICE = 500
/** Without a lease a group waits for the second next policy version. */
const WAITING_VERSIONS = 2
const NOTE = 500

export async function planCarryOver(
  runtime: Runtime,
  opened: OpenRun,
  source: OpenRun,
  state: RestoreInput,
  now: number,
): Promise<RestorePlan> {
  const { run, catalog } = opened
  const { db } = runtime.database
  const match = await matchCatalogs(runtime, source.catalog, catalog)
  const carrying = carryingOf(source.catalog, opened, match)
  const theirs = await historyOfState(runtime, source, state)
  const all = [...theirs.entries, ...nextPolicy(state, theirs.pending, now), ...theirs.pending]
  const carried = all.flatMap((entry) => carriedEntry(entry, carrying) ?? [])
  for (const lease of openAfter(carried)) carried.push({ kind: 'lease_end', at: now, lease, reason: 'released' })
  const folded = await foldCarried(runtime, opened, carried)
  const rows = await listOverrides<OverrideChange>(db, source.run.id, { superseded: true })
  return {
    ...folded,
    policyVersion: state.policyVersion,
    to: { seq: 0, rollouts: 0, batch: 0 },
    fromBatch: await newestLiveBatch(db, run.id),
    source: { run: source.run.id, name: source.run.name, seq: state.seq, batch: state.batch },
    carried,
    overrides: overrideRows(opened, source, carried, rows, folded.inForce),
    ...(await regrouped(runtime, opened, { seq: 0, rollouts: 0 })),
    leases: source.run.leaseCount,
    overrideNumbers: source.run.overrideCount,
    difference: match.difference,
  }
}

/** What was reported is absorbed when the next batch is asked for, which is under the next policy: so it was to be, and so it is. */
function nextPolicy({ policyVersion }: RestoreInput, pending: readonly LogEntry[], at: number): LogEntry[] {
  if (pending.length === 0 || policyVersion === null) return []
  return [{ kind: 'policy', at, policyVersion: policyVersion + 1 }]
}

/** How the tasks of a run differ from those of the run that its history came from. */
export async function differenceFrom(
  runtime: Runtime,
  { catalog }: OpenRun,
  source: Catalog,
): Promise<RestoreAnswer['taskSet']> {
  return (await matchCatalogs(runtime, source, catalog)).difference
}

async function matchCatalogs(runtime: Runtime, before: Catalog, after: Catalog): Promise<TaskMatch> {
  const theirs = await namedTasks(runtime, before)
  return matchTasks(theirs, before.id === after.id ? theirs : await namedTasks(runtime, after))
}

async function namedTasks(runtime: Runtime, catalog: Catalog): Promise<NamedTask[]> {
  const named = new Array<NamedTask>(catalog.tasks.length)
  const all = catalog.tasks.map((_, ordinal) => ordinal)
  for (let start = 0; start < all.length; start += SLICE) {
    const rows = await tasksByOrdinal<unknown>(runtime.database.db, catalog.id, all.slice(start, start + SLICE))
    for (const row of rows) {
      const environment = catalog.environments[row.environment]?.key ?? ''
      named[row.ordinal] = { environment, key: row.key, content: contentOf(row) }
    }
  }
  return named
}

function carryingOf(before: Catalog, { run, catalog }: OpenRun, { to }: TaskMatch): Carrying {
  const places = new Map(catalog.environments.map(({ key }, ordinal) => [key, ordinal]))
  const environmentTo = (environment: number) => places.get(before.environments[environment]?.key ?? '') ?? null
  return {
    taskTo: (task) => to[task] ?? null,
    environmentTo,
    isDeclared: (environment) => {
      const place = environmentTo(environment)
      return place !== null && (catalog.set.environments[place]?.rewardRange ?? null) !== null
    },
    leases: run.leaseCount,
    overrides: run.overrideCount,
  }
}

async function historyOfState(
  runtime: Runtime,
  source: OpenRun,
  state: RestoreInput,
): Promise<{ entries: LogEntry[]; pending: LogEntry[] }> {
  const { db } = runtime.database
  const forks = await forksOf(db, source.run.id)
  const entries: LogEntry[] = []
  for (const [after, upTo] of entrySpans(forks, state.seq)) {
    const rows = await readEntries<LogEntry>(db, source.run.id, after, upTo, { superseded: true })
    for (const { payload } of rows) entries.push(payload)
  }
  return { entries, pending: await pendingAt(runtime, source, state, forks, entries) }
}

/** Groups of what had been reported by then and was not absorbed yet, in the order that they were completed. */
async function pendingAt(
  runtime: Runtime,
  { run, catalog }: OpenRun,
  state: RestoreInput,
  forks: readonly Fork[],
  entries: readonly LogEntry[],
): Promise<LogEntry[]> {
  const { db } = runtime.database
  const open = [...openAfter(entries)]
  const leases = new Map((await leasesByNumber(db, run.id, open)).map((lease) => [lease.number, lease]))
  const absorbed = new Set(
    entries.flatMap((entry) => (entry.kind === 'group' && entry.lease === null ? keyOf(entry) : [])),
  )
  const oldest = (state.policyVersion ?? 0) - WAITING_VERSIONS
  const alone = (await rolloutsWithoutLease(db, run.id, oldest)).filter((rollout) => !absorbed.has(keyOf(rollout)))
  const spans = rolloutSpans(forks, state.seq, state.rollouts)
  const there = [...(await rolloutsOfLeases(db, run.id, open)), ...alone].filter(({ seq }) => isIn(spans, seq))
  const byGroup = new Map<string, RolloutRow[]>()
  for (const rollout of there) {
    const key = rollout.lease === null ? keyOf(rollout) : `lease ${rollout.lease}`
    const rows = byGroup.get(key)
    if (rows === undefined) byGroup.set(key, [rollout])
    else rows.push(rollout)
  }
  const ranges = rangesAfter(catalog, entries)
  return [...byGroup.values()]
    .sort((a, b) => (a.at(-1)?.seq ?? 0) - (b.at(-1)?.seq ?? 0))
    .flatMap((rows) => groupEntries(catalog, rows, leases, ranges))
}

const keyOf = ({ task, policyVersion }: { task: number; policyVersion: number }) => `${task} at ${policyVersion}`

function groupEntries(
  catalog: Catalog,
  rows: readonly RolloutRow[],
  leases: Parameters<typeof rebuilt>[3],
  ranges: Map<number, readonly [number, number]>,
): LogEntry[] {
  const [first] = rows
  if (first === undefined) return []
  const { lease, task, policyVersion, at } = first
  const issued = lease === null ? undefined : leases.get(lease)
  const named = { lease, task, policyVersion, batch: issued?.batch ?? null, slot: issued?.slot ?? null }
  const group: GroupRow = rebuilt(emptyGroup({ ...named, number: 1 }), 1, rows, leases)
  const values = rows.flatMap(({ value }) => value ?? [])
  const environment = environmentOf(catalog, task)
  const range = ranges.get(environment) ?? [0, 1]
  const declared = (catalog.set.environments[environment]?.rewardRange ?? null) !== null
  const wider = declared ? null : widened(range, values)
  const entry: GroupEntry = groupEntry(group, values, wider ?? range, at)
  if (wider === null) return [entry]
  ranges.set(environment, wider)
  return [{ kind: 'range', at, environment, low: wider[0], high: wider[1] }, entry]
}

function rangesAfter(catalog: Catalog, entries: readonly LogEntry[]): Map<number, readonly [number, number]> {
  const ranges = new Map<number, readonly [number, number]>()
  for (const [environment, { rewardRange }] of catalog.set.environments.entries())
    ranges.set(environment, rewardRange ?? [0, 1])
  for (const entry of entries) if (entry.kind === 'range') ranges.set(entry.environment, [entry.low, entry.high])
  return ranges
}

interface Folded extends Pick<RestorePlan, 'bytes' | 'batches'> {
  /** batches left by number of the override, null = until lifted */
  inForce: Map<number, number | null>
}

function foldCarried(runtime: Runtime, { run, catalog }: OpenRun, carried: readonly LogEntry[]): Promise<Folded> {
  const name = `${run.id} restored`
  const host = runtime.builder
  return runtime.queue.run('past', async () => {
    const config = engineConfig(catalog, parseStoredConfig(run.config))
    await host.open({ run: name, set: catalog.set, config, seed: run.seed, snapshot: null })
    try {
      for (let start = 0; start < carried.length; start += SLICE)
        await host.apply(name, start, carried.slice(start, start + SLICE), true)
      const view = await host.view(name)
      return {
        bytes: await host.encode(name),
        batches: view.batch,
        inForce: new Map(view.overrides.map(({ override, batchesLeft }) => [override, batchesLeft])),
      }
    } finally {
      await host.close(name)
    }
  })
}

/** Rows of the overrides that hold at the end: people see them and can lift them here. */
function overrideRows(
  { run }: OpenRun,
  source: OpenRun,
  carried: readonly LogEntry[],
  rows: readonly OverrideRow<OverrideChange>[],
  inForce: Folded['inForce'],
): OverrideRow<OverrideChange>[] {
  return carried.flatMap((entry, position) => {
    if (entry.kind !== 'override' || !inForce.has(entry.override)) return []
    const row = rows.find(({ number }) => number === entry.override - run.overrideCount)
    if (row === undefined) return []
    const left = inForce.get(entry.override) ?? null
    const from = `Taken over from the run "${source.run.name}".`
    return {
      ...row,
      number: entry.override,
      // behind the restore's own entry
      seq: run.logSeq + 2 + position,
      fromBatch: run.batchCount + 1,
      change: entry.change,
      batches: left === null ? null : Math.max(1, Math.ceil(left)),
      note: (row.note === '' ? from : `${row.note} ${from}`).slice(0, NOTE),
      lifts: null,
      undoneBy: null,
      superseded: false,
    }
  })
}
