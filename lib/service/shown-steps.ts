/**
 * Which of many steps a chart is told. Pure. Owns: the spacing. Invariant: the first and the newest are always among them, and
 * a run that goes on keeps most of what was told.
 */

/** Points that no chart of a page can tell apart any more. */
export const MOST_POINTS = 400

/** Positions from 0 to `count` - 1, ascending; all of them up to `most`, else every k-th, the first and the last. */
export function shownSteps(count: number, most = MOST_POINTS): number[] {
  const every = Math.max(1, Math.ceil(count / most))
  const last = count - 1
  return Array.from({ length: count }, (_, at) => at).filter((at) => at % every === 0 || at === last)
}
