/**
 * A file's bytes, unpacked where they are gzip or zstd: told by the first bytes, so a wrong ending does not matter.
 * Invariant: what unpacks to absurd lengths is refused, and memory never depends on what a file claims.
 */
import { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { Decompress } from 'fzstd'
import { headOf, PackedError } from './bytes'

/** Text that is packed to less than a part in so many, once it is this long, was made to do harm. */
const MOST_TIMES = 500
const HARMLESS_BYTES = 2 ** 30

export async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, rest } = await headOf(chunks, 4)
  if (head[0] === 0x1f && head[1] === 0x8b) yield* inflated(rest, 'gzip')
  else if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) yield* zstd(rest)
  else yield* rest
}

/** `raw`: deflate without a frame, as in a ZIP. */
export async function* inflated(chunks: AsyncIterable<Uint8Array>, form: 'gzip' | 'raw'): AsyncGenerator<Uint8Array> {
  const scale = new Scale()
  const source = Readable.from(scale.packed(chunks), { objectMode: false })
  const stream = form === 'gzip' ? createGunzip() : createInflateRaw()
  source.once('error', (cause) => stream.destroy(cause))
  try {
    for await (const chunk of source.pipe(stream)) {
      scale.unpacked(chunk as Uint8Array)
      yield chunk as Uint8Array
    }
  } finally {
    source.destroy()
    stream.destroy()
  }
}

export async function* zstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const scale = new Scale()
  let ready: Uint8Array[] = []
  const stream = new Decompress((data) => ready.push(data))
  const given = function* (): Generator<Uint8Array> {
    for (const piece of ready) {
      scale.unpacked(piece)
      if (piece.length > 0) yield piece
    }
    ready = []
  }
  for await (const chunk of scale.packed(chunks)) {
    // small pieces: one may unpack to a great many bytes at once
    for (let at = 0; at < chunk.length; at += 4096) {
      stream.push(chunk.subarray(at, at + 4096))
      yield* given()
    }
  }
  stream.push(new Uint8Array(0), true)
  yield* given()
}

class Scale {
  private from = 0
  private to = 0

  async *packed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.from += chunk.length
      yield chunk
    }
  }

  unpacked(chunk: Uint8Array): void {
    this.to += chunk.length
    if (this.to > HARMLESS_BYTES && this.to > this.from * MOST_TIMES)
      throw new PackedError(`it unpacks to more than ${MOST_TIMES} times its size`)
  }
}
