/**
 * Steering as the page opens it: settings in force with their ranges, quotas with their use, overrides, history.
 */
import type { Override, Steering } from '@/lib/contract/steering'
import { WEIGHT_RANGES, WEIGHTS } from '@/lib/engine/config'
import type { OverrideChange } from '@/lib/engine/log-entry'
import type { SchedulerView } from '@/lib/engine/view'
import { listOverrides } from '@/lib/store/override'
import { environmentAt } from './catalog'
import { type OpenRun, withRun } from './open-run'
import { onLine } from './override-span'
import { overrideView } from './read-overrides'
import { restorePoints } from './restore/restore-points'
import type { Runtime } from './runtime'

export async function readSteering(runtime: Runtime, runId: string): Promise<Steering> {
  return withRun(runtime, runId, async ({ run, catalog }) => {
    const view = await runtime.engine.view(runId)
    const history = await overridesOf(runtime, { run, catalog }, view)
    return {
      cursor: run.logSeq,
      nextBatch: run.batchCount + 1,
      weights: WEIGHTS.map((name) => ({ name, now: view.config.weights[name], ...WEIGHT_RANGES[name] })),
      uniformShare: view.config.uniformShare,
      groupSizing: view.config.groupSizing,
      quotas: view.environments.map((state, ordinal) => ({
        environment: environmentAt(catalog, ordinal),
        ...state.quota,
        used: state.used,
        window: state.window,
        isSet: (view.config.quotas[ordinal] ?? null) !== null,
      })),
      windowBatches: view.windowPicks / view.typicalBatch,
      inForce: history.filter((row) => row.inForce),
      history,
    }
  })
}

/** Newest first. */
export async function readOverrides(runtime: Runtime, runId: string): Promise<Override[]> {
  return withRun(runtime, runId, async (opened) => overridesOf(runtime, opened, await runtime.engine.view(runId)))
}

async function overridesOf(runtime: Runtime, opened: OpenRun, view: SchedulerView): Promise<Override[]> {
  const left = new Map(view.overrides.map((one) => [one.override, one.batchesLeft]))
  const { run, catalog } = opened
  const stored = await listOverrides<OverrideChange>(runtime.database.db, run.id, { superseded: true })
  const every = onLine(stored, await restorePoints(runtime, opened))
  const line = every.filter(({ superseded }) => !superseded)
  return every.map((row) => overrideView(catalog, row, row.superseded ? every : line, left)).reverse()
}
