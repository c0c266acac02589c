/**
 * Which effects each task's logit depends on, in the additive and in the conjunctive form.
 * Shapes: row i is `rowStart[i]` to `rowStart[i + 1]`, its block entries from `rowSplit[i]` on, indices ascending. The conjunctive form
 * adds chains: the steps of task i are `stepStart[i]` to `stepStart[i + 1]`; the effects of step s are places in its task's row.
 * Baseline and environment belong to every step. State and checks say again
 * what the calls already say (they made predictions worse beside them), so they count only where no call is named. Invariant: a task without named calls is one step of them alone.
 */
import { BASELINE, FIRST_HUB, SLOPE } from './field-places'
import type { FieldSettings } from './field-settings'
import type { Rows } from './hubs'
import type { Structure } from './structure'

export interface Chains {
  stepStart: Int32Array
  /** how often the step is called */
  count: Float64Array
  /** the places of step s are `placeStart[s]` to `placeStart[s + 1]` */
  placeStart: Int32Array
  place: Int32Array
  /** by row entry: 1 where it adds to the whole task instead of to its steps */
  outside: Uint8Array
  /** by row entry: 1 where a step names it; what is neither belongs to every step */
  named: Uint8Array
}

export interface TaskRows {
  rowStart: Int32Array
  rowSplit: Int32Array
  /** state entry, amount, and place inside `touched[e]` (common) or inside the block */
  rowIndex: Int32Array
  /** additive form: the amounts; conjunctive: of entries outside the chain, else 1 */
  rowValue: Float64Array
  rowLocal: Int32Array
  /** common effects that tasks of each environment have entries for, and the speeds, ascending */
  touched: Int32Array[]
  chains: Chains | null
}

interface Places {
  blockStart: Int32Array
  prior: Float64Array
  /** common effects that every environment is touched by */
  always: readonly number[]
}

/** Entries of one task: state entry -> amount, and the entries of each step. */
interface Entries {
  amounts: Map<number, number>
  steps: { count: number; at: number[] }[]
}

/** Amount of the slope: a task that names no tools has an unknown length, and none. */
function slopeAmount(length: number, settings: FieldSettings): number {
  return length === 0 ? 0 : Math.min(length, settings.slopeLongest) - settings.slopeCentre
}

function additive(structure: Structure, settings: FieldSettings, places: Places, i: number): Entries {
  const block = places.blockStart[structure.environmentOf[i]!]!
  const amounts = new Map([
    [BASELINE, 1],
    [SLOPE, slopeAmount(structure.lengthOf[i]!, settings)],
    [block, 1],
  ])
  const join = ({ start, index, value }: Rows, first: number) => {
    for (let k = start[i]!; k < start[i + 1]!; k++) amounts.set(first + index[k]!, value[k]!)
  }
  join(structure.cross, FIRST_HUB)
  join(structure.within, block + 1)
  return { amounts, steps: [] }
}

function conjunctive(structure: Structure, places: Places, i: number): Entries {
  const e = structure.environmentOf[i]!
  const block = places.blockStart[e]!
  const { start, count, within, tool, role } = structure.steps
  const amounts = new Map([
    [BASELINE, 1],
    [block, 1],
  ])
  const hubs = structure.hubs.within[e]!
  const named = start[i + 1]! > start[i]!
  for (let k = structure.within.start[i]!; !named && k < structure.within.start[i + 1]!; k++) {
    const hub = structure.within.index[k]!
    const { kind } = hubs[hub]!
    if (kind === 'state' || kind === 'check') amounts.set(block + 1 + hub, structure.within.value[k]!)
  }
  const steps: Entries['steps'] = []
  for (let s = start[i]!; s < start[i + 1]!; s++) {
    const at: number[] = []
    const add = (first: number, hub: number) => {
      if (hub < 0 || places.prior[first + hub] === 0) return
      at.push(first + hub)
      amounts.set(first + hub, 1)
    }
    add(FIRST_HUB, tool[s]!)
    add(FIRST_HUB, role[s]!)
    add(block + 1, within[s]!)
    steps.push({ count: count[s]!, at })
  }
  if (steps.length === 0) steps.push({ count: 1, at: [] })
  return { amounts, steps }
}

export function rowsOf(structure: Structure, settings: FieldSettings, places: Places): TaskRows {
  const { tasks, environments, environmentOf } = structure
  const common = places.blockStart[0]!
  const rowStart = new Int32Array(tasks + 1)
  const rowSplit = new Int32Array(tasks)
  const index: number[] = []
  const value: number[] = []
  const outside: number[] = []
  const named: number[] = []
  const stepStart = new Int32Array(tasks + 1)
  const count: number[] = []
  const placeStart: number[] = [0]
  const place: number[] = []
  const touchedSets = Array.from({ length: environments }, () => new Set<number>(places.always))
  for (let i = 0; i < tasks; i++) {
    const entries =
      settings.form === 'additive' ? additive(structure, settings, places, i) : conjunctive(structure, places, i)
    const row = [...entries.amounts].filter(([at, amount]) => amount !== 0 && places.prior[at]! > 0)
    row.sort((a, b) => a[0] - b[0])
    const stepped = new Set(entries.steps.flatMap(({ at }) => at))
    const chained = new Set([BASELINE, places.blockStart[environmentOf[i]!]!, ...stepped])
    rowSplit[i] = index.length + row.filter(([at]) => at < common).length
    const placeOf = new Map(row.map(([at], k) => [at, k]))
    for (const [at, amount] of row) {
      index.push(at)
      value.push(amount)
      outside.push(chained.has(at) ? 0 : 1)
      named.push(stepped.has(at) ? 1 : 0)
      if (at < common) touchedSets[environmentOf[i]!]!.add(at)
    }
    for (const step of entries.steps) {
      count.push(step.count)
      for (const at of step.at) place.push(placeOf.get(at)!)
      placeStart.push(place.length)
    }
    rowStart[i + 1] = index.length
    stepStart[i + 1] = count.length
  }
  const touched = touchedSets.map((set) => Int32Array.from([...set].sort((a, b) => a - b)))
  const chains = {
    stepStart,
    count: Float64Array.from(count),
    placeStart: Int32Array.from(placeStart),
    place: Int32Array.from(place),
    outside: Uint8Array.from(outside),
    named: Uint8Array.from(named),
  }
  const rows = { rowStart, rowSplit, rowIndex: Int32Array.from(index) }
  return {
    ...rows,
    rowValue: Float64Array.from(value),
    rowLocal: localsOf(structure, rows, touched, places.blockStart),
    touched,
    chains: settings.form === 'additive' ? null : chains,
  }
}

function localsOf(
  structure: Structure,
  { rowStart, rowSplit, rowIndex }: Pick<TaskRows, 'rowStart' | 'rowSplit' | 'rowIndex'>,
  touched: readonly Int32Array[],
  blockStart: Int32Array,
): Int32Array {
  const { tasks, environmentOf } = structure
  const places = touched.map((list) => new Map([...list].map((at, k) => [at, k])))
  const rowLocal = new Int32Array(rowIndex.length)
  for (let i = 0; i < tasks; i++) {
    const e = environmentOf[i]!
    for (let r = rowStart[i]!; r < rowStart[i + 1]!; r++)
      rowLocal[r] = r < rowSplit[i]! ? places[e]!.get(rowIndex[r]!)! : rowIndex[r]! - blockStart[e]!
  }
  return rowLocal
}
