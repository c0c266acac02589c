/**
 * Alarms: what needs a person, worked out after each batch and kept as episodes with their first batch.
 * Owns: which states ring and how loud. Invariant: an episode opens once and closes when its reason is gone.
 */

import type { EnvironmentRow } from '@/lib/contract/environment'
import type { Alarm } from '@/lib/contract/overview'
import { type AlarmRow, listAlarms as openAlarms, upsertAlarms } from '@/lib/store/alarm'
import { releasedAmong } from './end-leases'
import { environmentRows } from './environment-rows'
import { faultOf, log } from './logger'
import { requireRun, withRun } from './open-run'
import { recentlyAsked, yieldOf } from './overview'
import { groupSizeOf, groupsByBatch, historyOf, type RunHistory } from './run-history'
import { RECENT } from './run-summary'
import type { Runtime } from './runtime'

interface Ring {
  key: string
  kind: Alarm['kind']
  severity: Alarm['severity']
  environment: number | null
  title: string
  sentence: string
  /** batches ago that it began, where the rule knows */
  ago: number
}

const RINGING: Partial<
  Record<EnvironmentRow['state'], { kind: Alarm['kind']; severity: Alarm['severity']; title: string }>
> = {
  starved: { kind: 'starved', severity: 'bad', title: 'starves' },
  contract: { kind: 'contract', severity: 'bad', title: 'pays nothing' },
  drifts: { kind: 'drift', severity: 'warn', title: 'predictions drift' },
  forgetting: { kind: 'forgetting', severity: 'bad', title: 'forgets' },
}

/** batches without a pick, after which a run is stuck */
const STUCK_BATCHES = 3
const FAILING = 0.3

/** Never throws: a batch that was issued stays issued. */
export async function evaluateAlarms(runtime: Runtime, runId: string): Promise<void> {
  try {
    await runtime.queue.run(`alarms of ${runId}`, () => evaluate(runtime, runId))
  } catch (cause) {
    log('error', 'alarms_failed', { run: runId, ...faultOf(cause) })
  }
}

async function evaluate(runtime: Runtime, runId: string): Promise<void> {
  const { run, catalog, history, view, now } = await withRun(runtime, runId, async (opened) => {
    const known = await historyOf(runtime, opened.run)
    const predicted = await runtime.engine.predictions(runId, groupSizeOf(known))
    return { ...opened, history: known, view: await runtime.engine.view(runId), now: predicted }
  })
  const ofEnvironments = environmentRows(catalog, history, view, now).flatMap((row, ordinal) => ringsOf(row, ordinal))
  const leased = view.environments.reduce((sum, one) => sum + one.leased, 0)
  const rings = [
    ...ofEnvironments,
    ...leaseRings(history, leased, await releasedAmong(runtime, runId, recentlyAsked(history))),
  ]
  const known = await openAlarms(runtime.database.db, runId)
  const rows = rings.map(({ ago, ...ring }): AlarmRow => {
    const before = known.find((row) => row.key === ring.key)
    return {
      ...ring,
      since: before?.since ?? Math.max(1, run.batchCount - ago),
      acknowledgedBy: before?.acknowledgedBy ?? null,
      snoozedUntil: before?.snoozedUntil ?? null,
      endedAt: null,
    }
  })
  const ended = known
    .filter((row) => !rings.some((ring) => ring.key === row.key))
    .map((row) => ({ ...row, endedAt: run.batchCount }))
  if (rows.length + ended.length > 0)
    await runtime.database.transaction((tx) => upsertAlarms(tx, runId, [...rows, ...ended]))
}

/** Leases that run out, and a run in which every task is out. */
function leaseRings(history: RunHistory, leased: number, released: ReadonlySet<number>): Ring[] {
  const rings: Ring[] = []
  const funnel = yieldOf(history, released)
  const lost = funnel.asked - funnel.returned
  if (funnel.batches >= RECENT && funnel.expired > funnel.asked * FAILING) {
    rings.push({
      key: 'leases',
      kind: 'leases',
      severity: 'warn',
      environment: null,
      title: 'Leases run out.',
      sentence: `${funnel.expired} of ${funnel.asked} picks of the last ${RECENT} batches expired; ${lost} are not back.`,
      ago: 0,
    })
  }
  const byBatch = groupsByBatch(history)
  const newest = history.batches.slice(-STUCK_BATCHES)
  if (
    newest.length === STUCK_BATCHES &&
    leased > 0 &&
    newest.every((batch) => (byBatch.get(batch.index) ?? []).length === 0)
  ) {
    rings.push({
      key: 'stuck',
      kind: 'leases',
      severity: 'bad',
      environment: null,
      title: 'No task is free.',
      sentence: `All ${leased} leases are out: report their rollouts, each under an id of its own, or release them.`,
      ago: STUCK_BATCHES - 1,
    })
  }
  return rings
}

function ringsOf(row: EnvironmentRow, ordinal: number): Ring[] {
  const rings: Ring[] = []
  const ringing = RINGING[row.state]
  if (ringing !== undefined && row.sentence !== null) {
    const { kind, severity, title } = ringing
    const ago = row.state === 'starved' ? (row.batchesSincePick ?? 0) : 0
    rings.push({
      key: `${kind}:${ordinal}`,
      kind,
      severity,
      environment: ordinal,
      title: `${row.name} ${title}.`,
      sentence: row.sentence,
      ago,
    })
  }
  if (row.failureShare !== null && row.failureShare > FAILING && row.state !== 'starved' && row.state !== 'contract') {
    const worst = Object.entries(row.statuses)
      .filter(([status]) => status !== 'ok' && status !== 'truncated')
      .sort((a, b) => b[1] - a[1])[0]
    const sentence = `${Math.round(row.failureShare * 100)} % of its rollouts of the last ${RECENT} batches failed${worst === undefined ? '' : `, most with ${worst[0]}`}.`
    rings.push({
      key: `failures:${ordinal}`,
      kind: 'failures',
      severity: 'warn',
      environment: ordinal,
      title: `${row.name} fails.`,
      sentence,
      ago: 0,
    })
  }
  return rings
}

export async function listAlarms(runtime: Runtime, runId: string): Promise<Alarm[]> {
  const { catalog } = await requireRun(runtime, runId)
  const order = { bad: 0, warn: 1, info: 2 }
  const rows = await openAlarms(runtime.database.db, runId)
  return rows
    .map((row): Alarm => {
      const environment = row.environment === null ? undefined : catalog.environments[row.environment]
      return {
        id: row.key,
        kind: row.kind as Alarm['kind'],
        severity: row.severity as Alarm['severity'],
        environment:
          environment === undefined ? null : { id: environment.id, code: environment.code, name: environment.name },
        title: row.title,
        sentence: row.sentence,
        since: row.since,
        acknowledgedBy: row.acknowledgedBy,
      }
    })
    .sort((a, b) => order[a.severity] - order[b.severity] || a.since - b.since || a.id.localeCompare(b.id))
}
