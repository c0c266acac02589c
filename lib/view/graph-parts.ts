/**
 * Rounding that keeps sums: parts are written so that what a reader adds up is the total that is written.
 * Invariant: the answers sum exactly (in units of the last decimal) to the rounded total, and each is less than one unit
 * from its part as long as the parts sum to the total.
 */

/** Rounds `parts` to `decimals` so that they sum to `total` rounded. What is over goes to those that lose most by rounding. */
export function roundParts(parts: readonly number[], total: number, decimals: number): number[] {
  const scale = 10 ** decimals
  const floors = parts.map((part) => Math.floor(part * scale))
  let left = Math.round(total * scale) - floors.reduce((sum, floor) => sum + floor, 0)
  const byLoss = [...parts.keys()].sort((a, b) => loss(parts[b]!, floors[b]!) - loss(parts[a]!, floors[a]!) || a - b)
  function loss(part: number, floor: number): number {
    return part * scale - floor
  }
  for (let i = 0; left > 0 && parts.length > 0; i = (i + 1) % parts.length, left--) floors[byLoss[i]!]! += 1
  for (let i = parts.length - 1; left < 0 && parts.length > 0; i = i === 0 ? parts.length - 1 : i - 1, left++) {
    floors[byLoss[i]!]! -= 1
  }
  return floors.map((units) => units / scale)
}
