/**
 * The part of a structure that a field uses: hubs of kinds that its settings give no room are left out, so that the state and its
 * covariance hold only what can move. Invariant: tasks, environments and keys stay; hubs keep their order.
 */
import type { FieldSettings } from './field-settings'
import type { Hub, Rows } from './hubs'
import type { Steps } from './steps'
import type { Structure } from './structure'

const LEFT_OUT = -1

/** New place of each hub, LEFT_OUT where it is dropped. */
function places(hubs: readonly Hub[], keep: (hub: Hub) => boolean): Int32Array {
  let next = 0
  return Int32Array.from(hubs, (hub) => (keep(hub) ? next++ : LEFT_OUT))
}

function rowsKept(rows: Rows, placesOf: (task: number) => Int32Array): Rows {
  const start = new Int32Array(rows.start.length)
  const index: number[] = []
  const value: number[] = []
  for (let i = 0; i + 1 < start.length; i++) {
    const at = placesOf(i)
    for (let k = rows.start[i]!; k < rows.start[i + 1]!; k++) {
      const place = at[rows.index[k]!]!
      if (place === LEFT_OUT) continue
      index.push(place)
      value.push(rows.value[k]!)
    }
    start[i + 1] = index.length
  }
  return { start, index: Int32Array.from(index), value: Float64Array.from(value) }
}

/** @returns the structure as `settings` see it. */
export function structurePart(structure: Structure, settings: FieldSettings): Structure {
  const { within, cross } = settings.deviation
  const inside = structure.hubs.within.map((hubs) => places(hubs, ({ kind }) => within[kind] > 0))
  const across = places(structure.hubs.cross, ({ kind }) => cross[kind] > 0)
  const { environmentOf, steps } = structure
  const taskOf = new Int32Array(steps.count.length)
  for (let i = 0; i < structure.tasks; i++) taskOf.fill(i, steps.start[i]!, steps.start[i + 1]!)
  const moved = (hub: number, at: Int32Array) => (hub < 0 ? LEFT_OUT : at[hub]!)
  const kept: Steps = {
    ...steps,
    within: steps.within.map((hub, s) => moved(hub, inside[environmentOf[taskOf[s]!]!]!)),
    tool: steps.tool.map((hub) => moved(hub, across)),
    role: steps.role.map((hub) => moved(hub, across)),
  }
  return {
    ...structure,
    hubs: {
      within: structure.hubs.within.map((hubs, e) => hubs.filter((_, h) => inside[e]![h] !== LEFT_OUT)),
      cross: structure.hubs.cross.filter((_, h) => across[h] !== LEFT_OUT),
    },
    within: rowsKept(structure.within, (i) => inside[environmentOf[i]!]!),
    cross: rowsKept(structure.cross, () => across),
    steps: kept,
  }
}
