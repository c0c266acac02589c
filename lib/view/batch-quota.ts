/**
 * Owns the scale of quota meters: one share at the right end of every track of a table.
 * Invariant: every use and every set upper quota fits; an upper quota of 1 (none set) does not stretch it.
 */

interface Use {
  used: number
  window: number
  lower: number
  upper: number
}

/** A round share, 0.24 at least, that holds all uses and set bounds. */
export function quotaScale(quotas: readonly Use[]): number {
  const shares = quotas.flatMap(({ used, window, lower, upper }) => [
    window === 0 ? 0 : used / window,
    lower,
    upper < 1 ? upper : 0,
  ])
  const largest = Math.max(0.24, ...shares)
  return Math.min(1, Math.ceil(largest * 25 - 1e-9) / 25)
}
