/**
 * Batches for pages: the list for the scrubber, one batch with its decision records and what came back.
 */
import type { BatchDetail, BatchSummary } from '@/lib/contract/batch'
import type { List, ListQuery } from '@/lib/contract/page'
import { type BatchRow, findBatch, picksBetween } from '@/lib/store/batch'
import type { GroupRow } from '@/lib/store/group'
import { rolloutsOfGroups } from '@/lib/store/rollout'
import { type BatchRecord, type PickRecord, slotOf } from './batch-record'
import { markerOf, pickView, recordView, resultView, type SquareSource, waysOf } from './batch-view'
import type { Catalog } from './catalog'
import { environmentOf } from './catalog'
import { releasedAmong } from './end-leases'
import { batchId } from './ids'
import { requireRun, withRun } from './open-run'
import { overridePoints } from './read-overrides'
import { groupsOfBatch, historyOf } from './run-history'
import type { Runtime } from './runtime'
import { notFound } from './service-error'
import { informativeShare, judged, rewardsDiffer } from './tally'

function summaryOf(catalog: Catalog, batch: BatchRow<BatchRecord>, groups: readonly GroupRow[]): BatchSummary {
  const own = groups.filter((group) => !group.late)
  const known = judged(own)
  return {
    id: batchId(batch.index),
    index: batch.index,
    at: new Date(batch.at).toISOString(),
    policyVersion: batch.policyVersion,
    size: batch.size,
    groupSize: batch.groupSize,
    ...waysOf(catalog, batch.record, own),
    picks: own.length,
    back: own.filter((group) => group.state !== 'open').length,
    trusted: own.filter((group) => group.state !== 'open' && group.trusted > 0).length,
    informative: known.filter((group) => rewardsDiffer(group) === true).length,
    informativeShare: informativeShare(own),
    fallback: batch.record.fallback,
    superseded: batch.superseded,
  }
}

/** Newest first; the cursor is the index of the last one given. */
export async function listBatches(runtime: Runtime, runId: string, query: ListQuery): Promise<List<BatchSummary>> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const every = [...history.batches, ...history.superseded.batches].sort((a, b) => a.index - b.index)
  const before = query.cursor === undefined ? Number.POSITIVE_INFINITY : Number(query.cursor)
  const matching = every.filter((batch) => batch.index < before)
  const page = matching.slice(Math.max(0, matching.length - query.limit)).reverse()
  const last = page.at(-1)
  return {
    items: page.map((batch) => summaryOf(catalog, batch, groupsOfBatch(history, batch))),
    next: last === undefined || matching.length <= query.limit ? null : String(last.index),
    total: every.length,
  }
}

/** The same list with each batch's decision records; for scripts, not for pages. */
export async function listBatchesWithPicks(
  runtime: Runtime,
  runId: string,
  query: ListQuery,
): Promise<List<BatchDetail>> {
  const list = await listBatches(runtime, runId, query)
  const items: BatchDetail[] = []
  for (const { index } of list.items) items.push(await readBatch(runtime, runId, index))
  return { ...list, items }
}

export async function readBatch(runtime: Runtime, runId: string, index: number): Promise<BatchDetail> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const batch = await findBatch<BatchRecord>(runtime.database.db, runId, index)
  if (batch === null) throw notFound('batch', batchId(index))
  const stored = await picksBetween<PickRecord>(runtime.database.db, runId, index, index)
  const groups = groupsOfBatch(history, batch).filter((group) => !group.late)
  const squares = await squaresOf(runtime, runId, catalog, groups)
  const byLease = new Map(groups.map((group) => [group.lease, group]))
  // further picks that a restore took back are not of the batch any more
  const back = new Set([...history.superseded.groups.values()].map(({ lease }) => lease))
  const picks = stored.filter(({ lease }) => byLease.has(lease) || !back.has(lease))
  const released = await releasedAmong(runtime, runId, groups)
  const points = await overridePoints(runtime, runId, catalog)
  const bought = picks.filter(({ lease }) => (byLease.get(lease)?.boughtBy ?? null) !== null)
  const record = recordView(catalog, batch.record)
  return {
    ...record,
    ...summaryOf(catalog, batch, groups),
    expectedInformative: bought.reduce(
      (sum, pick) => sum + pick.record.prediction.informative,
      record.expectedInformative,
    ),
    pickList: picks.map((pick) => {
      const group = byLease.get(pick.lease)
      const groupSize = pick.record.groupSize ?? batch.groupSize
      return pickView(
        catalog,
        { ...pick, slot: slotOf(pick.slot) },
        groupSize,
        resultView(group, groupSize, squares.get(group?.number ?? -1) ?? [], released),
        group !== undefined && group.boughtBy !== null,
      )
    }),
    overrides: points.filter((point) => point.holds(index)).map(markerOf),
  }
}

/** Rollouts of groups with values on [0, 1], in the order reported, by group number. */
export async function squaresOf(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  groups: readonly GroupRow[],
): Promise<Map<number, SquareSource[]>> {
  const rollouts = await rolloutsOfGroups(
    runtime.database.db,
    runId,
    groups.map((group) => group.number),
  )
  const ranges = await rangesOf(runtime, runId, catalog, groups)
  const squares = new Map<number, SquareSource[]>()
  for (const rollout of rollouts) {
    const [low, high] = ranges[environmentOf(catalog, rollout.task)] ?? [0, 1]
    const value = rollout.value === null ? null : Math.min(1, Math.max(0, (rollout.value - low) / (high - low)))
    const list = squares.get(rollout.group) ?? []
    list.push({ id: rollout.id, value })
    squares.set(rollout.group, list)
  }
  return squares
}

/** Reward ranges in force, by environment: the declared ones where they are enough, else those that the run has widened. */
export async function rangesOf(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  groups: readonly GroupRow[],
): Promise<(readonly [number, number])[]> {
  const declared = catalog.set.environments.map((environment) => environment.rewardRange)
  if (groups.every((group) => (declared[environmentOf(catalog, group.task)] ?? null) !== null))
    return declared.map((range) => range ?? [0, 1])
  return withRun(runtime, runId, async () => (await runtime.engine.view(runId)).ranges)
}
