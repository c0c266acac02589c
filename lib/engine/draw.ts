/**
 * Draws and ties from a hash of seed, counter and task key, so that renumbering tasks changes nothing.
 * Invariant: same arguments, same bits, on every machine; no state. Cost: O(1) a draw.
 */
import { mix32 } from './hash'

/** Unsigned 32-bit hash of two unsigned 32-bit numbers; the order matters. */
export function mix(a: number, b: number): number {
  return mix32(Math.imul(mix32(a) ^ 0x9e3779b9, 0x01000193) ^ mix32((b + 0x7f4a7c15) >>> 0))
}

/** A draw in [0, 1) with 53 bits, for one key at one count of one purpose of a seed. */
export function drawOf(seed: number, counter: number, key: number): number {
  const stream = mix(seed, counter)
  const high = mix(stream, key) >>> 5
  const low = mix(key, stream ^ 0x5bd1e995) >>> 6
  return (high * 67108864 + low) / 9007199254740992
}
