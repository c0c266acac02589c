/**
 * The plain lists: rollouts, predictions beside what was realised, audit events. Loads and names, nothing else.
 */
import type { List, ListQuery } from '@/lib/contract/page'
import type { RolloutRow } from '@/lib/contract/rollout'
import { listAudit } from '@/lib/store/audit'
import { listRollouts } from '@/lib/store/rollout'
import { environmentByIdIn, taskAt, taskByIdIn } from './catalog'
import { requireNumber } from './ids'
import { requireRun } from './open-run'
import { type Component, rolloutView } from './rollout-view'
import { historyOf } from './run-history'
import type { Runtime } from './runtime'

interface RolloutListFilter {
  task?: string
  lease?: string
  status?: string
  environment?: string
  group?: string
  policyVersion?: number
}

const cursorOf = (query: ListQuery) => (query.cursor === undefined ? undefined : Number(query.cursor))

export async function readRollouts(
  runtime: Runtime,
  runId: string,
  filter: RolloutListFilter,
  query: ListQuery,
): Promise<List<RolloutRow>> {
  const { catalog } = await requireRun(runtime, runId)
  const page = await listRollouts<Component>(
    runtime.database.db,
    runId,
    {
      environment: filter.environment === undefined ? undefined : environmentByIdIn(catalog, filter.environment),
      task: filter.task === undefined ? undefined : taskByIdIn(catalog, filter.task),
      lease: filter.lease === undefined ? undefined : requireNumber('lease', filter.lease),
      group: filter.group === undefined ? undefined : requireNumber('group', filter.group),
      policyVersion: filter.policyVersion,
      status: filter.status,
    },
    { limit: query.limit, cursor: cursorOf(query) },
  )
  return {
    items: page.items.map((row) => rolloutView(catalog, row)),
    next: page.next === null ? null : String(page.next),
    total: page.total,
  }
}

/** One row a group that was predicted before it was absorbed, newest first. */
export async function readPredictions(
  runtime: Runtime,
  runId: string,
  query: ListQuery,
): Promise<List<Record<string, unknown>>> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const rows = [...history.groups.values()].filter((group) => group.predictedVariance !== null).reverse()
  const start = cursorOf(query) ?? 0
  const page = rows.slice(start, start + query.limit)
  return {
    items: page.map((group) => ({
      task: taskAt(catalog, group.task),
      batch: group.batch,
      policyVersion: group.policyVersion,
      slot: group.slot,
      size: group.trusted,
      prediction: {
        ability: group.ability,
        predictedVariance: group.predictedVariance,
        deviation: group.deviation,
        spread: group.spread,
        informative: group.informativeProbability,
      },
      mean: group.mean,
      realisedVariance: group.realisedVariance,
      informative: group.informative,
    })),
    next: start + page.length < rows.length ? String(start + page.length) : null,
    total: rows.length,
  }
}

export async function readAudit(
  runtime: Runtime,
  runId: string,
  query: ListQuery,
): Promise<List<Record<string, unknown>>> {
  await requireRun(runtime, runId)
  const page = await listAudit(runtime.database.db, { limit: query.limit, cursor: cursorOf(query) }, runId)
  return {
    items: page.items.map(({ id, at, actor, action, detail }) => ({
      id,
      at: new Date(at).toISOString(),
      actor,
      action,
      detail: JSON.parse(detail) as unknown,
    })),
    next: page.next === null ? null : String(page.next),
    total: page.total,
  }
}
