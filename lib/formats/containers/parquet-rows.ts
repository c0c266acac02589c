/**
 * Rows of Parquet files, row group by row group; a large group in parts. Must never know what columns mean.
 * Invariant: a damaged group is told and loses no other; no length that the file claims is trusted beyond the file's own size.
 */
import {
  type Compressors,
  type FileMetaData,
  parquetMetadata,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { readColumn } from 'hyparquet/src/column.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import { flatten } from 'hyparquet/src/utils.js'
import { compressors } from 'hyparquet-compressors'
import { PackedError, type RandomAccess } from './bytes'
import type { JsonRow } from './json-rows'
import { binaryCell } from './table-cells'
import { within } from './within'

/** What is unpacked at once, about. */
const PART_BYTES = 24 * 2 ** 20
const LARGEST_PAGE = 256 * 2 ** 20
/** Time for a part: a floor, and so much for each MB that it says it holds. */
const LEAST_MS = 700
const MS_A_MB = 200
/** No file holds more rows a byte, and none unpacks to more times its size. */
const ROWS_A_BYTE = 8
const MOST_TIMES = 1000
const SLACK = 10_000

export interface ParquetTable {
  columns: string[]
  rows(onBytes?: (length: number) => void): AsyncGenerator<JsonRow>
}

/** Throws PackedError where the file's end does not describe a table. */
export async function parquetTable(access: RandomAccess): Promise<ParquetTable> {
  const metadata = await metadataOf(access)
  const groups = metadata === null ? null : groupsOf(metadata, access.bytes)
  if (metadata === null || groups === null) throw new PackedError('it is a damaged Parquet file')
  const tree = parquetSchema(metadata)
  return {
    columns: tree.children.map(({ element }) => element.name),
    async *rows(onBytes) {
      let begin = 0
      for (const { group, rows, unpacked, packed } of groups) {
        const parts = Math.max(1, Math.ceil(unpacked / PART_BYTES))
        const step = Math.max(1, Math.ceil(rows / parts))
        for (let from = 0; from < rows; from += step) {
          const part = { from, to: Math.min(rows, from + step), rows }
          const found = await partOf(access, group, tree, part).catch(() => null)
          onBytes?.(Math.round((packed * (part.to - from)) / rows))
          const line = begin + from + 1
          if (found === null)
            yield { line, value: undefined, problem: 'the rows from here on in its group are damaged' }
          for (const [place, row] of (found ?? []).entries())
            yield { line: line + place, value: binaryCell(row), problem: null }
        }
        begin += rows
      }
    },
  }
}

async function metadataOf({ bytes, read }: RandomAccess): Promise<FileMetaData | null> {
  const end = Buffer.from(await read(Math.max(0, bytes - 8), bytes))
  if (end.length < 8 || end.toString('latin1', 4) !== 'PAR1') return null
  const length = end.readUInt32LE(0) + 8
  if (length > bytes) return null
  const tail = bufferOf(await read(bytes - length, bytes))
  try {
    return within(LEAST_MS + tail.byteLength / 1000, () => parquetMetadata(tail, { geoparquet: false }))
  } catch {
    return null
  }
}

function bufferOf(part: Uint8Array): ArrayBuffer {
  return part.buffer.slice(part.byteOffset, part.byteOffset + part.byteLength) as ArrayBuffer
}

/** Some rows of a group as objects. Throws whatever a damaged file makes the decoder throw. */
async function partOf(
  access: RandomAccess,
  group: RowGroup,
  tree: SchemaTree,
  { from, to, rows }: { from: number; to: number; rows: number },
): Promise<Record<string, unknown>[]> {
  const chunks: {
    path: string[]
    bytes: ArrayBuffer
    column: NonNullable<RowGroup['columns'][number]['meta_data']>
  }[] = []
  for (const { meta_data: column } of group.columns) {
    if (column === undefined) throw new PackedError('a column is missing')
    const start = Number(column.dictionary_page_offset ?? column.data_page_offset)
    const end = start + Number(column.total_compressed_size)
    if (!(start >= 0 && end >= start && end <= access.bytes)) throw new PackedError('it points outside of itself')
    chunks.push({ path: column.path_in_schema, bytes: bufferOf(await access.read(start, end)), column })
  }
  const held = chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  const milliseconds = LEAST_MS + (MS_A_MB * (held + Math.min(PART_BYTES, held * 20))) / 2 ** 20
  return within(milliseconds, () => {
    const columns = new Map<string, { data: ArrayLike<unknown>; skipped: number }>()
    for (const { path, bytes, column } of chunks) {
      const schemaPath = getTreePath(tree, path)
      const element = schemaPath.at(-1)?.element
      if (element === undefined) throw new PackedError('a column is missing')
      const decoder = {
        ...column,
        pathInSchema: path,
        element,
        schemaPath,
        compressors: bounded,
        parsers: DEFAULT_PARSERS,
        utf8: true,
      }
      const reader = { view: new DataView(bytes), offset: 0 }
      const range = { groupStart: 0, groupRows: rows, selectStart: from, selectEnd: to }
      const { data, skipped } = readColumn(reader, range, decoder)
      columns.set(path.join('.'), { data: flatten(data) as ArrayLike<unknown>, skipped })
    }
    const tops = tree.children.map((child) => ({ name: child.element.name, ...topOf(child, columns) }))
    return Array.from({ length: to - from }, (_, place) =>
      Object.fromEntries(tops.map(({ name, data, skipped }) => [name, data[from + place - skipped]])),
    )
  })
}

/** A column at the top, put together from those inside it. */
function topOf(
  child: SchemaTree,
  columns: Map<string, { data: ArrayLike<unknown>; skipped: number }>,
): { data: ArrayLike<unknown>; skipped: number } {
  const own = columns.get(child.path.join('.'))
  if (child.children.length === 0) return own ?? { data: [], skipped: 0 }
  const inside = [...columns].filter(([path]) => path.startsWith(`${child.element.name}.`))
  const skipped = Math.max(0, ...inside.map(([, column]) => column.skipped))
  const aligned = new Map(
    inside.map(([path, column]) => [path, Array.from(column.data).slice(skipped - column.skipped)] as const),
  )
  assembleNested(aligned, child, DEFAULT_PARSERS)
  return { data: aligned.get(child.element.name) ?? [], skipped }
}

interface Group {
  group: RowGroup
  rows: number
  /** bytes, as the file says */
  unpacked: number
  packed: number
}

/** Null where the numbers cannot be true. */
function groupsOf(metadata: FileMetaData, bytes: number): Group[] | null {
  const groups = (metadata.row_groups ?? []).map((group) => ({
    group,
    rows: Number(group.num_rows),
    unpacked: Number(group.total_byte_size),
    packed: group.columns.reduce((sum, column) => sum + Number(column.meta_data?.total_compressed_size ?? 0), 0),
  }))
  const sound = groups.every(({ rows, unpacked, packed }) =>
    [rows, unpacked, packed].every((number) => Number.isSafeInteger(number) && number >= 0),
  )
  const sum = (of: (group: Group) => number) => groups.reduce((total, group) => total + of(group), 0)
  const likely =
    sum(({ rows }) => rows) <= bytes * ROWS_A_BYTE + SLACK &&
    sum(({ unpacked }) => unpacked) <= bytes * MOST_TIMES + SLACK
  return sound && likely ? groups : null
}

const bounded: Compressors = Object.fromEntries(
  Object.entries(compressors).map(([name, unpack]) => [
    name,
    (input: Uint8Array, length: number) => {
      if (length > LARGEST_PAGE) throw new PackedError('a page is too large')
      return unpack(input, length)
    },
  ]),
)
