/**
 * What moves in the graph: predicted variance, groups and picks, now or as they were at a batch.
 * Must never know positions or edges. Invariant: as of a batch nothing is counted that came after it was chosen; its
 * predictions are those made for it, or where they were not kept those of the nearest batch, which is said.
 */
import type { GraphFigures } from '@/lib/contract/graph'
import { findBatch } from '@/lib/store/batch'
import { findPredictions, predictionBatches } from '@/lib/store/prediction-blob'
import { type Catalog, environmentOf } from './catalog'
import { batchId } from './ids'
import { requireRun, withRun } from './open-run'
import { groupSizeOf, groupsByBatch, historyOf, newestBatch, type RunHistory } from './run-history'
import type { Runtime } from './runtime'
import { notFound } from './service-error'

/** Six digits behind the point: what can be drawn, at half the kilobytes. */
export const rounded = (value: number) => Math.round(value * 1e6) / 1e6

/** The whole run at one time; every array has one value a task. */
export interface RunMoment {
  catalog: Catalog
  batch: number
  predictionsOf: number | null
  predictedVariance: number[]
  ability: number[] | null
  groups: number[]
  picked: ReadonlySet<number>
}

/** `batch` null = now. */
export function momentOf(runtime: Runtime, runId: string, batch: number | null): Promise<RunMoment> {
  return batch === null ? momentNow(runtime, runId) : pastMoment(runtime, runId, batch)
}

async function momentNow(runtime: Runtime, runId: string): Promise<RunMoment> {
  const { catalog, history, now } = await withRun(runtime, runId, async (opened) => {
    const known = await historyOf(runtime, opened.run)
    return { ...opened, history: known, now: await runtime.engine.predictions(runId, groupSizeOf(known)) }
  })
  return {
    catalog,
    batch: newestBatch(history),
    predictionsOf: null,
    predictedVariance: Array.from(now.predictedVariance, rounded),
    ability: Array.from(now.ability, rounded),
    groups: groupsBefore(catalog, history, null),
    picked: picksOf(history, history.batches.at(-1)?.index ?? null),
  }
}

async function pastMoment(runtime: Runtime, runId: string, batch: number): Promise<RunMoment> {
  const { run, catalog } = await requireRun(runtime, runId)
  const { db } = runtime.database
  const stored = await findBatch(db, runId, batch)
  if (stored === null) throw notFound('batch', batchId(batch))
  const predictionsOf = nearest(await alongside(runtime, runId, stored), batch)
  const kept = predictionsOf === null ? null : await findPredictions(db, runId, predictionsOf)
  if (kept === null) throw notFound('prediction of batch', batchId(batch))
  const history = await historyOf(runtime, run)
  return {
    catalog,
    batch,
    predictionsOf,
    predictedVariance: Array.from(kept, rounded),
    ability: null,
    groups: groupsBefore(catalog, history, stored.seq),
    picked: picksOf(history, batch),
  }
}

/** Batches whose predictions are kept, of the run's line or, for a superseded batch, of what was superseded. */
async function alongside(runtime: Runtime, runId: string, { superseded }: { superseded: boolean }): Promise<number[]> {
  const { run } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const left = new Set(history.superseded.batches.map(({ index }) => index))
  return (await predictionBatches(runtime.database.db, runId)).filter((index) => left.has(index) === superseded)
}

/** The batch nearest to the one wanted, the earlier of two; null where there is none. */
export function nearest(batches: readonly number[], wanted: number): number | null {
  let best: number | null = null
  for (const batch of batches) {
    if (best === null || Math.abs(batch - wanted) < Math.abs(best - wanted)) best = batch
  }
  return best
}

/** Groups with a trusted rollout by task; `seq`: only those absorbed before that log number, null = all there are. */
function groupsBefore(catalog: Catalog, history: RunHistory, seq: number | null): number[] {
  const groups = new Array<number>(catalog.tasks.length).fill(0)
  for (const group of history.groups.values()) {
    if (group.trusted === 0) continue
    if (seq !== null && (group.logSeq === null || group.logSeq >= seq)) continue
    groups[group.task] = (groups[group.task] ?? 0) + 1
  }
  return groups
}

function picksOf(history: RunHistory, batch: number | null): Set<number> {
  const groups = batch === null ? [] : (groupsByBatch(history).get(batch) ?? [])
  return new Set(groups.filter((group) => !group.late).map((group) => group.task))
}

/** Figures of the tasks at these positions, null = all; environments always tell the whole. */
export function figuresOf(moment: RunMoment, tasks: readonly number[] | null): GraphFigures {
  const { catalog, predictedVariance, ability, groups, picked } = moment
  const count = catalog.environments.length
  const variance = new Array<number>(count).fill(0)
  const picks = new Array<number>(count).fill(0)
  const tried = new Array<number>(count).fill(0)
  for (const [task, value] of predictedVariance.entries()) {
    const environment = environmentOf(catalog, task)
    variance[environment] = (variance[environment] ?? 0) + value
    if (picked.has(task)) picks[environment] = (picks[environment] ?? 0) + 1
    if ((groups[task] ?? 0) > 0) tried[environment] = (tried[environment] ?? 0) + 1
  }
  const total = variance.reduce((sum, value) => sum + value, 0)
  const shown = tasks ?? [...catalog.tasks.keys()]
  return {
    version: catalog.graphVersion,
    batch: moment.batch,
    predictionsOf: moment.predictionsOf,
    environments: {
      variance,
      held: variance.map((value) => (total > 0 ? value / total : 0)),
      picks,
      tried,
    },
    nodes: {
      predictedVariance: shown.map((task) => predictedVariance[task] ?? 0),
      ability: ability === null ? null : shown.map((task) => ability[task] ?? 0),
      groups: shown.map((task) => groups[task] ?? 0),
      picked: shown.map((task) => picked.has(task)),
    },
  }
}
