/**
 * Rows of Parquet files, row group by row group; a large group in parts. Must never know what columns mean.
 * Invariant: a damaged group is told and loses no other; no length that the file claims is trusted beyond the file's own size.
 */
import { type Compressors, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { PackedError, type RandomAccess } from './bytes'
import type { JsonRow } from './json-rows'
import { binaryCell } from './table-cells'

/** What is unpacked at once, about. */
const PART_BYTES = 24 * 2 ** 20
const LARGEST_PAGE = 256 * 2 ** 20
const MOST_ROWS = 2 ** 31

export interface ParquetTable {
  columns: string[]
  rows(onBytes?: (length: number) => void): AsyncGenerator<JsonRow>
}

/** Throws PackedError where the file's end does not describe a table. */
export async function parquetTable(access: RandomAccess): Promise<ParquetTable> {
  const file = {
    byteLength: access.bytes,
    async slice(from: number, to = access.bytes): Promise<ArrayBuffer> {
      if (from < 0 || from > to || to > access.bytes) throw new PackedError('it points outside of itself')
      const part = await access.read(from, to)
      return part.buffer.slice(part.byteOffset, part.byteOffset + part.byteLength) as ArrayBuffer
    },
  }
  const metadata = await parquetMetadataAsync(file).catch(() => null)
  const groups = metadata === null ? null : groupsOf(metadata)
  if (metadata === null || groups === null) throw new PackedError('it is a damaged Parquet file')
  const [root] = metadata.schema
  const columns = metadata.schema.length > 1 ? namesOf(metadata, root?.num_children ?? 0) : []
  return {
    columns,
    async *rows(onBytes) {
      let begin = 0
      for (const { rows, unpacked, packed } of groups) {
        const parts = Math.max(1, Math.ceil(unpacked / PART_BYTES))
        const step = Math.max(1, Math.ceil(rows / parts))
        for (let from = begin; from < begin + rows; from += step) {
          const to = Math.min(begin + rows, from + step)
          const options = { file, metadata, compressors: bounded, rowStart: from, rowEnd: to, geoparquet: false }
          const found = await parquetReadObjects(options).catch(() => null)
          onBytes?.(Math.round((packed * (to - from)) / rows))
          if (found === null)
            yield { line: from + 1, value: undefined, problem: `rows ${from + 1} to ${to} are damaged` }
          for (const [place, row] of (found ?? []).entries())
            yield { line: from + place + 1, value: binaryCell(row), problem: null }
        }
        begin += rows
      }
    },
  }
}

/** Null where the numbers cannot be true. */
function groupsOf(metadata: FileMetaData): { rows: number; unpacked: number; packed: number }[] | null {
  const groups = (metadata.row_groups ?? []).map((group) => ({
    rows: Number(group.num_rows),
    unpacked: Number(group.total_byte_size),
    packed: group.columns.reduce((sum, column) => sum + Number(column.meta_data?.total_compressed_size ?? 0), 0),
  }))
  const sound = groups.every(({ rows, unpacked, packed }) =>
    [rows, unpacked, packed].every((number) => Number.isSafeInteger(number) && number >= 0),
  )
  return sound && groups.reduce((sum, { rows }) => sum + rows, 0) < MOST_ROWS ? groups : null
}

/** The columns at the top: each is followed by its children. */
function namesOf({ schema }: FileMetaData, count: number): string[] {
  const names: string[] = []
  let at = 1
  const skip = (): void => {
    const children = schema[at]?.num_children ?? 0
    at += 1
    for (let child = 0; child < children && at < schema.length; child++) skip()
  }
  for (let column = 0; column < count && at < schema.length; column++) {
    names.push(schema[at]?.name ?? `column ${column + 1}`)
    skip()
  }
  return names
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
