/**
 * Where each effect of the field lies in its state vector, and each task's row of amounts.
 * Shapes: state = common effects (baseline, slope, cross hubs) | one block an environment (its own effect, its hubs) | one
 * deviation a task. Row i: common entries, then entries of its environment's block; the task's own deviation has amount 1.
 * Invariant: effects of prior deviation 0 have no entries; constant after creation, shared by clones.
 */
import type { FieldSettings } from './field-settings'
import type { Structure } from './structure'

export interface Layout {
  common: number
  /** environment e's block is `blockStart[e]` to `blockStart[e + 1]` */
  blockStart: Int32Array
  taskStart: number
  size: number
  /** prior variance and walk variance a policy version of each state entry */
  prior: Float64Array
  walk: Float64Array
  /** row i is `rowStart[i]` to `rowStart[i + 1]`, its block entries from `rowSplit[i]` on */
  rowStart: Int32Array
  rowSplit: Int32Array
  /** state entry, amount, and place inside `touched[e]` (common) or inside the block */
  rowIndex: Int32Array
  rowValue: Float64Array
  rowLocal: Int32Array
  /** common effects that tasks of each environment have entries for, ascending */
  touched: Int32Array[]
}

const BASELINE = 0
const SLOPE = 1
const FIRST_HUB = 2

function blockStarts(structure: Structure): Int32Array {
  const start = new Int32Array(structure.environments + 1)
  start[0] = FIRST_HUB + structure.hubs.cross.length
  structure.hubs.within.forEach((hubs, e) => {
    start[e + 1] = start[e]! + 1 + hubs.length
  })
  return start
}

function variances(
  structure: Structure,
  settings: FieldSettings,
  blockStart: Int32Array,
): [Float64Array, Float64Array] {
  const taskStart = blockStart[structure.environments]!
  const prior = new Float64Array(taskStart + structure.tasks)
  const walk = new Float64Array(prior.length)
  const { deviation, walk: step } = settings
  const put = (at: number, sd: number, noise: number) => {
    prior[at] = sd * sd
    walk[at] = sd > 0 ? noise * noise : 0
  }
  put(BASELINE, deviation.baseline, step.baseline)
  put(SLOPE, deviation.slope, step.slope)
  structure.hubs.cross.forEach((hub, h) => {
    put(FIRST_HUB + h, deviation.cross[hub.kind], step.cross)
  })
  structure.hubs.within.forEach((hubs, e) => {
    put(blockStart[e]!, deviation.environment, step.environment)
    hubs.forEach((hub, h) => {
      put(blockStart[e]! + 1 + h, deviation.within[hub.kind], step.within)
    })
  })
  for (let i = 0; i < structure.tasks; i++) put(taskStart + i, deviation.task, step.task)
  return [prior, walk]
}

/** Amount of the slope: a task that names no tools has an unknown length, and none. */
function slopeAmount(length: number, settings: FieldSettings): number {
  return length === 0 ? 0 : Math.min(length, settings.slopeLongest) - settings.slopeCentre
}

export function layoutOf(structure: Structure, settings: FieldSettings): Layout {
  const blockStart = blockStarts(structure)
  const taskStart = blockStart[structure.environments]!
  const [prior, walk] = variances(structure, settings, blockStart)
  const { tasks, environmentOf, within, cross } = structure
  const rowStart = new Int32Array(tasks + 1)
  const rowSplit = new Int32Array(tasks)
  const index: number[] = []
  const value: number[] = []
  const add = (at: number, amount: number) => {
    if (amount === 0 || prior[at] === 0) return
    index.push(at)
    value.push(amount)
  }
  const touchedSets = Array.from({ length: structure.environments }, () => new Set<number>())
  for (let i = 0; i < tasks; i++) {
    const e = environmentOf[i]!
    add(BASELINE, 1)
    add(SLOPE, slopeAmount(structure.lengthOf[i]!, settings))
    for (let k = cross.start[i]!; k < cross.start[i + 1]!; k++) add(FIRST_HUB + cross.index[k]!, cross.value[k]!)
    rowSplit[i] = index.length
    for (let k = rowStart[i]!; k < rowSplit[i]!; k++) touchedSets[e]!.add(index[k]!)
    add(blockStart[e]!, 1)
    for (let k = within.start[i]!; k < within.start[i + 1]!; k++)
      add(blockStart[e]! + 1 + within.index[k]!, within.value[k]!)
    rowStart[i + 1] = index.length
  }
  const touched = touchedSets.map((set) => Int32Array.from([...set].sort((a, b) => a - b)))
  const places = touched.map((list) => new Map([...list].map((at, k) => [at, k])))
  const rowLocal = new Int32Array(index.length)
  for (let i = 0; i < tasks; i++) {
    const e = environmentOf[i]!
    for (let k = rowStart[i]!; k < rowStart[i + 1]!; k++) {
      rowLocal[k] = k < rowSplit[i]! ? places[e]!.get(index[k]!)! : index[k]! - blockStart[e]!
    }
  }
  return {
    common: blockStart[0]!,
    blockStart,
    taskStart,
    size: taskStart + tasks,
    prior,
    walk,
    rowStart,
    rowSplit,
    rowIndex: Int32Array.from(index),
    rowValue: Float64Array.from(value),
    rowLocal,
    touched,
  }
}

/** Name of a state entry, as people read it. */
export function effectName(structure: Structure, layout: Layout, at: number): string {
  if (at === BASELINE) return 'baseline'
  if (at === SLOPE) return 'length'
  if (at < layout.common) return structure.hubs.cross[at - FIRST_HUB]!.name
  if (at >= layout.taskStart) return 'task'
  let e = 0
  while (layout.blockStart[e + 1]! <= at) e++
  const local = at - layout.blockStart[e]!
  return local === 0 ? 'environment' : structure.hubs.within[e]![local - 1]!.name
}
