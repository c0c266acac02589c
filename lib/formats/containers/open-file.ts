/**
 * A file's rows, whatever it is packed in: told by its content. Must never know: what rows mean.
 * Invariant: one bad row never loses the others; each is told with its place.
 */
import type { SourceFile } from '@/lib/formats/source-file'
import { type JsonRow, jsonRows } from './json-rows'
import { unpacked } from './unpacked'

export interface Opened {
  /** of a table; null for other files */
  columns: string[] | null
  /** each call begins anew; `onBytes` hears lengths as on disk */
  rows(onBytes?: (length: number) => void): AsyncIterable<JsonRow>
}

export async function openFile(file: SourceFile): Promise<Opened> {
  return { columns: null, rows: (onBytes) => jsonRows(unpacked(counted(file.open(), onBytes))) }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: ((length: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes?.(chunk.length)
    yield chunk
  }
}
