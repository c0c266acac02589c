/**
 * Bytes to text, whatever they are written in: UTF-8 with or without its mark, UTF-16 with one, and lines that are no UTF-8
 * as Latin-1, each for itself, so that one bad line does not change the others.
 * Cost: linear; memory of the longest line.
 */
import { isUtf8 } from 'node:buffer'
import { headOf } from './bytes'

/** A line that is longer is cut into pieces between two characters. */
const LONGEST_PIECE = 2 ** 20

export async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const { head, rest } = await headOf(chunks, 3)
  const [first, second, third] = head
  if (first === 0xff && second === 0xfe) yield* decoded(rest, 'utf-16le')
  else if (first === 0xfe && second === 0xff) yield* decoded(rest, 'utf-16be')
  else yield* eightBit(rest, first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0)
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function* eightBit(chunks: AsyncIterable<Uint8Array>, mark: number): AsyncGenerator<string> {
  let open: Buffer[] = []
  let length = 0
  let skip = mark
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset + skip, chunk.length - skip)
    skip = 0
    const end = bytes.lastIndexOf(10) + 1
    if (end > 0) {
      yield textIn(Buffer.concat([...open, bytes.subarray(0, end)]))
      open = []
      length = 0
    }
    if (end < bytes.length) {
      open.push(bytes.subarray(end))
      length += bytes.length - end
    }
    if (length > LONGEST_PIECE) {
      const piece = Buffer.concat(open)
      const cut = wholeCharacters(piece)
      yield textIn(piece.subarray(0, cut))
      open = [piece.subarray(cut)]
      length = piece.length - cut
    }
  }
  if (length > 0) yield textIn(Buffer.concat(open))
}

function textIn(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const lines: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1)
    lines.push(line.toString(isUtf8(line) ? 'utf8' : 'latin1'))
    from += line.length
  }
  return lines.join('')
}

/** Where the last character that is whole ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at--) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return at + 1
    if (byte >= 0xc0) return at
  }
  return bytes.length
}
