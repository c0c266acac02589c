/**
 * Starts a run on a task set. The same key and task set give the same run, so a restarted trainer goes on.
 */
import type { Principal } from '@/lib/contract/access'
import { runInput } from '@/lib/contract/run'
import { appendAudit } from '@/lib/store/audit'
import { type RunRow, createRun as storeRun } from '@/lib/store/run'
import { findTaskSet } from '@/lib/store/task-set'
import { randomId } from './ids'
import { faultOf, log } from './logger'
import { withRun } from './open-run'
import { engineConfig } from './run-config'
import { catalogOf, type Runtime } from './runtime'
import { invalid, notFound } from './service-error'

export async function createRun(runtime: Runtime, body: unknown, who: Principal, now: number): Promise<RunRow> {
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
    }
    return run
  })
  // the engine builds the task set's structure now, so that the first batch does not wait for it
  withRun(runtime, started.id, async () => undefined).catch((cause: unknown) =>
    log('warn', 'warm_up_failed', { run: started.id, ...faultOf(cause) }),
  )
  return started
}
