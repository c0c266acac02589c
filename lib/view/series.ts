/* Owns small questions to a series over batches. Invariant: unknown points are skipped, never read as 0. */

/** The newest point that has a value, or null. */
export function lastKnown<Point>(points: readonly Point[], value: (point: Point) => number | null): Point | null {
  for (let i = points.length - 1; i >= 0; i -= 1) {
    const point = points[i]
    if (point !== undefined && value(point) !== null) return point
  }
  return null
}

/** Lowest and highest known value over several readings, or null where there is none. */
export function knownRange<Point>(
  points: readonly Point[],
  ...values: ((point: Point) => number | null)[]
): { low: number; high: number } | null {
  const known = points.flatMap((point) => values.map((value) => value(point)).filter((value) => value !== null))
  return known.length === 0 ? null : { low: Math.min(...known), high: Math.max(...known) }
}
