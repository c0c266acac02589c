/**
 * The rows of an opened file in the shape that was recognised, with what keeps a row from being one.
 * Invariant: a row that comes without a problem can be walked by recursion and written as JSON again.
 */
import type { Opened } from './containers/open-file'
import { type Shape, unfolded } from './containers/shape'
import { written } from './mapping'
import { asRow, type Row } from './untyped'

export type ReadRow = { line: number; within: Row | null } & (
  | { row: Row; problem: null }
  /** `text`: how it begins */
  | { row: null; problem: string; text: string }
)

const NO_OBJECT = 'it is not an object'
const TOO_DEEP = 'its brackets are nested too deeply'
/** Deeper rows would not come back out of the store either. */
const DEEPEST = 300

/** Rows that lie inside objects are counted through the file. */
export async function* rowsIn(
  opened: Opened,
  shape: Shape,
  onBytes?: (length: number) => void,
): AsyncGenerator<ReadRow> {
  let place = 0
  for await (const { value, line, problem, text } of opened.rows(onBytes)) {
    const whole = asRow(value)
    if (problem !== null) yield { row: null, line, problem, within: null, text: text ?? '' }
    else if (whole === null || shape.kind === 'whole') yield readRow(value, line, null)
    else {
      const { outer, rows } = unfolded(whole, shape)
      for (const item of rows) {
        place += 1
        yield readRow(item, place, outer)
      }
    }
  }
}

function readRow(value: unknown, line: number, within: Row | null): ReadRow {
  const row = asRow(value)
  if (row === null) return { row, line, within, problem: NO_OBJECT, text: written(value) ?? '' }
  return isShallow(row, DEEPEST)
    ? { row, line, within, problem: null }
    : { row: null, line, within, problem: TOO_DEEP, text: Object.keys(row).join(', ').slice(0, 400) }
}

function isShallow(value: unknown, within: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (within === 0) return false
  for (const inner of Object.values(value)) if (!isShallow(inner, within - 1)) return false
  return true
}
