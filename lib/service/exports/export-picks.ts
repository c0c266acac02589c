/**
 * Picks with their decision records and what came back, in the order they were made: whole as JSON, flat for a table.
 */

import { type PickRecord, slotOf } from '@/lib/service/batch-record'
import { pickView, resultView } from '@/lib/service/batch-view'
import { releasedAmong } from '@/lib/service/end-leases'
import { requireRun } from '@/lib/service/open-run'
import { groupsOfBatch, historyOf } from '@/lib/service/run-history'
import type { Runtime } from '@/lib/service/runtime'
import { picksBetween } from '@/lib/store/batch'

/** Batches read at once. */
const PAGE = 10

type Pick = ReturnType<typeof pickView> & { batch: number; policyVersion: number; at: string; superseded: boolean }

async function* picksOf(runtime: Runtime, runId: string, page: number): AsyncGenerator<Pick> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const every = [...history.batches, ...history.superseded.batches].sort((a, b) => a.index - b.index)
  for (let start = 0; start < every.length; start += page) {
    const batches = new Map(every.slice(start, start + page).map((batch) => [batch.index, batch]))
    const indices = [...batches.keys()]
    const groups = [...batches.values()].flatMap((batch) => groupsOfBatch(history, batch).filter(({ late }) => !late))
    const byLease = new Map(groups.map((group) => [group.lease, group]))
    const released = await releasedAmong(runtime, runId, groups)
    const picks = await picksBetween<PickRecord>(runtime.database.db, runId, indices[0] ?? 0, indices.at(-1) ?? 0)
    for (const pick of picks) {
      const batch = batches.get(pick.batch)
      if (batch === undefined) continue
      const size = pick.record.groupSize ?? batch.groupSize
      const result = resultView(byLease.get(pick.lease), size, [], released)
      yield {
        batch: batch.index,
        policyVersion: batch.policyVersion,
        at: new Date(batch.at).toISOString(),
        superseded: batch.superseded,
        ...pickView(catalog, { ...pick, slot: slotOf(pick.slot) }, size, result),
      }
    }
  }
}

/** The decision record as the API gives it. */
export async function* exportPicks(runtime: Runtime, runId: string, page = PAGE): AsyncGenerator<object> {
  for await (const { result, ...pick } of picksOf(runtime, runId, page)) {
    const { squares: _squares, ...rest } = result
    yield { ...pick, result: rest }
  }
}

/** One row a pick, the same columns in each. */
export async function* exportPickRows(runtime: Runtime, runId: string, page = PAGE): AsyncGenerator<object> {
  for await (const { environment, task, runnerUp, prediction, result, ...pick } of picksOf(runtime, runId, page)) {
    const { batch, policyVersion, at, superseded, position, lease, slot, groupSize, score, terms, reason } = pick
    yield {
      batch,
      policyVersion,
      at,
      superseded,
      position,
      lease,
      environment: environment.key,
      task: task.key,
      slot,
      groupSize,
      score,
      terms,
      prediction,
      reason,
      runnerUp: {
        environment: runnerUp?.environment.key ?? null,
        task: runnerUp?.task.key ?? null,
        margin: runnerUp?.margin ?? null,
        rule: runnerUp?.rule ?? null,
      },
      result: {
        state: result.state,
        returned: result.returned,
        trusted: result.trusted,
        mean: result.mean,
        variance: result.variance,
        informative: result.informative,
      },
    }
  }
}
