/**
 * Merging of groups older than the trace, so that memory is bounded however long a run is.
 * The state's mean is linear in the groups' targets, so a merged group's part of it is carried forward through later merges: exactly
 * for each source environment; for each source task only the part that stays with the common effects, its own block and
 * itself. What one source task moved in other places is counted with its environment and shown as the rest of its kind.
 * Cost of a merge: sources times (entries of a row + gains).
 */
import type { Move } from './field-exposure'
import type { Field } from './field-state'
import type { Older, OlderSource, TracedGroup } from './trace'

function along(
  { layout }: Field,
  { task, row }: TracedGroup,
  common: Float64Array,
  own: Float64Array,
  deviation: number,
): number {
  let sum = deviation
  const first = layout.rowStart[task]!
  const split = layout.rowSplit[task]!
  for (let r = first; r < split; r++) sum += row[r - first]! * common[layout.rowIndex[r]!]!
  for (let r = split; r < layout.rowStart[task + 1]!; r++) sum += row[r - first]! * own[layout.rowLocal[r]!]!
  return sum
}

function shiftBy(vector: Float64Array, start: number, gain: Float64Array, shift: number): void {
  for (let d = 0; d < gain.length; d++) vector[start + d]! += gain[d]! * shift
}

function sourceOf(field: Field, group: TracedGroup): OlderSource {
  const known = field.older.sources.get(group.task)
  if (known !== undefined) return known
  return addSource(field.older, group.task, field.structure.environmentOf[group.task]!, {
    policyVersion: group.policyVersion,
    versions: group.versions,
    groups: 0,
    rollouts: 0,
    reward: 0,
    variance: 0,
    observation: 0,
    common: new Float64Array(group.commonGain.length),
    own: new Float64Array(group.ownGain.length),
    deviation: 0,
  })
}

const LEAST_ROOM = 64

/** Lays the sources' common parts into new arrays with room for `room` sources. */
function lay(older: Older, width: number, room: number): void {
  const common = new Float64Array(room * width)
  const homes = new Int32Array(room)
  common.set(older.common.subarray(0, older.sources.size * width))
  homes.set(older.homes.subarray(0, older.sources.size))
  older.common = common
  older.homes = homes
  let at = 0
  for (const source of older.sources.values()) {
    source.common = common.subarray(at, at + width)
    at += width
  }
}

/** Adds a source that is not there yet; its common part is copied beside those of the others. */
export function addSource(older: Older, task: number, home: number, source: OlderSource): OlderSource {
  const width = source.common.length
  const k = older.sources.size
  if (k >= older.homes.length) lay(older, width, Math.max(LEAST_ROOM, 2 * k))
  const common = older.common.subarray(k * width, (k + 1) * width)
  common.set(source.common)
  older.homes[k] = home
  const added = { ...source, common }
  older.sources.set(task, added)
  return added
}

/** A copy that shares nothing. */
export function cloneOlder({ sources, common, homes, environments }: Older): Older {
  const copy: Older = {
    sources: new Map([...sources].map(([task, source]) => [task, { ...source, own: source.own.slice() }])),
    common,
    homes,
    environments: new Map([...environments].map(([e, part]) => [e, part.slice()])),
  }
  const [first] = sources.values()
  lay(copy, first?.common.length ?? 0, first === undefined ? 0 : homes.length)
  return copy
}

function carryEnvironments(field: Field, group: TracedGroup): void {
  const { layout, structure, older } = field
  const home = structure.environmentOf[group.task]!
  if (!older.environments.has(home)) older.environments.set(home, new Float64Array(layout.size))
  const start = layout.blockStart[home]!
  const at = layout.taskStart + group.task
  for (const [e, part] of older.environments) {
    const own = part.subarray(start, layout.blockStart[home + 1]!)
    const target = e === home ? group.target : 0
    const shift = (target - along(field, group, part, own, part[at]!)) / group.scale
    shiftBy(part, 0, group.commonGain, shift)
    shiftBy(part, start, group.ownGain, shift)
    part[at]! += group.taskGain * shift
  }
}

function carryNear(field: Field, group: TracedGroup, source: OlderSource, isItself: boolean): void {
  const deviation = isItself ? source.deviation : 0
  const target = isItself ? group.target : 0
  const shift = (target - along(field, group, source.common, source.own, deviation)) / group.scale
  shiftBy(source.common, 0, group.commonGain, shift)
  shiftBy(source.own, 0, group.ownGain, shift)
  if (isItself) source.deviation += group.taskGain * shift
}

/**
 * Sources of other environments share nothing with the group but common effects. There may be tens of thousands, and each group
 * walks them all: over one array, since a source's own object costs ten times as much to reach as to carry.
 */
function carryFar(field: Field, group: TracedGroup, home: number): void {
  const { rowStart, rowSplit, rowIndex } = field.layout
  const { sources, common, homes } = field.older
  const { commonGain, scale, task, row } = group
  const first = rowStart[task]!
  const width = commonGain.length
  for (let k = 0, at = 0; k < sources.size; k++, at += width) {
    if (homes[k] === home) continue
    let sum = 0
    for (let r = first; r < rowSplit[task]!; r++) sum += row[r - first]! * common[at + rowIndex[r]!]!
    const shift = (0 - sum) / scale
    for (let d = 0; d < width; d++) common[at + d]! += commonGain[d]! * shift
  }
}

function carrySources(field: Field, group: TracedGroup): void {
  const { environmentOf, tasksOf } = field.structure
  const home = environmentOf[group.task]!
  const itself = sourceOf(field, group)
  for (const task of tasksOf[home]!) {
    const source = field.older.sources.get(task)
    if (source !== undefined) carryNear(field, group, source, source === itself)
  }
  carryFar(field, group, home)
  itself.policyVersion = Math.max(itself.policyVersion, group.policyVersion)
  itself.versions = group.versions
  itself.groups += 1
  itself.rollouts += group.trusted
  itself.reward += group.trusted * group.mean
  itself.variance += group.trusted * group.variance
  itself.observation += group.trusted * group.observation
}

/** What merged groups hold of an effect's speed moves the effect, as it moved the mean. */
function carryMove(field: Field, { entry, speed, amount }: Move): void {
  const { layout, structure, older } = field
  for (const part of older.environments.values())
    for (let k = 0; k < entry.length; k++) part[entry[k]!]! += amount[k]! * part[speed[k]!]!
  for (const [task, { common, own }] of older.sources) {
    const e = structure.environmentOf[task]!
    const start = layout.blockStart[e]!
    const end = layout.blockStart[e + 1]!
    for (let k = 0; k < entry.length; k++) {
      const at = entry[k]!
      const by = amount[k]! * common[speed[k]!]!
      if (at < layout.common) common[at]! += by
      else if (at >= start && at < end) own[at - start]! += by
    }
  }
}

/** Groups that the trace of this field may keep, 1 at least. */
export function traceRoom({ settings, trace }: Field): number {
  const [first] = trace
  if (first === undefined) return settings.traceGroups
  const floats = first.commonGain.length + first.ownGain.length
  return Math.max(1, Math.min(settings.traceGroups, Math.floor(settings.traceFloats / floats)))
}

/** Merges the oldest groups until the trace keeps no more than `most`. */
export function mergeOlder(field: Field, most: number): void {
  while (field.trace.length > most) {
    while (field.moves.length > 0 && field.moves[0]!.after <= field.merged) carryMove(field, field.moves.shift()!)
    const group = field.trace.shift()!
    field.merged += 1
    carryEnvironments(field, group)
    carrySources(field, group)
  }
}
