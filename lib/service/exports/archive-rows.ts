/**
 * A stored row as one line of JSON and back. Owns: how bytes are written. Invariant: back and forth changes nothing:
 * null stays null, texts, whole numbers and floats come back to the bit.
 */
import type { RawRow } from '@/lib/store/archive'

const BYTES = '$bytes'

export function lineOf(row: RawRow): string {
  return `${JSON.stringify(row, (_key, value: unknown) => (value instanceof Uint8Array ? bytesOf(value) : plain(value)))}\n`
}

/** A Buffer has turned itself into `{ type: 'Buffer', data }` before a replacer sees it. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'Buffer') return value
  return 'data' in value && Array.isArray(value.data) ? bytesOf(Uint8Array.from(value.data)) : value
}

const bytesOf = (bytes: Uint8Array) => ({ [BYTES]: Buffer.from(bytes).toString('base64') })

/** Null where the value is no row. */
export function rowOf(value: unknown): RawRow | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return Object.fromEntries(Object.entries(value).map(([name, cell]) => [name, cellOf(cell)]))
}

function cellOf(cell: unknown): unknown {
  if (typeof cell !== 'object' || cell === null || !(BYTES in cell)) return cell
  const text = (cell as Record<string, unknown>)[BYTES]
  return typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64')) : cell
}
