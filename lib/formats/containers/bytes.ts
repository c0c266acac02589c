/** Pieces of bytes: their beginning without losing it, counting, and reading a part where a file cannot be entered anywhere. */
import type { SourceFile } from '@/lib/formats/source-file'

/** Larger files that can only be read from their start are not held in memory. */
const HELD_BYTES = 256 * 2 ** 20

/** The first `length` bytes, or all where there are fewer, and the whole again; close `rest` where it is not read. */
export async function headOf(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Uint8Array; rest: AsyncGenerator<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array(0)
  while (head.length < length) {
    const next = await iterator.next()
    if (next.done === true) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  return { head, rest: restored(head, iterator) }
}

async function* restored(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head
    while (true) {
      const next = await iterator.next()
      if (next.done === true) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** The first bytes alone. */
export async function beginningOf(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let held = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    held += chunk.length
    if (held >= length) break
  }
  return Buffer.concat(parts).subarray(0, length)
}

export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: ((length: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes?.(chunk.length)
    yield chunk
  }
}

export interface RandomAccess {
  bytes: number
  read(from: number, to: number): Promise<Uint8Array>
}

/** Throws TooLargeError where the file must be held and is too large for that. */
export async function randomAccess(file: SourceFile): Promise<RandomAccess> {
  const { read, bytes } = file
  if (read !== undefined && bytes !== undefined) return { bytes, read: read.bind(file) }
  const parts: Uint8Array[] = []
  let held = 0
  for await (const chunk of file.open()) {
    parts.push(chunk)
    held += chunk.length
    if (held > HELD_BYTES) throw new PackedError('it is too large to be read from a packed file: unpack it first')
  }
  const whole = Buffer.concat(parts)
  return { bytes: whole.length, read: async (from, to) => whole.subarray(from, to) }
}

/** A file that cannot be opened as what it is: the message is one clause that says why. */
export class PackedError extends Error {}
