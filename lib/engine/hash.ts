/**
 * 32-bit hashes of strings and numbers: where draws and ties come from.
 * Invariant: the same text gives the same number in every process; nothing here depends on a task's index.
 * Source: FNV-1a over UTF-16 code units, finished with the mixer of MurmurHash3.
 */

/** Mixes an unsigned 32-bit number: every input bit moves about half of the output bits. */
export function mix32(value: number): number {
  let h = value >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Hash of a text, 0 to 2^32 - 1. */
export function hashText(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return mix32(h)
}

/** Hash of an unordered pair of hashes: hashPair(a, b) = hashPair(b, a). */
export function hashPair(a: number, b: number): number {
  const low = Math.min(a, b)
  const high = Math.max(a, b)
  return mix32(Math.imul(low, 0x9e3779b1) ^ mix32(high))
}
