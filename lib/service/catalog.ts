/**
 * A task set in memory: what every request needs of it to name tasks, find them by key, and feed the engine.
 * Owns: the index from keys to positions. Must never know: runs. Invariant: a task set never changes, so a catalog
 * is loaded once a process and kept.
 */
import type { EnvironmentRef, TaskRef } from '@/lib/contract/task-set'
import type { EngineEnvironment, EngineTaskSet } from '@/lib/engine/task-set'
import type { Database } from '@/lib/store/database'
import { edgesOf as storedEdges } from '@/lib/store/edge'
import { taskStructures } from '@/lib/store/task'
import { environmentsOf, findTaskSet } from '@/lib/store/task-set'
import { huesOf } from './environment-codes'
import { environmentId, requireNumber, taskId } from './ids'
import { notFound, ServiceError } from './service-error'

interface CatalogEdge {
  source: number
  target: number
  kind: 'within' | 'cross'
  weight: number
}

export interface Catalog {
  id: string
  name: string
  fingerprint: string
  createdAt: number
  graphVersion: number
  set: EngineTaskSet
  environments: EnvironmentRef[]
  tasks: TaskRef[]
  islands: { x: number; y: number; radius: number; tasks: number }[]
  x: number[]
  y: number[]
  pattern: number[]
  patternNames: string[]
  edges: CatalogEdge[]
  /** edges of each task, as positions in `edges` */
  edgesOf: number[][]
  /** position by environment key and task key, and by task key alone where it is unique (null where not) */
  byKeys: Map<string, number>
  byTaskKey: Map<string, number | null>
}

const joined = (environment: string, task: string) => `${environment}\u0000${task}`

export async function loadCatalog({ db }: Pick<Database, 'db'>, id: string): Promise<Catalog> {
  const row = await findTaskSet(db, id)
  if (row === null) throw notFound('task set', id)
  const stored = {
    ...row,
    environments: await environmentsOf<Omit<EngineEnvironment, 'key'>>(db, id),
    tasks: await taskStructures(db, id),
  }
  const edges = await storedEdges(db, id, stored.graphVersion)
  const hues = huesOf(stored.environments.map((environment) => environment.taskCount))
  const environments = stored.environments.map(
    (environment, ordinal): EnvironmentRef => ({
      id: environmentId(ordinal),
      key: environment.key,
      name: environment.name,
      code: environment.code,
      hue: hues[ordinal] ?? null,
    }),
  )
  const refs = stored.tasks.map((task, ordinal): TaskRef => {
    const environment = environments[task.environment]
    if (environment === undefined) throw new Error(`task ${ordinal} of ${id} has no environment ${task.environment}`)
    return { id: taskId(ordinal), key: task.key, environment }
  })
  const byKeys = new Map<string, number>()
  const byTaskKey = new Map<string, number | null>()
  for (const [ordinal, task] of refs.entries()) {
    byKeys.set(joined(task.environment.key, task.key), ordinal)
    byTaskKey.set(task.key, byTaskKey.has(task.key) ? null : ordinal)
  }
  const patternNames = [...new Set(stored.tasks.map((task) => task.pattern))]
  const patternAt = new Map(patternNames.map((name, index) => [name, index]))
  const edgesOf = stored.tasks.map((): number[] => [])
  for (const [position, edge] of edges.entries()) {
    edgesOf[edge.source]?.push(position)
    edgesOf[edge.target]?.push(position)
  }
  return {
    id,
    name: stored.name,
    fingerprint: stored.fingerprint,
    createdAt: stored.createdAt,
    graphVersion: stored.graphVersion,
    set: {
      environments: stored.environments.map(({ key, definition }) => ({ key, ...definition })),
      tasks: stored.tasks.map(({ environment, key, text, tools, state, checks }) => ({
        environment,
        key,
        text,
        tools,
        state,
        checks,
      })),
    },
    environments,
    tasks: refs,
    islands: stored.environments.map(({ x, y, radius, taskCount }) => ({ x, y, radius, tasks: taskCount })),
    x: stored.tasks.map((task) => task.x),
    y: stored.tasks.map((task) => task.y),
    pattern: stored.tasks.map((task) => patternAt.get(task.pattern) ?? 0),
    patternNames,
    edges,
    edgesOf,
    byKeys,
    byTaskKey,
  }
}

/** Position of the task that a rollout names, or the reason why there is none. */
export function findTask(
  catalog: Catalog,
  environment: string | undefined,
  task: string | undefined,
): number | { reason: string } {
  if (task === undefined) return { reason: 'names neither a lease nor a task' }
  if (environment !== undefined) {
    return (
      catalog.byKeys.get(joined(environment, task)) ?? {
        reason: `there is no task "${task}" in environment "${environment}"`,
      }
    )
  }
  const found = catalog.byTaskKey.get(task)
  if (found === undefined) return { reason: `there is no task "${task}" in this task set` }
  return found ?? { reason: `"${task}" is a task of several environments: give its environment, too` }
}

export function taskAt(catalog: Catalog, ordinal: number): TaskRef {
  const task = catalog.tasks[ordinal]
  if (task === undefined)
    throw new ServiceError(404, 'not_found', `There is no task "${taskId(ordinal)}" in this task set.`)
  return task
}

export function environmentAt(catalog: Catalog, ordinal: number): EnvironmentRef {
  const environment = catalog.environments[ordinal]
  if (environment === undefined)
    throw new ServiceError(404, 'not_found', `There is no environment "${environmentId(ordinal)}".`)
  return environment
}

export function environmentOf(catalog: Catalog, task: number): number {
  const row = catalog.set.tasks[task]
  if (row === undefined)
    throw new ServiceError(404, 'not_found', `There is no task "${taskId(task)}" in this task set.`)
  return row.environment
}

/** Position of a task by its server id. */
export function taskByIdIn(catalog: Catalog, id: string): number {
  const ordinal = requireNumber('task', id)
  taskAt(catalog, ordinal)
  return ordinal
}

export function environmentByIdIn(catalog: Catalog, id: string): number {
  const ordinal = requireNumber('environment', id)
  environmentAt(catalog, ordinal)
  return ordinal
}
