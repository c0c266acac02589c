/**
 * Runs: the list, one run, and what may be changed of it (pause, resume, finish, rename).
 */
import type { Principal } from '@/lib/contract/access'
import type { Changes } from '@/lib/contract/change'
import type { List, ListQuery } from '@/lib/contract/page'
import { type RunDetail, type RunSummary, runPatch } from '@/lib/contract/run'
import { announceRun } from '@/lib/store/announce'
import { appendAudit } from '@/lib/store/audit'
import { newestLiveBatch } from '@/lib/store/batch'
import { countOpenLeases, leaseCounts } from '@/lib/store/lease'
import { recentEntries } from '@/lib/store/log'
import { listRuns, updateRun } from '@/lib/store/run'
import { absorbCompleted } from './absorb'
import { type OpenRun, requireRun } from './open-run'
import { restorePoints } from './restore/restore-points'
import { parseStoredConfig } from './run-config'
import { historyOf } from './run-history'
import { statusOf, summarise } from './run-summary'
import { catalogOf, type Runtime } from './runtime'
import { invalid, ServiceError } from './service-error'
import { taskSetSummary } from './task-sets'

const ENTRIES = 200

async function summaryOf(runtime: Runtime, { run, catalog }: OpenRun, now: number): Promise<RunSummary> {
  const history = await historyOf(runtime, run)
  return summarise(run, catalog, history, await countOpenLeases(runtime.database.db, run.id), now)
}

/** Newest first. */
export async function readRuns(runtime: Runtime, query: ListQuery, now: number): Promise<List<RunSummary>> {
  const page = await listRuns(runtime.database.db, {
    limit: query.limit,
    cursor: query.cursor === undefined ? undefined : Number(query.cursor),
  })
  const leases = await leaseCounts(
    runtime.database.db,
    page.items.map(({ id }) => id),
    'open',
  )
  const items: RunSummary[] = []
  for (const run of page.items) {
    const catalog = await catalogOf(runtime, run.taskSetId)
    items.push(summarise(run, catalog, await historyOf(runtime, run), leases.get(run.id) ?? 0, now))
  }
  return { items, next: page.next === null ? null : String(page.next), total: page.total }
}

export async function readRun(runtime: Runtime, id: string, now: number): Promise<RunSummary> {
  return summaryOf(runtime, await requireRun(runtime, id), now)
}

export async function readRunDetail(runtime: Runtime, id: string, now: number): Promise<RunDetail> {
  const opened = await requireRun(runtime, id)
  const summary = await summaryOf(runtime, opened, now)
  return {
    ...summary,
    config: parseStoredConfig(opened.run.config),
    taskSetSummary: await taskSetSummary(runtime, opened.catalog),
    restores: await restorePoints(runtime, opened),
  }
}

const STEERING: readonly string[] = ['paused', 'live']

/** A trainer may finish or fail its run with `report`; pausing, resuming and renaming need `operate`. */
export async function changeRun(
  runtime: Runtime,
  id: string,
  body: unknown,
  who: Principal,
  now: number,
): Promise<RunSummary> {
  const parsed = runPatch.safeParse(body)
  if (!parsed.success) throw invalid('change', parsed.error.issues)
  const { status, name, note, plannedSteps } = parsed.data
  const steers = (status !== undefined && STEERING.includes(status)) || name !== undefined
  if (steers && who.scope !== 'operate')
    throw new ServiceError(403, 'scope', 'Pausing, resuming and renaming a run need the scope "operate".')
  await runtime.queue.run(id, async () => {
    const { run } = await requireRun(runtime, id)
    const over = run.status === 'finished' || run.status === 'failed'
    if (over && status === 'paused')
      throw new ServiceError(409, 'run_over', `The run "${run.name}" is ${run.status}: there is nothing to pause.`)
    // the last batch would stay open for ever: nothing asks for another one
    if (status === 'finished' || status === 'failed') await absorbCompleted(runtime, id, now, { isLast: true })
    const words = note === undefined || note === '' ? null : note
    const statusNote = status === 'paused' ? `by ${who.name}${words === null ? '' : `: ${words}`}` : words
    await runtime.database.transaction(async (tx) => {
      await updateRun(tx, id, {
        ...(status === undefined ? {} : { status, statusNote: status === 'live' ? null : statusNote }),
        ...(status === 'finished' || status === 'failed' ? { finishedAt: now } : {}),
        ...(name === undefined ? {} : { name }),
        ...(plannedSteps === undefined ? {} : { plannedSteps }),
      })
      await appendAudit(tx, {
        runId: id,
        at: now,
        actor: who.name,
        action: 'run.change',
        detail: JSON.stringify(parsed.data),
      })
      await announceRun(tx, id)
    })
  })
  return readRun(runtime, id, now)
}

/** What moved since a cursor; without one, where the run stands. */
export async function readChanges(runtime: Runtime, id: string, since: number | null, now: number): Promise<Changes> {
  const { run } = await requireRun(runtime, id)
  const rows = since === null ? [] : await recentEntries(runtime.database.db, id, since, ENTRIES)
  return {
    cursor: run.logSeq,
    batch: run.epoch === 1 ? run.batchCount : await newestLiveBatch(runtime.database.db, id),
    policyVersion: run.policyVersion,
    status: statusOf(run, now).status,
    lastReportAt: run.lastReportAt === null ? null : new Date(run.lastReportAt).toISOString(),
    rollouts: run.rolloutCount,
    entries: rows.map((row) => ({ seq: row.seq, kind: row.kind, at: new Date(row.at).toISOString(), batch: null })),
  }
}
