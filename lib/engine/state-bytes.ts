/**
 * The state as bytes and back: identical floats, identical order, so that a snapshot only saves time.
 * Owns: the layout (little-endian): "ESS1", header length, JSON header, then each column at a multiple of 8, then the field.
 * Invariant: encode(decode(bytes)) = bytes. Refused: other magic, other column lengths. Cost: O(N + E + window).
 */
import type { SchedulerConfig } from './config'
import { type ActiveOverride, createState, type Lease, type State, type Totals, type WindowPick } from './state'
import type { EngineTaskSet } from './task-set'

const MAGIC = 0x31535345

interface Header {
  seed: number
  config: SchedulerConfig
  totals: Totals
  overrides: ActiveOverride[]
  leases: Lease[]
  window: WindowPick[]
  patterns: number
  columns: number[]
}

type Column = Float64Array | Int32Array | Uint8Array

function columnsOf(state: State): Column[] {
  return [...Object.values(state.tasks), ...Object.values(state.environments), ...Object.values(state.patterns)]
}

const padded = (length: number) => Math.ceil(length / 8) * 8

/** Bytes of the state followed by those of the field. */
export function encodeState(state: State, field: Uint8Array): Uint8Array {
  const columns = columnsOf(state)
  const header: Header = {
    seed: state.seed,
    config: state.config,
    totals: state.totals,
    overrides: state.overrides,
    leases: [...state.leases.values()],
    window: state.window,
    patterns: state.patterns.covered.length,
    columns: columns.map((column) => column.byteLength),
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const start = padded(8 + text.length)
  const size = columns.reduce((sum, column) => sum + padded(column.byteLength), start)
  const bytes = new Uint8Array(size + field.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, text.length, true)
  bytes.set(text, 8)
  let at = start
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += padded(column.byteLength)
  }
  bytes.set(field, at)
  return bytes
}

/** The state, and the bytes of the field behind it. Throws RangeError where the bytes are not a state of this task set. */
export function decodeState(set: EngineTaskSet, bytes: Uint8Array): { state: State; field: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 8 || view.getUint32(0, true) !== MAGIC)
    throw new RangeError('These bytes are not a scheduler state.')
  const length = view.getUint32(4, true)
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))
  const state = createState(set, header.config, '', header.patterns)
  const columns = columnsOf(state)
  let at = padded(8 + length)
  columns.forEach((column, k) => {
    if (header.columns[k] !== column.byteLength)
      throw new RangeError(
        `Column ${k} of the state has ${header.columns[k]} bytes, the task set needs ${column.byteLength}.`,
      )
    new Uint8Array(column.buffer).set(bytes.subarray(at, at + column.byteLength))
    at += padded(column.byteLength)
  })
  state.seed = header.seed
  state.totals = header.totals
  state.overrides = header.overrides
  state.leases = new Map(header.leases.map((lease) => [lease.lease, lease]))
  state.window = header.window
  return { state, field: bytes.slice(at) }
}
