/**
 * Task sets as they are read: list, summary with environments.
 */
import type { List } from '@/lib/contract/page'
import type { TaskSetDetail, TaskSetSummary } from '@/lib/contract/task-set'
import { listRuns } from '@/lib/store/run'
import { listTaskSets } from '@/lib/store/task-set'
import type { Catalog } from './catalog'
import { catalogOf, type Runtime } from './runtime'

export async function taskSetSummary(runtime: Runtime, catalog: Catalog): Promise<TaskSetSummary> {
  const within = catalog.edges.filter((edge) => edge.kind === 'within').length
  const runs = await listRuns(runtime.database.db, { limit: 1 }, { taskSetId: catalog.id })
  return {
    id: catalog.id,
    name: catalog.name,
    fingerprint: catalog.fingerprint,
    createdAt: new Date(catalog.createdAt).toISOString(),
    environments: catalog.environments.length,
    tasks: catalog.tasks.length,
    tools: new Set(catalog.set.environments.flatMap((environment) => environment.tools.map((tool) => tool.name))).size,
    edges: { within, cross: catalog.edges.length - within },
    patterns: catalog.patternNames.length,
    runs: runs.total,
  }
}

export async function readTaskSets(
  runtime: Runtime,
  limit: number,
  cursor: number | undefined,
): Promise<List<TaskSetSummary>> {
  const page = await listTaskSets(runtime.database.db, { limit, cursor })
  const items: TaskSetSummary[] = []
  for (const row of page.items) items.push(await taskSetSummary(runtime, await catalogOf(runtime, row.id)))
  return { items, next: page.next === null ? null : String(page.next), total: page.total }
}

export async function readTaskSetDetail(runtime: Runtime, id: string): Promise<TaskSetDetail> {
  const catalog = await catalogOf(runtime, id)
  return {
    ...(await taskSetSummary(runtime, catalog)),
    environmentList: catalog.environments.map((environment, ordinal) => ({
      ...environment,
      tasks: catalog.islands[ordinal]?.tasks ?? 0,
      tools: catalog.set.environments[ordinal]?.tools.map((tool) => tool.name) ?? [],
      rewardRange: catalog.set.environments[ordinal]?.rewardRange ?? null,
    })),
  }
}
