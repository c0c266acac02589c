/**
 * The reads behind Overview and Environments: load, add up, answer. All sums live in overview.ts and environment-rows.ts.
 */
import type { Calibration } from '@/lib/contract/calibration'
import type { EnvironmentRow, EnvironmentSeries } from '@/lib/contract/environment'
import type { Overview, PatternRow } from '@/lib/contract/overview'
import { listScores } from '@/lib/store/score'
import { heldRings } from './alarms'
import { ringAlarms } from './alarms/ring-alarms'
import { factsOf } from './alarms/run-facts'
import { calibrationOf } from './calibration'
import { environmentOf } from './catalog'
import { releasedAmong } from './end-leases'
import { environmentRows } from './environment-rows'
import { requireRun, withRun } from './open-run'
import { coverageOf, headline, overviewSeries, recentlyAsked, yieldOf } from './overview'
import { predictionError } from './prediction-error'
import { overridePoints } from './read-overrides'
import { inheritedTasks } from './restore/restore-points'
import { parseStoredConfig } from './run-config'
import { groupSizeOf, groupsByBatch, historyOf, newestBatch, type RunHistory } from './run-history'
import type { Runtime } from './runtime'
import { informativeShare, judged, meanOf } from './tally'

export async function readOverview(runtime: Runtime, runId: string): Promise<Overview> {
  const opened = await requireRun(runtime, runId)
  const { run, catalog } = opened
  const history = await historyOf(runtime, run)
  const points = await overridePoints(runtime, runId, catalog)
  const scores = new Map<string, { policyVersion: number; value: number }[]>()
  for (const { name, policyVersion, value } of await listScores(runtime.database.db, runId)) {
    scores.set(name, [...(scores.get(name) ?? []), { policyVersion, value }])
  }
  return {
    batch: newestBatch(history),
    byShares: history.batches.at(-1)?.record.shares !== undefined,
    series: overviewSeries(history),
    ...headline(history),
    target: parseStoredConfig(run.config).target,
    yield: yieldOf(history, await releasedAmong(runtime, runId, recentlyAsked(history))),
    coverage: coverageOf(history, catalog, await inheritedTasks(runtime, opened)),
    predictionError: run.mode === 'shadow' ? predictionError(history) : null,
    overrides: points.map(({ holds: _holds, ...point }) => point),
    scores: [...scores].map(([name, list]) => ({ name, points: list })),
  }
}

/** By history: the answer of the newest log number that was asked for. Only the log changes it, so polling a quiet run costs a look-up. */
const calibrations = new WeakMap<RunHistory, { seq: number; answer: Calibration }>()

export async function readCalibration(runtime: Runtime, runId: string): Promise<Calibration> {
  const asked = await requireRun(runtime, runId)
  const kept = calibrations.get(await historyOf(runtime, asked.run))
  if (kept !== undefined && kept.seq === asked.run.logSeq) return kept.answer
  return withRun(runtime, runId, async ({ run, catalog }) => {
    const history = await historyOf(runtime, run)
    const answer = calibrationOf({
      history,
      now: await runtime.engine.predictors(runId),
      environmentOf: (task) => environmentOf(catalog, task),
      environments: catalog.environments,
      reports: run.mode === 'shadow',
    })
    calibrations.set(history, { seq: run.logSeq, answer })
    return answer
  })
}

export async function readEnvironments(runtime: Runtime, runId: string): Promise<EnvironmentRow[]> {
  return withRun(runtime, runId, async ({ run, catalog }) => {
    const history = await historyOf(runtime, run)
    const groupSize = groupSizeOf(history)
    const [view, now] = await Promise.all([runtime.engine.view(runId), runtime.engine.predictions(runId, groupSize)])
    const target = parseStoredConfig(run.config).target
    const released = await releasedAmong(runtime, runId, recentlyAsked(history))
    const facts = factsOf({ catalog, history, view, released, target })
    // alarms are kept after each batch; a run that only reports has none, so that none is kept of it
    const rings = run.mode === 'shadow' ? ringAlarms(facts) : await heldRings(runtime, runId)
    return environmentRows(catalog, history, view, now, rings, facts.book)
  })
}

/** One point a batch and environment over the last `last` batches. */
export async function readSeries(runtime: Runtime, runId: string, last: number): Promise<EnvironmentSeries> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const byBatch = groupsByBatch(history)
  const batches = history.batches.slice(-last).map((batch) => batch.index)
  const cells = batches.map((index) => {
    const groups = byBatch.get(index) ?? []
    return catalog.environments.map((_, ordinal) =>
      groups.filter((group) => environmentOf(catalog, group.task) === ordinal),
    )
  })
  return {
    batches,
    environments: catalog.environments.map((environment, ordinal) => {
      const column = cells.map((cell) => cell[ordinal] ?? [])
      return {
        environment,
        picks: column.map((groups) => groups.filter((group) => !group.late).length),
        informativeShare: column.map(informativeShare),
        predictedVariance: column.map((groups) => meanOf(judged(groups), (group) => group.predictedVariance)),
        realisedVariance: column.map((groups) => meanOf(judged(groups), (group) => group.realisedVariance)),
        reward: column.map((groups) => meanOf(groups, (group) => group.mean)),
      }
    }),
  }
}

export async function readPatterns(runtime: Runtime, runId: string): Promise<PatternRow[]> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const rows = catalog.patternNames.map((name) => ({
    name,
    tasks: 0,
    in: new Set<number>(),
    seen: new Set<number>(),
    picks: 0,
    last: null as number | null,
  }))
  for (const [task, pattern] of catalog.pattern.entries()) {
    const row = rows[pattern]
    if (row === undefined) continue
    row.tasks += 1
    row.in.add(environmentOf(catalog, task))
  }
  for (const group of history.groups.values()) {
    const row = rows[catalog.pattern[group.task] ?? -1]
    if (row === undefined) continue
    if (group.trusted > 0) row.seen.add(group.task)
    if (group.batch === null || group.late) continue
    row.picks += 1
    row.last = Math.max(row.last ?? 0, group.batch)
  }
  return rows.map((row) => ({
    name: row.name,
    tasks: row.tasks,
    environments: row.in.size,
    seen: row.seen.size,
    picks: row.picks,
    lastBatch: row.last,
  }))
}
