/** First rows of a file whose form nobody knows, for a person to say what its columns are. */
import type { Opened } from './containers/open-file'
import { type Shape, shapesOf } from './containers/shape'
import { rowsIn } from './rows-in'
import { asRow, type Row } from './untyped'

const SAMPLED = 20
const LOOKED_AT = 200

/** At most 20 objects; none where the file holds none. A file that is one object is opened where a list lies in it. */
export async function sampleRows(opened: Opened): Promise<Row[]> {
  const shape = await shapeOf(opened)
  const rows: Row[] = []
  let seen = 0
  for await (const { row } of rowsIn(opened, shape)) {
    if (row !== null && Object.keys(row).length > 0) rows.push(row)
    seen += 1
    if (rows.length === SAMPLED || seen === LOOKED_AT) break
  }
  return rows
}

async function shapeOf(opened: Opened): Promise<Shape> {
  let first: Row | null = null
  let count = 0
  for await (const { value } of opened.rows()) {
    first ??= asRow(value)
    count += 1
    if (count === 2) break
  }
  const [likely] = first === null ? [] : shapesOf(first)
  if (likely === undefined) return { kind: 'whole' }
  return count === 1 || likely.kind === 'columns' ? likely : { kind: 'whole' }
}
