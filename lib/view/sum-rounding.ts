/**
 * Owns rounding that keeps a sum: written parts add up to the written whole.
 * Must never know what is added. Invariant: each part moves by less than one unit of its last digit (largest remainder),
 * unless the parts did not add up to the whole in the first place.
 */

/** Rounds `parts` to `decimals` so that they sum to `whole` rounded alike. Parts may be negative. O(n log n). */
export function roundToSum(parts: readonly number[], whole: number, decimals: number): number[] {
  const unit = 10 ** decimals
  const scaled = parts.map((part) => (Number.isFinite(part) ? part * unit : 0))
  const floors = scaled.map((value) => Math.floor(value + 1e-9))
  const target = Math.round(whole * unit)
  const missing = target - floors.reduce((sum, value) => sum + value, 0)
  const order = scaled.map((value, i) => ({ i, rest: value - (floors[i] ?? 0) })).sort((a, b) => b.rest - a.rest)
  const given = Math.min(Math.max(missing, 0), order.length)
  for (const { i } of order.slice(0, given)) floors[i] = (floors[i] ?? 0) + 1
  return floors.map((value) => value / unit)
}
