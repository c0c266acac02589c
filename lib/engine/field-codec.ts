/**
 * A field as bytes and back, with identical floats.
 * Owns: the format: one array of 64-bit floats behind a header of version and sizes. Structure and settings are not in it: they are
 * rebuilt from the task set. Invariant: decode(encode(field)) equals the field to the bit; bytes of another structure are refused.
 */

import type { Move } from './field-exposure'
import type { FieldSettings } from './field-settings'
import { createField, type Field } from './field-state'
import { addSource } from './older'
import type { Structure } from './structure'
import type { EngineTaskSet } from './task-set'
import type { OlderSource, TracedGroup } from './trace'

const FORMAT = 2

class Writer {
  private readonly parts: Float64Array[] = []
  private loose: number[] = []

  number(...values: number[]): void {
    this.loose.push(...values)
  }

  array(values: Float64Array): void {
    this.flush()
    this.parts.push(values)
  }

  bytes(): Uint8Array {
    this.flush()
    const all = new Float64Array(this.parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of this.parts) {
      all.set(part, at)
      at += part.length
    }
    return new Uint8Array(all.buffer)
  }

  private flush(): void {
    if (this.loose.length > 0) this.parts.push(Float64Array.from(this.loose))
    this.loose = []
  }
}

class Reader {
  private at = 0
  constructor(private readonly all: Float64Array) {}

  number(): number {
    const value = this.all[this.at++]
    if (value === undefined) throw new RangeError('The bytes of a field end too early.')
    return value
  }

  array(length: number): Float64Array {
    const values = this.all.slice(this.at, this.at + length)
    if (values.length !== length) throw new RangeError('The bytes of a field end too early.')
    this.at += length
    return values
  }
}

/** The arrays of fixed length, in the order they are written. */
function fixedArrays(field: Field): Float64Array[] {
  const blocks = field.blocks.flatMap((block) => [block.covariance, block.regression])
  const { graded, realised, binomial, floor, groups, rollouts, reward, variance, weight } = field.book
  const book = [graded, realised, binomial, floor, groups, rollouts, reward, variance, weight]
  const { mean, common, taskVariance, deadOdds, low, high, exposure } = field
  return [mean, common, ...blocks, taskVariance, deadOdds, low, high, exposure, ...book]
}

function header(field: Field): number[] {
  const { layout, structure } = field
  const names = structure.taskKeyHash.reduce((hash, next) => (Math.imul(hash, 31) + next) >>> 0, 7)
  return [FORMAT, structure.tasks, structure.environments, layout.common, layout.size, layout.rowIndex.length, names]
}

const LEASELESS = -1

function writeGroup(writer: Writer, group: TracedGroup): void {
  writer.number(group.task, group.policyVersion, group.lease ?? LEASELESS, group.trusted, group.sum, group.sumSquares)
  writer.number(group.low, group.high, group.versions, group.mean, group.variance, group.target, group.scale)
  writer.number(group.observation, group.taskGain)
  writer.array(group.row)
  writer.array(group.commonGain)
  writer.array(group.ownGain)
}

function readGroup(reader: Reader, field: Field): TracedGroup {
  const task = reader.number()
  const policyVersion = reader.number()
  const lease = reader.number()
  const [trusted, sum, sumSquares, low, high, versions] = Array.from({ length: 6 }, () => reader.number())
  const [mean, variance, target, scale, observation, taskGain] = Array.from({ length: 6 }, () => reader.number())
  const e = field.structure.environmentOf[task]!
  return {
    task,
    policyVersion,
    lease: lease === LEASELESS ? null : lease,
    trusted: trusted!,
    sum: sum!,
    sumSquares: sumSquares!,
    low: low!,
    high: high!,
    versions: versions!,
    mean: mean!,
    variance: variance!,
    target: target!,
    scale: scale!,
    observation: observation!,
    taskGain: taskGain!,
    row: reader.array(field.layout.rowStart[task + 1]! - field.layout.rowStart[task]!),
    commonGain: reader.array(field.layout.common),
    ownGain: reader.array(field.layout.blockStart[e + 1]! - field.layout.blockStart[e]!),
  }
}

function writeMove(writer: Writer, { after, entry, speed, amount }: Move): void {
  writer.number(after, entry.length, ...entry, ...speed)
  writer.array(amount)
}

function readMove(reader: Reader): Move {
  const after = reader.number()
  const length = reader.number()
  const entry = Int32Array.from(reader.array(length))
  const speed = Int32Array.from(reader.array(length))
  return { after, entry, speed, amount: reader.array(length) }
}

function writeSource(writer: Writer, task: number, source: OlderSource): void {
  writer.number(task, source.policyVersion, source.versions, source.groups, source.rollouts)
  writer.number(source.reward, source.variance, source.observation, source.deviation)
  writer.array(source.common)
  writer.array(source.own)
}

function addReadSource(reader: Reader, field: Field): void {
  const [task, policyVersion, versions, groups, rollouts] = Array.from({ length: 5 }, () => reader.number())
  const [reward, variance, observation, deviation] = Array.from({ length: 4 }, () => reader.number())
  const e = field.structure.environmentOf[task!]!
  const source: OlderSource = {
    policyVersion: policyVersion!,
    versions: versions!,
    groups: groups!,
    rollouts: rollouts!,
    reward: reward!,
    variance: variance!,
    observation: observation!,
    deviation: deviation!,
    common: reader.array(field.layout.common),
    own: reader.array(field.layout.blockStart[e + 1]! - field.layout.blockStart[e]!),
  }
  addSource(field.older, task!, e, source)
}

export function encodeField(field: Field): Uint8Array {
  const writer = new Writer()
  writer.number(...header(field), field.versions, field.exposed, field.merged)
  for (const array of fixedArrays(field)) writer.array(array)
  writer.number(field.trace.length)
  for (const group of field.trace) writeGroup(writer, group)
  writer.number(field.moves.length)
  for (const move of field.moves) writeMove(writer, move)
  writer.number(field.older.sources.size)
  for (const [task, source] of field.older.sources) writeSource(writer, task, source)
  writer.number(field.older.environments.size)
  for (const [e, part] of field.older.environments) {
    writer.number(e)
    writer.array(part)
  }
  return writer.bytes()
}

/** The field that `bytes` hold. Throws RangeError if they belong to another structure or are cut off. */
export function decodeField(
  structure: Structure,
  set: EngineTaskSet,
  bytes: Uint8Array,
  settings?: FieldSettings,
): Field {
  if (bytes.length % 8 !== 0) throw new RangeError(`A field does not have ${bytes.length} bytes.`)
  const field = createField(structure, set, settings)
  const reader = new Reader(new Float64Array(bytes.slice().buffer))
  for (const expected of header(field)) {
    const found = reader.number()
    if (found !== expected) throw new RangeError(`The bytes belong to another field: ${found} instead of ${expected}.`)
  }
  field.versions = reader.number()
  field.exposed = reader.number()
  field.merged = reader.number()
  for (const array of fixedArrays(field)) array.set(reader.array(array.length))
  for (let left = reader.number(); left > 0; left--) field.trace.push(readGroup(reader, field))
  for (let left = reader.number(); left > 0; left--) field.moves.push(readMove(reader))
  for (let left = reader.number(); left > 0; left--) addReadSource(reader, field)
  for (let left = reader.number(); left > 0; left--) {
    field.older.environments.set(reader.number(), reader.array(field.layout.size))
  }
  return field
}
