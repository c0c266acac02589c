/**
 * The metrics of GET /metrics: this process's, and those of each run that goes on.
 * Owns: which they are. Invariant: bounded whatever runs there are: the newest 50 that are live or paused (the rest is counted),
 * and of each the environments with a quota, 50 at most. A value that is not known yet is no sample, never 0.
 */
import { Counter, Gauge, Registry } from 'prom-client'
import { listAlarms } from '@/lib/store/alarm'
import { leaseCounts } from '@/lib/store/lease'
import { listRuns, type RunRow } from '@/lib/store/run'
import { parseStoredConfig } from './run-config'
import { historyOf, type RunHistory, recentGroups } from './run-history'
import { RECENT } from './run-summary'
import { catalogOf, type Runtime } from './runtime'
import { addCounts, informativeShare } from './tally'

const MOST_RUNS = 50
const MOST_ENVIRONMENTS = 50
const RUN = ['run', 'name']

/** Text in Prometheus' exposition format, version 0.0.4. */
export async function metricsText(runtime: Runtime): Promise<string> {
  const { db } = runtime.database
  const page = await listRuns(db, { limit: MOST_RUNS }, { statuses: ['live', 'paused'] })
  const ids = page.items.map(({ id }) => id)
  const leases = { open: await leaseCounts(db, ids, 'open'), expired: await leaseCounts(db, ids, 'expired') }
  const meters = openMeters()
  meters.leftOut.set(page.total - page.items.length)
  meters.waiting.set({ queue: 'runs' }, runtime.queue.waiting())
  meters.waiting.set({ queue: 'engine' }, runtime.engine.waiting())
  meters.waiting.set({ queue: 'builder' }, runtime.builder.waiting())
  for (const run of page.items) {
    const of = { run: run.id, name: run.name }
    meters.open.set(of, leases.open.get(run.id) ?? 0)
    meters.expired.inc(of, leases.expired.get(run.id) ?? 0)
    await addRun(runtime, run, meters)
  }
  return `${await runtime.meters.registry.metrics()}\n${await meters.registry.metrics()}`
}

type Meters = ReturnType<typeof openMeters>

function openMeters() {
  const registry = new Registry()
  const gauge = (name: string, help: string, labelNames: string[] = RUN) =>
    new Gauge({ name: `envsched_${name}`, help, labelNames, registers: [registry] })
  const counter = (name: string, help: string, labelNames: string[] = RUN) =>
    new Counter({ name: `envsched_${name}_total`, help, labelNames, registers: [registry] })
  return {
    registry,
    leftOut: gauge('runs_left_out', `Runs that go on beyond the newest ${MOST_RUNS}, which are told here`, []),
    waiting: gauge('waiting_calls', 'Calls that wait, or are worked on, in this process', ['queue']),
    paused: gauge('run_paused', '1 while a person has paused the run'),
    policy: gauge('policy_version', 'Newest policy version that a trainer told'),
    lastReport: gauge('last_report_timestamp_seconds', 'When the last report came'),
    batches: counter('batches', 'Batches that were chosen'),
    picks: counter('picks', 'Picks that were leased'),
    groups: counter('groups', 'Groups of rollouts, those that are still out too'),
    rollouts: counter('rollouts', 'Rollouts by status', [...RUN, 'status']),
    untrusted: counter('untrusted_rollouts', 'Rollouts out of the statistics, whatever their status'),
    share: gauge('informative_share', `Share of groups whose rewards differ, last ${RECENT} batches, by slots`, [
      ...RUN,
      'slots',
    ]),
    open: gauge('leases_open', 'Picks that are out'),
    expired: counter('leases_expired', 'Picks that never came back'),
    alarms: gauge('alarms', 'Alarms that hold now, by severity', [...RUN, 'severity']),
    quota: gauge(
      'quota_use',
      'Share of the picks of the window before the newest batch, of environments with a quota',
      [...RUN, 'environment'],
    ),
  }
}

async function addRun(runtime: Runtime, run: RunRow, meters: Meters): Promise<void> {
  const of = { run: run.id, name: run.name }
  meters.paused.set(of, run.status === 'paused' ? 1 : 0)
  if (run.policyVersion !== null) meters.policy.set(of, run.policyVersion)
  if (run.lastReportAt !== null) meters.lastReport.set(of, run.lastReportAt / 1000)
  meters.batches.inc(of, run.batchCount)
  meters.picks.inc(of, run.leaseCount)
  meters.groups.inc(of, run.groupCount)
  const history = await historyOf(runtime, run)
  const statuses: Record<string, number> = {}
  let untrusted = 0
  for (const group of history.groups.values()) {
    addCounts(statuses, group.statuses)
    untrusted += group.untrusted
  }
  for (const [status, count] of Object.entries(statuses)) meters.rollouts.inc({ ...of, status }, count)
  meters.untrusted.inc(of, untrusted)
  addShares(history, of, meters)
  const severities = { bad: 0, warn: 0, info: 0 }
  addCounts(severities, countOf((await listAlarms(runtime.database.db, run.id)).map(({ severity }) => severity)))
  for (const [severity, count] of Object.entries(severities)) meters.alarms.set({ ...of, severity }, count)
  await addQuotas(runtime, run, history, meters)
}

function addShares(history: RunHistory, of: { run: string; name: string }, meters: Meters): void {
  const groups = recentGroups(history, RECENT)
  const uniform = groups.filter((group) => group.slot === 'uniform')
  const chosen = groups.filter((group) => group.slot !== 'uniform')
  for (const [slots, part] of [
    ['chosen', chosen],
    ['uniform', uniform],
  ] as const) {
    const share = informativeShare(part)
    if (share !== null) meters.share.set({ ...of, slots }, share)
  }
}

async function addQuotas(runtime: Runtime, run: RunRow, history: RunHistory, meters: Meters): Promise<void> {
  const limited = new Set(Object.keys(parseStoredConfig(run.config).quotas))
  const newest = history.batches.at(-1)
  if (newest === undefined) return
  const { environments } = await catalogOf(runtime, run.taskSetId)
  let told = 0
  for (const { environment, used, window, lower, upper } of newest.record.quotas) {
    const key = environments[environment]?.key
    if (key === undefined || told === MOST_ENVIRONMENTS || window === 0) continue
    if (lower === 0 && upper === 1 && !limited.has(key)) continue
    told += 1
    meters.quota.set({ run: run.id, name: run.name, environment: key }, used / window)
  }
}

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
