/**
 * Tasks of a run: the list with its filters, in the order a researcher asks for.
 */
import type { List, ListQuery } from '@/lib/contract/page'
import type { TaskRow } from '@/lib/contract/task'
import { environmentByIdIn, environmentOf, findTask } from './catalog'
import { withRun } from './open-run'
import { groupSizeOf, historyOf, indexOfNumber, type RunHistory } from './run-history'
import type { Runtime } from './runtime'

interface TaskFilter {
  /** server id, or key */
  environment?: string
  key?: string
  /** part of key or text, any case */
  q?: string
  sort: 'variance' | 'key' | 'groups'
}

export async function listTasks(
  runtime: Runtime,
  runId: string,
  filter: TaskFilter,
  query: ListQuery,
): Promise<List<TaskRow>> {
  const { catalog, history, now, view } = await withRun(runtime, runId, async (opened) => {
    const known = await historyOf(runtime, opened.run)
    const columns = await runtime.engine.predictions(runId, groupSizeOf(known))
    const state = await runtime.engine.view(runId)
    return { ...opened, history: known, now: columns, view: state }
  })
  const groups = new Map<number, number>()
  for (const group of history.groups.values())
    if (group.trusted > 0) groups.set(group.task, (groups.get(group.task) ?? 0) + 1)
  const byKey = filter.key === undefined ? null : findTask(catalog, environmentKey(filter, catalog), filter.key)
  const environment = filter.environment === undefined ? null : environmentOrdinal(filter.environment, catalog)
  const text = filter.q?.toLowerCase() ?? ''
  const ordinals = catalog.tasks.flatMap((task, ordinal) => {
    if (filter.key !== undefined) return byKey === ordinal ? [ordinal] : []
    if (environment !== null && environmentOf(catalog, ordinal) !== environment) return []
    if (text === '') return [ordinal]
    const hay = `${task.key}\n${catalog.set.tasks[ordinal]?.text ?? ''}`.toLowerCase()
    return hay.includes(text) ? [ordinal] : []
  })
  const value = (ordinal: number) =>
    filter.sort === 'groups' ? (groups.get(ordinal) ?? 0) : (now.predictedVariance[ordinal] ?? 0)
  if (filter.sort !== 'key') ordinals.sort((a, b) => value(b) - value(a) || a - b)
  const start = query.cursor === undefined ? 0 : Number(query.cursor)
  const page = ordinals.slice(start, start + query.limit)
  return {
    items: page.flatMap((ordinal): TaskRow[] => {
      const task = catalog.tasks[ordinal]
      if (task === undefined) return []
      return [
        {
          ...task,
          text: catalog.set.tasks[ordinal]?.text ?? null,
          pattern: catalog.patternNames[catalog.pattern[ordinal] ?? 0] ?? '',
          predictedVariance: now.predictedVariance[ordinal] ?? 0,
          ability: now.ability[ordinal] ?? 0,
          deviation: now.deviation[ordinal] ?? 0,
          informative: now.informative[ordinal] ?? 0,
          groups: groups.get(ordinal) ?? 0,
          picks: view.tasks.picks[ordinal] ?? 0,
          lastPickedBatch: lastOf(history, view.tasks.lastPickedBatch[ordinal], view.batch),
          banned: view.tasks.banned[ordinal] === 1,
          pinned: view.tasks.pinned[ordinal] === 1,
          boost: view.tasks.boost[ordinal] ?? 1,
        },
      ]
    }),
    next: start + page.length < ordinals.length ? String(start + page.length) : null,
    total: ordinals.length,
  }
}

/** The engine's 0 says never. */
const lastOf = (history: RunHistory, batch: number | undefined, newest: number) =>
  batch === undefined || batch === 0 ? null : indexOfNumber(history, batch, newest)

function environmentOrdinal(name: string, catalog: Parameters<typeof environmentByIdIn>[0]): number {
  const byKey = catalog.environments.findIndex((environment) => environment.key === name)
  return byKey >= 0 ? byKey : environmentByIdIn(catalog, name)
}

function environmentKey(filter: TaskFilter, catalog: Parameters<typeof environmentByIdIn>[0]): string | undefined {
  if (filter.environment === undefined) return undefined
  return catalog.environments[environmentOrdinal(filter.environment, catalog)]?.key
}
