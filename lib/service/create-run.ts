/**
 * Starts a run on a task set. The same key and task set give the same run, so a restarted trainer goes on.
 */
import type { Principal } from '@/lib/contract/access'
import { runInput } from '@/lib/contract/run'
import { addAudit } from '@/lib/store/audit'
import { findRunByKey, insertRun, type RunRow } from '@/lib/store/run'
import { findTaskSet } from '@/lib/store/task-set'
import { randomId } from './ids'
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
  return runtime.queue.run(`runs of ${input.taskSet}`, async () => {
    const known = input.key === null ? null : await findRunByKey(db, input.taskSet, input.key)
    if (known !== null) return known
    const id = randomId('r_')
    return runtime.database.transaction(async (tx) => {
      const run = await insertRun(tx, {
        id,
        key: input.key,
        name: input.name,
        taskSetId: input.taskSet,
        mode: input.mode,
        status: 'live',
        statusNote: null,
        seed: input.seed === undefined ? id : String(input.seed),
        config: input.config,
        plannedSteps: input.plannedSteps,
        model: input.model,
        algorithm: input.algorithm,
        createdAt: now,
      })
      await addAudit(tx, { runId: id, at: now, actor: who.name, action: 'run.create', detail: { name: input.name, key: input.key } })
      return run
    })
  })
}
