/**
 * Alarms: what needs a person, worked out after each batch and kept as episodes with their first batch.
 * Owns: episodes, and who keeps one quiet; the rules that ring are in `alarms/`. Invariant: an episode opens once and closes when
 * its reason is gone; what is quiet is still worked out and listed, and the next episode is told again.
 */

import type { Principal } from '@/lib/contract/access'
import { type Alarm, alarmQuiet } from '@/lib/contract/overview'
import { type AlarmRow, listAlarms as openAlarms, upsertAlarms } from '@/lib/store/alarm'
import { appendAudit } from '@/lib/store/audit'
import type { Ring } from './alarms/ring'
import { inRuleOrder, ringAlarms } from './alarms/ring-alarms'
import { factsOf } from './alarms/run-facts'
import { tellAlarms } from './alarms/webhook'
import type { Catalog } from './catalog'
import { releasedAmong } from './end-leases'
import { faultOf, log } from './logger'
import { requireRun, withRun } from './open-run'
import { recentlyAsked } from './overview'
import { parseStoredConfig } from './run-config'
import { historyOf } from './run-history'
import type { Runtime } from './runtime'
import { invalid, notFound } from './service-error'

/** Never throws: a batch that was issued stays issued. */
export async function evaluateAlarms(runtime: Runtime, runId: string): Promise<void> {
  try {
    await runtime.queue.run(`alarms of ${runId}`, () => evaluate(runtime, runId))
  } catch (cause) {
    log('error', 'alarms_failed', { run: runId, ...faultOf(cause) })
  }
}

async function evaluate(runtime: Runtime, runId: string): Promise<void> {
  const { run, catalog, history, view } = await withRun(runtime, runId, async (opened) => ({
    ...opened,
    history: await historyOf(runtime, opened.run),
    view: await runtime.engine.view(runId),
  }))
  const released = await releasedAmong(runtime, runId, recentlyAsked(history))
  const { target } = parseStoredConfig(run.config)
  const rings = ringAlarms(factsOf({ catalog, history, view, released, target }))
  const known = await openAlarms(runtime.database.db, runId)
  const rows = rings.map(({ ago, ...ring }): AlarmRow => {
    const before = known.find((row) => row.key === ring.key)
    return {
      ...ring,
      since: before?.since ?? history.batches.at(-1 - ago)?.index ?? 1,
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
  const started = rows.filter((row) => !known.some((before) => before.key === row.key))
  const toldOf = (row: AlarmRow) => toldAlarm(catalog, row)
  await tellAlarms(runtime, run, { started: started.map(toldOf), ended: ended.map(toldOf) }, Date.now())
}

const toldAlarm = (catalog: Catalog, row: AlarmRow) => ({
  id: row.key,
  kind: row.kind as Alarm['kind'],
  severity: row.severity as Alarm['severity'],
  environment: environmentIn(catalog, row),
  title: row.title,
  sentence: row.sentence,
  since: row.since,
})

function environmentIn(catalog: Catalog, row: AlarmRow): Alarm['environment'] {
  const environment = row.environment === null ? undefined : catalog.environments[row.environment]
  return environment === undefined ? null : { id: environment.id, code: environment.code, name: environment.name }
}

/** What rings by the last evaluation, in the order of the rules: the same words wherever an alarm is told. */
export async function heldRings(runtime: Runtime, runId: string): Promise<Ring[]> {
  const rows = await openAlarms(runtime.database.db, runId)
  return inRuleOrder(
    rows.map(
      (row): Ring => ({
        ...row,
        kind: row.kind as Ring['kind'],
        severity: row.severity as Ring['severity'],
        ago: 0,
      }),
    ),
  )
}

export async function listAlarms(runtime: Runtime, runId: string): Promise<Alarm[]> {
  const { catalog, run } = await requireRun(runtime, runId)
  const order = { bad: 0, warn: 1, info: 2 }
  const rows = await openAlarms(runtime.database.db, runId)
  return rows
    .map((row): Alarm => ({ ...toldAlarm(catalog, row), ...quietOf(row, run.batchCount) }))
    .sort((a, b) => order[a.severity] - order[b.severity] || a.since - b.since || a.id.localeCompare(b.id))
}

/** Nobody keeps it quiet any more once the batch is reached. */
function quietOf(row: AlarmRow, batch: number): Pick<Alarm, 'acknowledgedBy' | 'quietUntil'> {
  const over = row.snoozedUntil !== null && batch >= row.snoozedUntil
  return over || row.acknowledgedBy === null
    ? { acknowledgedBy: null, quietUntil: null }
    : { acknowledgedBy: row.acknowledgedBy, quietUntil: row.snoozedUntil }
}

/** Keeps one alarm quiet for everybody, or tells it again (0 batches). Throws not_found for one that does not hold, invalid for another body than AlarmQuiet. */
export async function quietAlarm(
  runtime: Runtime,
  runId: string,
  key: string,
  input: unknown,
  who: Principal,
  now: number,
): Promise<Alarm[]> {
  const parsed = alarmQuiet.safeParse(input)
  if (!parsed.success) throw invalid('alarm', parsed.error.issues)
  const { batches } = parsed.data
  const { run } = await requireRun(runtime, runId)
  await runtime.queue.run(`alarms of ${runId}`, async () => {
    const row = (await openAlarms(runtime.database.db, runId)).find((one) => one.key === key)
    if (row === undefined) throw notFound('alarm', key)
    const told = batches === 0
    const changed = {
      ...row,
      acknowledgedBy: told ? null : who.name,
      snoozedUntil: told || batches === null ? null : run.batchCount + batches,
    }
    await runtime.database.transaction(async (tx) => {
      await upsertAlarms(tx, runId, [changed])
      const detail = JSON.stringify({ alarm: key, batches })
      await appendAudit(tx, { runId, at: now, actor: who.name, action: told ? 'alarm.tell' : 'alarm.quiet', detail })
    })
  })
  return listAlarms(runtime, runId)
}
