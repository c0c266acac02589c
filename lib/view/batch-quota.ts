/**
 * Owns the scale of quota meters, one share at the right end of every track of a table, and the words for a window that
 * a changed quota started anew.
 * Invariant: every use and every set upper quota fits; an upper quota of 1 (none set) does not stretch it.
 */
import { formatCount } from './format'

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

/**
 * "of 32 picks since batch 14" for a window shorter than the longest beside it, null for one as long.
 * `since` is the first batch that it counts.
 */
export function ownWindow(window: number, longest: number, since: number): string | null {
  if (window >= longest) return null
  if (window === 0) return `counted anew from batch ${since}`
  return `of ${formatCount(window, 'pick')} since batch ${since}`
}
