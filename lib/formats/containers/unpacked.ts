/** A file's bytes, unpacked where they are gzip: told by the first two bytes, so a wrong ending does not matter. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array(0)
  while (head.length < 2) {
    const next = await iterator.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const whole = restored(head, iterator)
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* whole
    return
  }
  const source = Readable.from(whole, { objectMode: false })
  const gunzip = createGunzip()
  source.once('error', (cause) => gunzip.destroy(cause))
  try {
    for await (const chunk of source.pipe(gunzip)) yield chunk as Uint8Array
  } finally {
    source.destroy()
    gunzip.destroy()
  }
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
