/**
 * The static structure of a task set: who shares what with whom, in typed arrays.
 * Owns: the door. Ids become indices here; invalid sets are refused with the offending value named.
 * Must never know: rewards. Invariant: renumbering tasks or environments permutes everything here and changes nothing else.
 * Cost: proportional to the tasks and what they use.
 */
import type { TaskEdge } from './decision'
import { strongestEdges } from './edges'
import { hashText } from './hash'
import { type Hub, hubsAcross, hubsWithin, type Rows } from './hubs'
import { type Likeness, likenessBetween, likenessOf } from './likeness'
import { patternsOf } from './pattern'
import { type Steps, stepsOf } from './steps'
import type { EngineTaskSet } from './task-set'
import { crossThings, roleIn, toolboxOf, withinThings } from './things'

export interface Neighbour {
  task: number
  kind: TaskEdge['kind']
  weight: number
}

export interface Structure {
  tasks: number
  environments: number
  /** environment of each task */
  environmentOf: Int32Array
  /** tasks of each environment, ascending */
  tasksOf: number[][]
  /** hash of environment key and task key: draws and ties come from it */
  taskKeyHash: Uint32Array
  /** number of tool calls that a task names; 0 where it names none */
  lengthOf: Int32Array
  pattern: Int32Array
  patternNames: string[]
  hubs: { within: Hub[][]; cross: Hub[] }
  /** task-to-hub amounts; `within` indexes the hubs of the task's own environment */
  within: Rows
  cross: Rows
  /** the calls of each task, joined to their hubs */
  steps: Steps
  likeness: Likeness
  /** the stored edges. Half of the cost of a structure, so they are found when they are first asked for: no choice needs them */
  edges(): TaskEdge[]
  /** stored edges of a task, strongest first */
  neighbours(task: number): Neighbour[]
}

function refuse(what: string): never {
  throw new RangeError(what)
}

function check(set: EngineTaskSet): void {
  const environments = new Set<string>()
  set.environments.forEach(({ key, rewardRange }, e) => {
    if (environments.has(key)) refuse(`Environment key "${key}" is used twice.`)
    environments.add(key)
    if (rewardRange === null) return
    const [low, high] = rewardRange
    if (!Number.isFinite(low) || !Number.isFinite(high) || low >= high) {
      refuse(`Reward range [${low}, ${high}] of environment ${e} ("${key}") is not a range.`)
    }
  })
  const tasks = new Set<string>()
  set.tasks.forEach(({ environment, key }, i) => {
    if (set.environments[environment] === undefined) refuse(`Task ${i} ("${key}") names environment ${environment}.`)
    const identity = `${environment} ${key}`
    if (tasks.has(identity)) refuse(`Task key "${key}" is used twice in environment ${environment}.`)
    tasks.add(identity)
  })
}

function neighbourLists(hash: Uint32Array, edges: readonly TaskEdge[]): Neighbour[][] {
  const lists: Neighbour[][] = Array.from(hash, () => [])
  for (const { source, target, kind, weight } of edges) {
    lists[source]!.push({ task: target, kind, weight })
    lists[target]!.push({ task: source, kind, weight })
  }
  for (const list of lists)
    list.sort((a, b) => (a.weight === b.weight ? hash[a.task]! - hash[b.task]! : b.weight - a.weight))
  return lists
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Builds the structure. Throws RangeError naming the value: a repeated key, an unknown environment, an empty reward range. */
export function buildStructure(set: EngineTaskSet): Structure {
  check(set)
  const { tasks, environments } = set
  const environmentOf = Int32Array.from(tasks, (task) => task.environment)
  const lengthOf = Int32Array.from(tasks, (task) => task.tools.length)
  const tasksOf: number[][] = environments.map(() => [])
  tasks.forEach((task, i) => {
    tasksOf[task.environment]!.push(i)
  })
  const identity = (i: number) => `${environments[tasks[i]!.environment]!.key}\u0000${tasks[i]!.key}`
  const taskKeyHash = Uint32Array.from(tasks, (_, i) => hashText(identity(i)))
  const toolboxes = environments.map(toolboxOf)
  const roles = tasks.map((task) => task.tools.map((name) => roleIn(toolboxes[task.environment]!, name)))
  const { pattern, names } = patternsOf(roles)
  const within = tasks.map((task, i) => withinThings(task, names[pattern[i]!]!))
  const cross = tasks.map((task, i) => crossThings(task, toolboxes[task.environment]!, names[pattern[i]!]!))
  const inside = hubsWithin(tasksOf, within, environmentOf)
  const across = hubsAcross(cross, environmentOf)
  const texts = tasks.map((task) => task.text)
  const likeness = likenessOf({ environmentOf, lengthOf, tasksOf, within, cross, texts })
  const edges = once(() => strongestEdges(likeness, { hash: taskKeyHash, key: identity }))
  const lists = once(() => neighbourLists(taskKeyHash, edges()))
  return {
    tasks: tasks.length,
    environments: environments.length,
    environmentOf,
    tasksOf,
    taskKeyHash,
    lengthOf,
    pattern,
    patternNames: names,
    hubs: { within: inside.hubs, cross: across.hubs },
    within: inside.rows,
    cross: across.rows,
    steps: stepsOf(tasks, toolboxes, { within: inside.hubs, cross: across.hubs }),
    likeness,
    edges,
    neighbours: (task) => lists()[task] ?? [],
  }
}

/** Likeness of any two tasks, 0 to 1, equal to the weight of their edge where one is stored. */
export function similarity(structure: Structure, i: number, j: number): number {
  return likenessBetween(structure.likeness, i, j)
}
