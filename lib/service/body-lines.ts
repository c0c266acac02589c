/**
 * Cuts bytes that come in pieces into lines with their numbers. Must never know: what is in them.
 * Invariant: time grows with the bytes alone, whatever the length of the lines and pieces; only the open line is held, and
 * it is bounded: a body that never ends its line fills no memory.
 */
import { ServiceError } from './service-error'

/** Signs of one line: a trajectory of a few million tokens. */
const MOST_SIGNS = 64 * 1024 * 1024

export interface BodyLine {
  /** from 1 on, those that are empty counted */
  number: number
  text: string
}

/** Lines of UTF-8 text, those that are empty left out. Throws ServiceError `too_large` where one has more signs than `most`. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>, most = MOST_SIGNS): AsyncGenerator<BodyLine> {
  const decoder = new TextDecoder()
  let open: string[] = []
  let signs = 0
  let number = 1
  for await (const piece of pieces) {
    const parts = decoder.decode(piece, { stream: true }).split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      open.push(part)
      const text = open.join('')
      open = []
      signs = 0
      if (text.trim() !== '') yield { number, text }
      number += 1
    }
    if (last !== '') open.push(last)
    signs += last.length
    if (signs > most)
      throw new ServiceError(
        413,
        'too_large',
        `Line ${number} is longer than ${most} signs: end each rollout or task with a line break.`,
      )
  }
  const text = open.join('') + decoder.decode()
  if (text.trim() !== '') yield { number, text }
}
