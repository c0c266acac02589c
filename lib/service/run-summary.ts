/**
 * The headline numbers of a run, for the list and the strip. Pure over its row and history.
 */
import type { RunStatus, RunSummary } from '@/lib/contract/run'
import type { RunRow } from '@/lib/store/run'
import { waysOf } from './batch-view'
import type { Catalog } from './catalog'
import { median } from './lease-time'
import { parseStoredConfig } from './run-config'
import { groupsByBatch, type RunHistory, supersededRollouts } from './run-history'
import { informativeShare, meanOf } from './tally'

/** Batches that a headline number looks back over. */
export const RECENT = 10
const LEAST_SILENCE_SECONDS = 60
/** A demo policy takes seconds a batch, a real one minutes: silence is counted in usual gaps between reports. */
const SILENT_GAPS = 5

export function statusOf(run: RunRow, now: number): { status: RunStatus; note: string | null } {
  if (run.status === 'paused' || run.status === 'finished' || run.status === 'failed')
    return { status: run.status, note: run.statusNote }
  if (run.lastReportAt === null) return { status: 'waiting', note: 'no report yet' }
  const gap = median(run.reportGaps)
  const limit = Math.max(LEAST_SILENCE_SECONDS, gap === null ? LEAST_SILENCE_SECONDS : SILENT_GAPS * gap)
  if ((now - run.lastReportAt) / 1000 <= limit) return { status: 'live', note: run.statusNote }
  return { status: 'silent', note: gap === null ? null : `usual gap ${Math.max(1, Math.round(gap))} s` }
}

/** Points of the line in a table cell: the list of runs is asked for every few seconds. */
const LINE_POINTS = 30

const lines = new WeakMap<RunHistory, { mark: string; values: (number | null)[] }>()

/** One value a batch, of the uniform slots; of a longer run means of as many neighbouring batches, the newest whole. */
function rewardSeries(history: RunHistory): (number | null)[] {
  const known = lines.get(history)
  if (known !== undefined && known.mark === history.mark) return known.values
  const byBatch = groupsByBatch(history)
  const size = Math.max(1, Math.ceil(history.batches.length / LINE_POINTS))
  const values: (number | null)[] = []
  for (let end = history.batches.length; end > 0; end -= size) {
    const groups = history.batches.slice(Math.max(0, end - size), end).flatMap(({ index }) => byBatch.get(index) ?? [])
    values.unshift(
      meanOf(
        groups.filter((group) => group.slot === 'uniform'),
        (group) => group.mean,
      ),
    )
  }
  const rounded = values.map((value) => (value === null ? null : Number(value.toFixed(4))))
  lines.set(history, { mark: history.mark, values: rounded })
  return rounded
}

export function summarise(
  run: RunRow,
  catalog: Catalog,
  history: RunHistory,
  leasesOpen: number,
  now: number,
): RunSummary {
  const newest = history.batches.at(-1) ?? null
  const byBatch = groupsByBatch(history)
  const asked = newest === null ? [] : (byBatch.get(newest.index) ?? []).filter((group) => !group.late)
  const recent = history.batches.slice(-RECENT).flatMap((batch) => byBatch.get(batch.index) ?? [])
  const all = newest === null ? [...history.groups.values()].slice(-RECENT * 64) : recent
  const uniform = recent.filter((group) => group.slot === 'uniform')
  const { status, note } = statusOf(run, now)
  const config = parseStoredConfig(run.config)
  return {
    id: run.id,
    key: run.key,
    name: run.name,
    mode: run.mode === 'shadow' ? 'shadow' : 'choose',
    status,
    statusNote: note,
    scheduler: config.scheduler,
    taskSet: { id: catalog.id, name: catalog.name },
    environments: catalog.environments.length,
    tasks: catalog.tasks.length,
    model: run.model,
    algorithm: run.algorithm,
    plannedSteps: run.plannedSteps,
    seed: run.seed,
    epoch: run.epoch,
    policyVersion: run.policyVersion,
    batch: newest?.index ?? 0,
    // under shares nobody knows which groups come: the size stands for them
    batchSize: newest === null ? null : newest.record.shares === undefined ? asked.length : newest.size,
    groupSize: newest?.groupSize ?? null,
    stages: newest === null ? null : waysOf(catalog, newest.record, []).stages,
    picksBack: asked.filter((group) => group.state !== 'open').length,
    leasesOpen,
    rollouts: run.rolloutCount - supersededRollouts(history),
    informativeShare: informativeShare(all),
    uniformShareInformative: informativeShare(uniform),
    reward: meanOf(uniform, (group) => group.mean),
    rewardSeries: rewardSeries(history),
    fallback: newest?.record.fallback ?? null,
    createdAt: new Date(run.createdAt).toISOString(),
    lastReportAt: run.lastReportAt === null ? null : new Date(run.lastReportAt).toISOString(),
    usualGapSeconds: median(run.reportGaps),
    cursor: run.logSeq,
  }
}
