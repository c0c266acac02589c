/**
 * Cells of tables as the values that JSON lines would hold.
 * Invariant: an empty cell is null, never 0; a number that would not be written back the same stays text ("007", "1.10").
 */
import { looseJson } from '@/lib/contract/loose-json'

const DEEPEST = 60
const NOTHING = /^(|null|none|na|n\/a)$/i
const NOT_A_NUMBER = /^(nan|[+-]?inf(inity)?)$/i

/** A cell of a CSV file. */
export function textCell(text: string): unknown {
  const plain = text.trim()
  if (NOTHING.test(plain)) return null
  if (NOT_A_NUMBER.test(plain)) return /nan/i.test(plain) ? 'NaN' : plain.startsWith('-') ? '-Infinity' : 'Infinity'
  if (/^true$/i.test(plain)) return true
  if (/^false$/i.test(plain)) return false
  if (/^[-+\d.]/.test(plain) && plain.length < 32) {
    const number = Number(plain)
    const back = String(number)
    if (Number.isFinite(number) && (back === plain || `${back}.0` === plain || /e/i.test(plain))) return number
  }
  if (/^[[{]/.test(plain)) return looseJson(plain) ?? text
  return text
}

/** A value of a Parquet file: whole numbers as numbers, bytes as text, dates as ISO texts. */
export function binaryCell(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : String(value)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object') return value
  if (depth > DEEPEST) return null
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : null
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (ArrayBuffer.isView(value)) return [...(value as unknown as Iterable<unknown>)].map((one) => binaryCell(one))
  if (Array.isArray(value)) return value.map((one) => binaryCell(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, binaryCell(one, depth + 1)]))
}
