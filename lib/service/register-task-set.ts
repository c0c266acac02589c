/**
 * Registers a task set: checks it, builds its graph and layout in the builder's thread, stores all of it once.
 * Safe to repeat: the same content gives the same set, whatever its name.
 */
import type { TaskSetInput } from '@/lib/contract/task-set'
import { findTaskSetByFingerprint, insertTaskSet } from '@/lib/store/task-set'
import { codesOf } from './environment-codes'
import { catalogOf, type Runtime } from './runtime'
import { checkTaskSet } from './task-set-check'
import type { Catalog } from './catalog'

const GRAPH_VERSION = 1

export async function registerTaskSet(runtime: Runtime, input: TaskSetInput, now: number): Promise<Catalog> {
  const checked = checkTaskSet(input)
  const id = `ts_${checked.fingerprint.slice(0, 16)}`
  return runtime.queue.run(id, async () => {
    const known = await findTaskSetByFingerprint(runtime.database.db, checked.fingerprint)
    if (known !== null) return catalogOf(runtime, known.id)
    const structure = await runtime.builder.structure({ environments: checked.environments, tasks: checked.tasks.map(bare) })
    const counts = new Array<number>(checked.environments.length).fill(0)
    for (const task of checked.tasks) counts[task.environment] = (counts[task.environment] ?? 0) + 1
    const codes = codesOf(checked.environments.map((environment) => environment.name))
    await insertTaskSet(runtime.database, {
      id,
      name: checked.name,
      fingerprint: checked.fingerprint,
      createdAt: now,
      graphVersion: GRAPH_VERSION,
      patternCount: structure.patternNames.length,
      environments: checked.environments.map(({ key, name, tools, ...definition }, ordinal) => ({
        ordinal,
        key,
        name,
        code: codes[ordinal] ?? '',
        taskCount: counts[ordinal] ?? 0,
        definition: { ...definition, tools },
        ...(structure.islands[ordinal] ?? { x: 0, y: 0, radius: 0 }),
      })),
      tasks: checked.tasks.map((task, ordinal) => ({
        ordinal,
        ...task,
        pattern: structure.patternNames[structure.pattern[ordinal] ?? 0] ?? '',
        x: structure.x[ordinal] ?? 0,
        y: structure.y[ordinal] ?? 0,
      })),
      edges: structure.edges,
    })
    return catalogOf(runtime, id)
  })
}

/** What the engine may see of a task: no payload. */
function bare({ environment, key, text, tools, state, checks }: Catalog['set']['tasks'][number]) {
  return { environment, key, text, tools, state, checks }
}
