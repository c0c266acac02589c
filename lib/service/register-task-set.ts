/**
 * Registers a task set: checks it, builds its graph and layout in the builder's thread, stores all of it once.
 * Safe to repeat: the same content gives the same set, whatever its name.
 */
import type { TaskSetInput } from '@/lib/contract/task-set'
import { insertEdges } from '@/lib/store/edge'
import { insertTasks } from '@/lib/store/task'
import { createTaskSet, findTaskSetByFingerprint, insertEnvironments } from '@/lib/store/task-set'
import type { Catalog } from './catalog'
import type { SetStructure } from './engine-host'
import { codesOf } from './environment-codes'
import { catalogOf, type Runtime } from './runtime'
import { type CheckedTaskSet, checkTaskSet } from './task-set-check'

const GRAPH_VERSION = 1

/** `place` names where a part of the input was read, for refusals. */
export async function registerTaskSet(
  runtime: Runtime,
  input: TaskSetInput,
  now: number,
  place?: (path: string) => string,
): Promise<Catalog> {
  const checked = checkTaskSet(input, place)
  return runtime.queue.run(checked.fingerprint, async () => {
    const known = await findTaskSetByFingerprint(runtime.database.db, checked.fingerprint)
    if (known !== null) return catalogOf(runtime, known.id)
    const structure = await runtime.builder.structure({
      environments: checked.environments,
      tasks: checked.tasks.map(bare),
    })
    return catalogOf(runtime, await store(runtime, checked, structure, now))
  })
}

async function store(runtime: Runtime, checked: CheckedTaskSet, structure: SetStructure, now: number): Promise<string> {
  const counts = new Array<number>(checked.environments.length).fill(0)
  for (const task of checked.tasks) counts[task.environment] = (counts[task.environment] ?? 0) + 1
  const codes = codesOf(checked.environments.map((environment) => environment.name))
  const within = structure.edges.filter((edge) => edge.kind === 'within').length
  const tools = new Set(checked.environments.flatMap((environment) => environment.tools.map((tool) => tool.name)))
  return runtime.database.transaction(async (tx) => {
    const { taskSet, created } = await createTaskSet(tx, {
      name: checked.name,
      fingerprint: checked.fingerprint,
      createdAt: now,
      environmentCount: checked.environments.length,
      taskCount: checked.tasks.length,
      toolCount: tools.size,
      withinEdges: within,
      crossEdges: structure.edges.length - within,
      patternCount: structure.patternNames.length,
      graphVersion: GRAPH_VERSION,
    })
    if (!created) return taskSet.id
    await insertEnvironments(
      tx,
      taskSet.id,
      checked.environments.map(({ key, name, ...definition }, ordinal) => ({
        ordinal,
        key,
        name,
        code: codes[ordinal] ?? '',
        taskCount: counts[ordinal] ?? 0,
        definition,
        ...(structure.islands[ordinal] ?? { x: 0, y: 0, radius: 0 }),
      })),
    )
    await insertTasks(
      tx,
      taskSet.id,
      checked.tasks.map((task, ordinal) => ({
        ordinal,
        ...task,
        pattern: structure.patternNames[structure.pattern[ordinal] ?? 0] ?? '',
        x: structure.x[ordinal] ?? 0,
        y: structure.y[ordinal] ?? 0,
      })),
    )
    await insertEdges(
      tx,
      taskSet.id,
      structure.edges.map((edge) => ({ ...edge, graphVersion: GRAPH_VERSION })),
    )
    return taskSet.id
  })
}

/** What the engine may see of a task: no payload. */
function bare({ environment, key, text, tools, state, checks }: Catalog['set']['tasks'][number]) {
  return { environment, key, text, tools, state, checks }
}
