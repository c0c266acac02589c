/**
 * All rollouts that match a filter, one after the other, for files of any size; with their messages when asked for.
 * Invariant: groups newest first, rollouts in the order reported; never more than one slice of them in memory.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { RolloutRow } from '@/lib/contract/rollout'
import type { RolloutDetail, RolloutFilterQuery } from '@/lib/contract/rollout-group'
import type { Catalog } from '@/lib/service/catalog'
import { requireRun } from '@/lib/service/open-run'
import { filterOf, mayHold, type RolloutFilter } from '@/lib/service/rollout-filter'
import { rolloutView } from '@/lib/service/rollout-view'
import { readGroups } from '@/lib/service/rollouts-in-groups'
import { everyGroup, groupOf, historyOf, type RunHistory } from '@/lib/service/run-history'
import type { Runtime } from '@/lib/service/runtime'
import { trajectoriesOf } from '@/lib/store/rollout'
import { untilDeleted } from './until-deleted'

const AT_ONCE = 40

export type ExportedRollout = RolloutRow & Partial<Pick<RolloutDetail, 'messages'>>

/** Refuses what it cannot find before the first rollout is given. */
export async function exportRollouts(
  runtime: Runtime,
  runId: string,
  query: RolloutFilterQuery,
  withMessages: boolean,
): Promise<AsyncGenerator<ExportedRollout>> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const rollouts = rolloutsOf(runtime, runId, catalog, history, filterOf(catalog, query), withMessages)
  return untilDeleted(runtime, runId, rollouts)
}

async function* rolloutsOf(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  history: RunHistory,
  filter: RolloutFilter,
  withMessages: boolean,
): AsyncGenerator<ExportedRollout> {
  const numbers = everyGroup(history)
    .map(({ number }) => number)
    .sort((a, b) => b - a)
  for (let start = 0; start < numbers.length; start += AT_ONCE) {
    const groups = numbers.slice(start, start + AT_ONCE).flatMap((number) => groupOf(history, number) ?? [])
    const may = groups.filter((group) => group.returned > 0 && mayHold(catalog, filter, group))
    if (may.length === 0) continue
    const read = await readGroups(runtime, runId, catalog, may, filter)
    for (const { matching } of read) {
      const ids = matching.map(({ row }) => row.id)
      const messages = withMessages
        ? await trajectoriesOf<NonNullable<RolloutDetail['messages']>[number]>(runtime.database.db, runId, ids)
        : null
      for (const { row } of matching) {
        const view = rolloutView(catalog, row)
        yield messages === null ? view : { ...view, messages: messages.get(row.id) ?? null }
      }
    }
    await pause()
  }
}
