/* Owns where the labels at the right end of lines stand. Invariant: in order of value, at least `gap` apart, inside the plot. */

/** Wanted middles in px from the top, to placed ones, same order as given. */
export function spreadLabels(wanted: readonly number[], gap: number, height: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed = [...wanted]
  let floor = Number.NEGATIVE_INFINITY
  for (const i of order) {
    const at = Math.max(wanted[i] ?? 0, floor)
    placed[i] = at
    floor = at + gap
  }
  let ceiling = height
  for (const i of order.reverse()) {
    const at = Math.min(placed[i] ?? 0, ceiling)
    placed[i] = at
    ceiling = at - gap
  }
  return placed
}
