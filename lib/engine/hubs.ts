/**
 * Hubs: what is shared gets a node, tasks are joined to nodes instead of to each other.
 * Owns: which things become hubs, and the task-to-hub matrix in compressed rows.
 * Invariants: hubs are sorted by kind and name, so their order does not depend on how tasks are numbered; a hub has two tasks or
 * more (cross: of two environments or more); a hub that all tasks of an environment have alike is left to the environment's effect.
 * Cost: proportional to the things of all tasks.
 */
import { THING_KINDS, type Thing, type ThingKind } from './things'

export interface Hub {
  kind: ThingKind
  name: string
  /** number of tasks joined to it */
  tasks: number
}

/** Compressed rows: the entries of row i are `start[i]` to `start[i + 1]`, index ascending. */
export interface Rows {
  start: Int32Array
  index: Int32Array
  value: Float64Array
}

/** Largest numbers of hubs of one environment and across environments: the shared state stays small enough for a dense covariance. */
export const MOST_WITHIN = 160
export const MOST_CROSS = 256

interface Candidate extends Hub {
  members: number[]
  amounts: number[]
  environments: Set<number>
}

function compare(a: Hub, b: Hub): number {
  const kind = THING_KINDS.indexOf(a.kind) - THING_KINDS.indexOf(b.kind)
  return kind !== 0 ? kind : a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

function gather(
  tasks: readonly number[],
  things: readonly (readonly Thing[])[],
  environmentOf: Int32Array,
): Candidate[] {
  const byKey = new Map<string, Candidate>()
  for (const task of tasks) {
    for (const { kind, name, amount } of things[task]!) {
      const key = `${kind} ${name}`
      let hub = byKey.get(key)
      if (hub === undefined) {
        hub = { kind, name, tasks: 0, members: [], amounts: [], environments: new Set() }
        byKey.set(key, hub)
      }
      hub.tasks++
      hub.members.push(task)
      hub.amounts.push(amount)
      hub.environments.add(environmentOf[task]!)
    }
  }
  return [...byKey.values()]
}

function largest(hubs: Candidate[], most: number): Candidate[] {
  const ranked = hubs.sort((a, b) => b.tasks - a.tasks || compare(a, b)).slice(0, most)
  return ranked.sort(compare)
}

function join(hubs: readonly Candidate[], entries: [number, number][][]): Hub[] {
  hubs.forEach((hub, at) => {
    hub.members.forEach((task, k) => {
      entries[task]!.push([at, hub.amounts[k]!])
    })
  })
  return hubs.map(({ kind, name, tasks }) => ({ kind, name, tasks }))
}

function rowsOf(entries: readonly [number, number][][]): Rows {
  const start = new Int32Array(entries.length + 1)
  entries.forEach((row, i) => {
    start[i + 1] = start[i]! + row.length
  })
  const flat = entries.flat()
  return { start, index: Int32Array.from(flat, (e) => e[0]), value: Float64Array.from(flat, (e) => e[1]) }
}

/** Hubs inside each environment; row entries index into the hubs of the task's own environment. */
export function hubsWithin(
  tasksOf: readonly (readonly number[])[],
  things: readonly (readonly Thing[])[],
  environmentOf: Int32Array,
): { hubs: Hub[][]; rows: Rows } {
  const entries: [number, number][][] = things.map(() => [])
  const hubs = tasksOf.map((tasks) => {
    const shared = gather(tasks, things, environmentOf).filter(
      (hub) => hub.tasks > 1 && !(hub.tasks === tasks.length && hub.amounts.every((a) => a === hub.amounts[0])),
    )
    return join(largest(shared, MOST_WITHIN), entries)
  })
  return { hubs, rows: rowsOf(entries) }
}

/** Hubs across environments. */
export function hubsAcross(
  things: readonly (readonly Thing[])[],
  environmentOf: Int32Array,
): { hubs: Hub[]; rows: Rows } {
  const entries: [number, number][][] = things.map(() => [])
  const all = things.map((_, task) => task)
  const shared = gather(all, things, environmentOf).filter((hub) => hub.environments.size > 1)
  return { hubs: join(largest(shared, MOST_CROSS), entries), rows: rowsOf(entries) }
}
