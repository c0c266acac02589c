/**
 * The answer behind the before-and-after view of an override: load, compare, name. All sums live in override-effect.ts.
 */
import type { OverrideEffect } from '@/lib/contract/override-effect'
import type { OverrideChange } from '@/lib/engine/log-entry'
import type { BatchRow } from '@/lib/store/batch'
import type { GroupRow } from '@/lib/store/group'
import { listOverrides } from '@/lib/store/override'
import type { BatchRecord } from './batch-record'
import { type Catalog, environmentAt, environmentOf, taskAt } from './catalog'
import { requireNumber } from './ids'
import { withRun } from './open-run'
import { comparedBatches, effectMeasures, overlapping } from './override-effect'
import { type Row, ruling, settingKey } from './override-span'
import { namedOverride, overrideView } from './read-overrides'
import { groupsByBatch, historyOf } from './run-history'
import type { Runtime } from './runtime'
import { notFound } from './service-error'

/** `asked`: batches on each side, 1 to 200. */
export async function readOverrideEffect(
  runtime: Runtime,
  runId: string,
  id: string,
  asked: number,
): Promise<OverrideEffect> {
  const number = requireNumber('override', id)
  return withRun(runtime, runId, async ({ run, catalog }) => {
    const rows = await listOverrides<OverrideChange>(runtime.database.db, runId)
    const row = rows.find((one) => one.number === number)
    if (row === undefined) throw notFound('override', id)
    const [view, history] = [await runtime.engine.view(runId), await historyOf(runtime, run)]
    const left = new Map(view.overrides.map((one) => [one.override, one.batchesLeft]))
    const compared = comparedBatches(rows, row, asked, run.batchCount)
    const touched = touchedEnvironment(catalog, rows, row)
    const touches = touched === null ? null : (task: number) => environmentOf(catalog, task) === touched
    const shown = overrideView(catalog, row, rows, left)
    const first = history.batches.find(({ index }) => index === row.fromBatch)
    return {
      override: shown,
      asked,
      ...compared,
      environment: touched === null ? null : environmentAt(catalog, touched),
      ...effectMeasures(history, compared, touches),
      overlapping: overlapping(rows, row, compared).map((one) => ({
        ...namedOverride(catalog, one.row),
        author: one.row.author,
        batch: one.batch,
        how: one.how,
      })),
      requested: row.after,
      effective: shown.inForce && shown.laterBy === null ? row.after : shown.backTo,
      applied: first === undefined ? null : appliedIn(catalog, rows, row, first, groupsByBatch(history)),
    }
  })
}

/** The environment of its target; of an undo, that of what it undid. */
function touchedEnvironment(catalog: Catalog, rows: readonly Row[], row: Row): number | null {
  const { change } = row
  switch (change.kind) {
    case 'quota':
    case 'pause':
    case 'resume':
      return change.environment
    case 'pin':
    case 'ban':
      return environmentOf(catalog, change.task)
    case 'boost':
      return change.task === null ? change.environment : environmentOf(catalog, change.task)
    case 'lift': {
      const lifted = rows.find((other) => other.number === change.override)
      return lifted === undefined || lifted.change.kind === 'lift' ? null : touchedEnvironment(catalog, rows, lifted)
    }
    default:
      return null
  }
}

/** What the batch was chosen with, as its log number and the stored overrides say, and what it came to in picks. */
function appliedIn(
  catalog: Catalog,
  rows: readonly Row[],
  row: Row,
  batch: BatchRow<BatchRecord>,
  byBatch: Map<number, GroupRow[]>,
): NonNullable<OverrideEffect['applied']> {
  const lifted = row.change.kind === 'lift' ? row.change.override : null
  const about = lifted === null ? row : (rows.find((other) => other.number === lifted) ?? row)
  const key = settingKey(about.change)
  const holding = key === null ? null : ruling(rows, key, batch.index, batch.seq)
  const base = rows.find((other) => settingKey(other.change) === key)?.before ?? row.before
  const picks = (byBatch.get(batch.index) ?? []).filter((group) => !group.late)
  return {
    batch: batch.index,
    value: holding === null ? (lifted === null ? base : row.after) : holding.after,
    detail: pickedDetail(catalog, about.change, batch, picks),
  }
}

function pickedDetail(
  catalog: Catalog,
  change: OverrideChange,
  batch: BatchRow<BatchRecord>,
  picks: readonly GroupRow[],
): string | null {
  const all = picks.length
  const ofEnvironment = (environment: number) => {
    const count = picks.filter((pick) => environmentOf(catalog, pick.task) === environment).length
    return `${count} of ${all} picks of ${environmentAt(catalog, environment).code}`
  }
  const ofTask = (task: number) => {
    const { key } = taskAt(catalog, task)
    return picks.some((pick) => pick.task === task) ? `${key} is in it` : `${key} is not in it`
  }
  switch (change.kind) {
    case 'uniform_share':
      return `${picks.filter(({ slot }) => slot === 'uniform').length} of ${all} picks drawn uniformly`
    case 'quota': {
      const use = batch.record.quotas.find(({ environment }) => environment === change.environment)
      const gave = use?.state === 'relaxed' ? ', the quota gave way' : ''
      return `${ofEnvironment(change.environment)}${gave}`
    }
    case 'pause':
    case 'resume':
      return ofEnvironment(change.environment)
    case 'pin':
    case 'ban':
      return ofTask(change.task)
    case 'boost':
      return change.task === null ? ofEnvironment(change.environment ?? -1) : ofTask(change.task)
    default:
      return null
  }
}
