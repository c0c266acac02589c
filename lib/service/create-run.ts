/**
 * Starts a run on a task set. The same key and task set give the same run, so a restarted trainer goes on, also with one that
 * was over: it is live again, and says who opened it. An import never opens one again: its history is told.
 */
import type { Principal } from '@/lib/contract/access'
import { runInput } from '@/lib/contract/run'
import { announceRun } from '@/lib/store/announce'
import { appendAudit } from '@/lib/store/audit'
import type { Tx } from '@/lib/store/database'
import { IMPORTED, type RunRow, createRun as storeRun, updateRun } from '@/lib/store/run'
import { findTaskSet } from '@/lib/store/task-set'
import { randomId } from './ids'
import { faultOf, log } from './logger'
import { withRun } from './open-run'
import { engineConfig } from './run-config'
import { catalogOf, type Runtime } from './runtime'
import { invalid, notFound } from './service-error'

/** `by` an import: of a history, told by the run's note from the start. */
export async function createRun(
  runtime: Runtime,
  body: unknown,
  who: Principal,
  now: number,
  by: 'trainer' | 'import' = 'trainer',
): Promise<RunRow> {
  const parsed = runInput.safeParse(body)
  if (!parsed.success) throw invalid('run', parsed.error.issues)
  const input = parsed.data
  const { db } = runtime.database
  if ((await findTaskSet(db, input.taskSet)) === null) throw notFound('task set', input.taskSet)
  const catalog = await catalogOf(runtime, input.taskSet)
  engineConfig(catalog, input.config)
  const started = await runtime.database.transaction(async (tx) => {
    const { run, created } = await storeRun(tx, {
      key: input.key,
      name: input.name,
      taskSetId: input.taskSet,
      mode: input.mode,
      status: 'live',
      statusNote: by === 'import' ? IMPORTED : null,
      seed: input.seed === undefined ? randomId('') : String(input.seed),
      config: input.config,
      plannedSteps: input.plannedSteps,
      model: input.model,
      algorithm: input.algorithm,
      createdAt: now,
    })
    if (created) {
      const detail = JSON.stringify({ name: input.name, key: input.key })
      await appendAudit(tx, { runId: run.id, at: now, actor: who.name, action: 'run.create', detail })
    } else if (by === 'trainer' && isOver(run))
      return openAgain(tx, run, input.plannedSteps ?? run.plannedSteps, who, now)
    return run
  })
  // the engine builds the task set's structure now, so that the first batch does not wait for it
  withRun(runtime, started.id, async () => undefined).catch((cause: unknown) =>
    log('warn', 'warm_up_failed', { run: started.id, ...faultOf(cause) }),
  )
  return started
}

const isOver = ({ status, statusNote }: RunRow) =>
  (status === 'finished' || status === 'failed') && statusNote !== IMPORTED

async function openAgain(
  tx: Tx,
  run: RunRow,
  plannedSteps: number | null,
  who: Principal,
  now: number,
): Promise<RunRow> {
  const change = { status: 'live', statusNote: `opened again by ${who.name}`, finishedAt: null, plannedSteps } as const
  await updateRun(tx, run.id, change)
  const detail = JSON.stringify({ was: run.status, key: run.key })
  await appendAudit(tx, { runId: run.id, at: now, actor: who.name, action: 'run.reopen', detail })
  await announceRun(tx, run.id)
  return { ...run, ...change }
}
