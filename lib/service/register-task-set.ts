/**
 * Registers a task set: checks it, builds its graph and layout in a thread, stores all of it once.
 * Safe to repeat: the same content gives the same set, whatever its name.
 */
import type { TaskSetInput } from '@/lib/contract/task-set'
import { type EdgeRow, insertEdges } from '@/lib/store/edge'
import { insertTasks, type TaskRow } from '@/lib/store/task'
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
    const structure = await structureOf(runtime, checked)
    return catalogOf(runtime, await store(runtime, checked, structure, now))
  })
}

/** Tasks from which on a set's graph is built in a thread of its own, whose memory goes with it: some 10 kB a task. */
const LARGE = 5000

async function structureOf(runtime: Runtime, { environments, tasks }: CheckedTaskSet): Promise<SetStructure> {
  const set = { environments, tasks: tasks.map(bare) }
  if (tasks.length < LARGE) return runtime.builder.structure(set)
  const host = runtime.startHost()
  try {
    return await host.structure(set)
  } finally {
    await host.stop()
  }
}

async function store(runtime: Runtime, checked: CheckedTaskSet, structure: SetStructure, now: number): Promise<string> {
  const counts = new Array<number>(checked.environments.length).fill(0)
  for (const task of checked.tasks) counts[task.environment] = (counts[task.environment] ?? 0) + 1
  const codes = codesOf(checked.environments.map((environment) => environment.name))
  const crossEdges = structure.edges.cross.reduce((sum, one) => sum + one, 0)
  const tools = new Set(checked.environments.flatMap((environment) => environment.tools.map((tool) => tool.name)))
  return runtime.database.transaction(async (tx) => {
    const { taskSet, created } = await createTaskSet(tx, {
      name: checked.name,
      fingerprint: checked.fingerprint,
      createdAt: now,
      environmentCount: checked.environments.length,
      taskCount: checked.tasks.length,
      toolCount: tools.size,
      withinEdges: structure.edges.cross.length - crossEdges,
      crossEdges,
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
    await insertTasks(tx, taskSet.id, taskRows(checked, structure))
    await insertEdges(tx, taskSet.id, edgeRows(structure))
    return taskSet.id
  })
}

/** Rows are made when they are written: a large set has a hundred thousand tasks and seven times as many edges. */
function* taskRows({ tasks }: CheckedTaskSet, { pattern, patternNames, x, y }: SetStructure): Generator<TaskRow> {
  for (const [ordinal, task] of tasks.entries())
    yield {
      ordinal,
      ...task,
      pattern: patternNames[pattern[ordinal] ?? 0] ?? '',
      x: x[ordinal] ?? 0,
      y: y[ordinal] ?? 0,
    }
}

function* edgeRows({ edges: { source, target, cross, weight } }: SetStructure): Generator<EdgeRow> {
  for (const [at, from] of source.entries())
    yield {
      graphVersion: GRAPH_VERSION,
      kind: cross[at] === 1 ? 'cross' : 'within',
      source: from,
      target: target[at] ?? 0,
      weight: weight[at] ?? 0,
    }
}

/** What the engine may see of a task: no payload. */
function bare({ environment, key, text, tools, state, checks }: Catalog['set']['tasks'][number]) {
  return { environment, key, text, tools, state, checks }
}
