/**
 * The calls that a task needs, each joined to its hubs: what the conjunctive form multiplies over.
 * Shapes: compressed rows; a step is a distinct tool with how often it is called, its hub inside the environment, and its hubs across
 * environments by name with role and by signature; -1 where there is none. A task that names no tools has no steps.
 */
import type { Hub } from './hubs'
import type { EngineTask } from './task-set'
import { crossToolName, signature, type Toolbox, withinToolName } from './things'

export interface Steps {
  /** the steps of task i are `start[i]` to `start[i + 1]` */
  start: Int32Array
  count: Float64Array
  within: Int32Array
  tool: Int32Array
  role: Int32Array
}

function places(hubs: readonly Hub[]): (kind: Hub['kind'], name: string) => number {
  const index = new Map(hubs.map((hub, at) => [`${hub.kind} ${hub.name}`, at]))
  return (kind, name) => index.get(`${kind} ${name}`) ?? -1
}

export function stepsOf(
  tasks: readonly EngineTask[],
  toolboxes: readonly Toolbox[],
  hubs: { within: readonly Hub[][]; cross: readonly Hub[] },
): Steps {
  const inside = hubs.within.map(places)
  const across = places(hubs.cross)
  const start = new Int32Array(tasks.length + 1)
  const rows: [number, number, number, number][] = []
  tasks.forEach(({ environment, tools }, i) => {
    const counts = new Map<string, number>()
    for (const name of tools) counts.set(name, (counts.get(name) ?? 0) + 1)
    const toolbox = toolboxes[environment]!
    for (const [name, count] of counts) {
      rows.push([
        count,
        inside[environment]!('tool', withinToolName(name)),
        across('tool', crossToolName(toolbox, name)),
        across('role', signature(toolbox, name)),
      ])
    }
    start[i + 1] = rows.length
  })
  return {
    start,
    count: Float64Array.from(rows, (row) => row[0]),
    within: Int32Array.from(rows, (row) => row[1]),
    tool: Int32Array.from(rows, (row) => row[2]),
    role: Int32Array.from(rows, (row) => row[3]),
  }
}
