/**
 * Merging of groups older than the trace, so that memory is bounded however long a run is.
 * The state's mean is linear in the groups' targets, so a merged group's part of it is carried forward through later merges: exactly
 * for each source environment; for each source task only the part that stays with the common effects, its own block and
 * itself. What one source task moved in other places is counted with its environment and shown as the rest of its kind.
 * Cost of a merge: sources times (entries of a row + gains).
 */
import type { Field } from './field-state'
import type { OlderSource, TracedGroup } from './trace'

function along(field: Field, task: number, common: Float64Array, own: Float64Array | null, deviation: number): number {
  const { layout } = field
  let sum = deviation
  const split = layout.rowSplit[task]!
  for (let r = layout.rowStart[task]!; r < split; r++) sum += layout.rowValue[r]! * common[layout.rowIndex[r]!]!
  if (own === null) return sum
  for (let r = split; r < layout.rowStart[task + 1]!; r++) sum += layout.rowValue[r]! * own[layout.rowLocal[r]!]!
  return sum
}

function shiftBy(vector: Float64Array, start: number, gain: Float64Array, shift: number): void {
  for (let d = 0; d < gain.length; d++) vector[start + d]! += gain[d]! * shift
}

function sourceOf(field: Field, group: TracedGroup): OlderSource {
  const { sources } = field.older
  const known = sources.get(group.task)
  if (known !== undefined) return known
  const source: OlderSource = {
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
  }
  sources.set(group.task, source)
  return source
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
    const shift = (target - along(field, group.task, part, own, part[at]!)) / group.scale
    shiftBy(part, 0, group.commonGain, shift)
    shiftBy(part, start, group.ownGain, shift)
    part[at]! += group.taskGain * shift
  }
}

function carrySources(field: Field, group: TracedGroup): void {
  const { environmentOf } = field.structure
  const home = environmentOf[group.task]!
  const itself = sourceOf(field, group)
  for (const [task, source] of field.older.sources) {
    const near = environmentOf[task] === home
    const deviation = source === itself ? source.deviation : 0
    const target = source === itself ? group.target : 0
    const shift = (target - along(field, group.task, source.common, near ? source.own : null, deviation)) / group.scale
    shiftBy(source.common, 0, group.commonGain, shift)
    if (near) shiftBy(source.own, 0, group.ownGain, shift)
    if (source === itself) source.deviation += group.taskGain * shift
  }
  itself.policyVersion = Math.max(itself.policyVersion, group.policyVersion)
  itself.versions = group.versions
  itself.groups += 1
  itself.rollouts += group.trusted
  itself.reward += group.trusted * group.mean
  itself.variance += group.trusted * group.variance
  itself.observation += group.trusted * group.observation
}

/** Merges the oldest groups until the trace is within its limits. */
export function mergeOlder(field: Field): void {
  const { traceGroups, traceFloats } = field.settings
  while (field.trace.length > 1) {
    const [first] = field.trace
    const floats = first!.commonGain.length + first!.ownGain.length
    if (field.trace.length <= Math.min(traceGroups, traceFloats / floats)) return
    field.trace.shift()
    carryEnvironments(field, first!)
    carrySources(field, first!)
  }
}
