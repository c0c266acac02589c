/**
 * Cuts bytes that come in pieces into lines with their numbers. Must never know: what is in them.
 * Invariant: time grows with the bytes alone, whatever the length of the lines and pieces; only the open line is held.
 */
export interface BodyLine {
  /** from 1 on, those that are empty counted */
  number: number
  text: string
}

/** Lines of UTF-8 text, those that are empty left out. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<BodyLine> {
  const decoder = new TextDecoder()
  let open: string[] = []
  let number = 1
  for await (const piece of pieces) {
    const parts = decoder.decode(piece, { stream: true }).split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      open.push(part)
      const text = open.join('')
      open = []
      if (text.trim() !== '') yield { number, text }
      number += 1
    }
    if (last !== '') open.push(last)
  }
  const text = open.join('') + decoder.decode()
  if (text.trim() !== '') yield { number, text }
}
