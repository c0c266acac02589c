/**
 * The placebo: the same structure with tasks permuted inside their environments, so that what they share means nothing.
 * Invariant: environments, keys and hubs stay; who trades with whom comes from key hashes, so renumbering tasks changes nothing.
 */
import { mix } from './draw'
import type { Rows } from './hubs'
import type { Structure } from './structure'

const DEAL = 0x706c6163

/** The task whose things each task is given. */
function dealt({ tasks, tasksOf, taskKeyHash }: Structure): Int32Array {
  const giver = new Int32Array(tasks)
  for (const list of tasksOf) {
    const order = (key: (task: number) => number) => [...list].sort((a, b) => key(a) - key(b) || a - b)
    const takers = order((task) => taskKeyHash[task]!)
    const givers = order((task) => mix(DEAL, taskKeyHash[task]!))
    takers.forEach((task, k) => {
      giver[task] = givers[k]!
    })
  }
  return giver
}

function rowsFrom(rows: Rows, giver: Int32Array): Rows {
  const start = new Int32Array(rows.start.length)
  const index: number[] = []
  const value: number[] = []
  giver.forEach((from, i) => {
    for (let k = rows.start[from]!; k < rows.start[from + 1]!; k++) {
      index.push(rows.index[k]!)
      value.push(rows.value[k]!)
    }
    start[i + 1] = index.length
  })
  return { start, index: Int32Array.from(index), value: Float64Array.from(value) }
}

export function permutedStructure(structure: Structure): Structure {
  const giver = dealt(structure)
  const { steps, lengthOf } = structure
  const start = new Int32Array(steps.start.length)
  const from: number[] = []
  giver.forEach((other, i) => {
    for (let s = steps.start[other]!; s < steps.start[other + 1]!; s++) from.push(s)
    start[i + 1] = from.length
  })
  const taken = (column: Int32Array) => Int32Array.from(from, (s) => column[s]!)
  return {
    ...structure,
    lengthOf: lengthOf.map((_, i) => lengthOf[giver[i]!]!),
    within: rowsFrom(structure.within, giver),
    cross: rowsFrom(structure.cross, giver),
    steps: {
      start,
      count: Float64Array.from(from, (s) => steps.count[s]!),
      within: taken(steps.within),
      tool: taken(steps.tool),
      role: taken(steps.role),
    },
  }
}
