/**
 * One rollout with its messages, its reward, its group and what else failed alike.
 */
import type { RolloutRow } from '@/lib/contract/rollout'
import type { RolloutDetail } from '@/lib/contract/rollout-group'
import { findRollout, findTrajectory, rolloutsOfGroups } from '@/lib/store/rollout'
import { type Catalog, environmentOf } from './catalog'
import { cutMessages } from './cut-messages'
import { requireNumber, rolloutRef } from './ids'
import { requireRun } from './open-run'
import { filterOf } from './rollout-filter'
import { type Component, rolloutView, type StoredRollout } from './rollout-view'
import { groupViews, readGroups } from './rollouts-in-groups'
import { groupOf, historyOf, type RunHistory, recentGroups } from './run-history'
import type { Runtime } from './runtime'
import { notFound, ServiceError } from './service-error'

/** Rollouts of the group that the answer holds, and characters of an error of theirs. */
const SIBLINGS = 128
const ERROR_SHOWN = 300
/** Batches in which the same error is looked for. */
const RECENT = 10
/** Groups and characters compared: an error's first words say what it is. */
const COMPARED_GROUPS = 200
const SAME_START = 120

type Message = NonNullable<RolloutDetail['messages']>[number]

/** `ref`: server id of the rollout, "r123". `cut`: characters kept of each text of a message, null = all. */
export async function readRollout(
  runtime: Runtime,
  runId: string,
  ref: string,
  cut: number | null,
): Promise<RolloutDetail> {
  const { run, catalog } = await requireRun(runtime, runId)
  const { db } = runtime.database
  const row = await findRollout<Component>(db, runId, { seq: requireNumber('rollout', ref) })
  if (row === null) throw notFound('rollout', ref)
  const history = await historyOf(runtime, run)
  const group = groupOf(history, row.group)
  if (group === undefined) throw new ServiceError(503, 'busy', 'Its group is being written. Ask again in a second.')
  const read = await readGroups(runtime, runId, catalog, [group], filterOf(catalog, {}))
  const [view] = await groupViews(runtime, runId, catalog, read)
  const all = read[0]?.rollouts ?? []
  const at = all.findIndex((one) => one.row.seq === row.seq)
  const beside = (by: number) => all[at + by]?.row.seq ?? null
  const named = (seq: number | null) => (seq === null ? null : rolloutRef(seq))
  if (view === undefined || at === -1) throw notFound('rollout', ref)
  const from = Math.max(0, Math.min(at - SIBLINGS / 2, all.length - SIBLINGS))
  return {
    ...rolloutView(catalog, row),
    ...cutMessages(await findTrajectory<Message>(db, runId, row.id), cut),
    position: at + 1,
    previous: at === 0 ? null : named(beside(-1)),
    next: named(beside(1)),
    in: view,
    siblings: all
      .slice(from, from + SIBLINGS)
      .map(({ row: sibling, fill }) => ({ ...short(rolloutView(catalog, sibling)), fill })),
    alike: await alikeOf(runtime, runId, catalog, history, row),
  }
}

const short = (view: RolloutRow): RolloutRow => ({ ...view, error: view.error?.slice(0, ERROR_SHOWN) ?? null })

/** How often its error came in its environment of late; null without an error. */
async function alikeOf(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  history: RunHistory,
  row: StoredRollout,
): Promise<RolloutDetail['alike']> {
  if (row.error === null) return null
  const start = row.error.slice(0, SAME_START)
  const groups = recentGroups(history, RECENT)
    .filter((group) => group.errors > 0 && environmentOf(catalog, group.task) === row.environment)
    .slice(-COMPARED_GROUPS)
  const rollouts = await rolloutsOfGroups(
    runtime.database.db,
    runId,
    groups.map((group) => group.number),
  )
  const same = rollouts.filter((other) => other.error?.startsWith(start) === true)
  const workers = [...new Set(same.flatMap(({ worker }) => worker ?? []))]
  return { count: same.length, batches: Math.min(RECENT, history.batches.length), workers: workers.slice(0, 3) }
}
