/**
 * Runs beside each other on one axis: steps, rollouts or tokens.
 * Owns: the common axis and where each run stands on it. Invariant: a value at a place is that of the run's last whole step up
 * to there; nothing is drawn beyond what a run has done. The answer stays small: 400 places, six digits.
 */
import { type CompareAxis, type ComparedRun, type Comparison, MOST_COMPARED } from '@/lib/contract/comparison'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { listOverrides } from '@/lib/store/override'
import { findRun } from '@/lib/store/run'
import { listScores } from '@/lib/store/score'
import { changesOf, settingsOf } from './compare-settings'
import { type OpenRun, requireRun } from './open-run'
import { parseStoredConfig } from './run-config'
import { historyOf, newestBatch, type RunHistory, supersededRollouts } from './run-history'
import { type RunStep, runSteps } from './run-steps'
import { statusOf } from './run-summary'
import type { Runtime } from './runtime'
import { invalid } from './service-error'

/** Places of the axis at most, the ends of the runs apart. */
const PLACES = 400

interface Walk {
  opened: OpenRun
  history: RunHistory
  steps: RunStep[]
  /** place of each step on the axis, ascending; empty where the run does not report what the axis counts */
  at: number[]
}

const places = (steps: readonly RunStep[], axis: CompareAxis) =>
  axis === 'steps'
    ? steps.map(({ step }) => step)
    : axis === 'rollouts'
      ? steps.map(({ rollouts }) => rollouts)
      : steps.some(({ tokens }) => tokens === null)
        ? []
        : steps.map(({ tokens }) => tokens ?? 0)

/** Index of the last of ascending `at` that is no larger than x, -1 = none. */
export function lastUpTo(at: readonly number[], x: number): number {
  let low = 0
  let high = at.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at[middle] ?? 0) <= x) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * The places of the axis for runs that stand at `walks`: all of their places where they are few, else evenly thinned; always the
 * end of each run, so that the last place that all reached is among them.
 */
export function axisPlaces(walks: readonly (readonly number[])[], most: number): number[] {
  const all = [...new Set(walks.flat())].sort((a, b) => a - b)
  const ends = walks.map((walk) => walk.at(-1)).filter((end) => end !== undefined)
  const thin =
    all.length <= most
      ? all
      : Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))] ?? 0)
  return [...new Set([...thin, ...ends])].sort((a, b) => a - b)
}

export async function compareRuns(
  runtime: Runtime,
  ids: readonly string[],
  axis: CompareAxis,
  now: number,
): Promise<Comparison> {
  const asked = [...new Set(ids.filter((id) => id !== ''))]
  if (asked.length === 0 || asked.length > MOST_COMPARED)
    throw invalid('query', [{ path: ['runs'], message: `name 1 to ${MOST_COMPARED} runs` }])
  const walks: Walk[] = []
  const missing: string[] = []
  for (const id of asked) {
    if ((await findRun(runtime.database.db, id)) === null) {
      missing.push(id)
      continue
    }
    const opened = await requireRun(runtime, id)
    const history = await historyOf(runtime, opened.run)
    const steps = runSteps(history)
    walks.push({ opened, history, steps, at: places(steps, axis) })
  }
  const x = axisPlaces(
    walks.map(({ at }) => at),
    PLACES,
  )
  const ends = walks.flatMap(({ at }) => at.at(-1) ?? [])
  const common = ends.length === 0 ? null : Math.min(...ends)
  const runs: ComparedRun[] = []
  for (const walk of walks) runs.push(await comparedRunOf(runtime, walk, x, common, now))
  return { axis, x, common, runs, missing }
}

async function comparedRunOf(
  runtime: Runtime,
  { opened: { run, catalog }, history, steps, at }: Walk,
  x: readonly number[],
  common: number | null,
  now: number,
): Promise<ComparedRun> {
  const config = parseStoredConfig(run.config)
  const newest = history.batches.at(-1)
  const overrides = await listOverrides<OverrideChange>(runtime.database.db, run.id)
  const last = at.at(-1) ?? null
  const stood = x.map((place) => (last === null || place > last ? undefined : steps[lastUpTo(at, place)]))
  const read = (value: (step: RunStep) => number | null) =>
    stood.map((step) => (step === undefined ? null : rounded(value(step))))
  const here = common === null ? undefined : steps[lastUpTo(at, common)]
  return {
    id: run.id,
    name: run.name,
    status: statusOf(run, now).status,
    mode: run.mode === 'shadow' ? 'shadow' : 'choose',
    scheduler: config.scheduler,
    seed: run.seed,
    taskSet: { id: catalog.id, name: catalog.name },
    batch: newestBatch(history),
    rollouts: run.rolloutCount - supersededRollouts(history),
    last,
    atCommon: here === undefined ? null : { step: here.step, rollouts: here.rollouts, tokens: here.tokens },
    series: {
      informativeShare: read((step) => step.informativeShare),
      reward: read((step) => step.reward),
      rewardLow: read((step) => step.rewardLow),
      rewardHigh: read((step) => step.rewardHigh),
      predictionError: read((step) => step.predictionError),
      rolloutsPerInformative: read((step) => step.rolloutsPerInformative),
    },
    scores: await scoresOf(runtime, run.id, steps, at),
    settings: settingsOf(run, config, catalog, newest ?? null),
    changes: changesOf(catalog, overrides),
    steered: overrides.filter(({ superseded }) => !superseded).length,
  }
}

/** Evaluations at the place where the run stood when that policy was evaluated; left out before its first whole step. */
async function scoresOf(
  runtime: Runtime,
  runId: string,
  steps: readonly RunStep[],
  at: readonly number[],
): Promise<ComparedRun['scores']> {
  const versions = steps.map(({ step }) => step)
  const byName = new Map<string, ComparedRun['scores'][number]['points']>()
  for (const { name, policyVersion, value } of await listScores(runtime.database.db, runId)) {
    const x = at[lastUpTo(versions, policyVersion)]
    if (x === undefined || !Number.isFinite(value)) continue
    const points = byName.get(name)
    const point = { x, step: policyVersion, value }
    if (points === undefined) byName.set(name, [point])
    else if (points.at(-1)?.x === x) points[points.length - 1] = point
    else points.push(point)
  }
  return [...byName].map(([name, points]) => {
    const stride = Math.ceil(points.length / PLACES)
    return { name, points: points.filter((_, i) => (points.length - 1 - i) % stride === 0) }
  })
}

/** Six digits: more are noise, and make the answer twice as long. */
const rounded = (value: number | null) =>
  value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(6))
