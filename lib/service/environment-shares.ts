/**
 * Integer shares of a batch by environment, for trainers that choose their own tasks. Pure.
 * Invariant: they come to `size` wherever anything was picked; an environment that nothing was picked of has none.
 */
export interface EnvironmentShare {
  /** index in the task set */
  environment: number
  picks: number
}

/** `picked`: the environment of each pick that would be made now; fewer than `size` are scaled up by largest remainder. Largest first. */
export function environmentShares(picked: readonly number[], size: number): EnvironmentShare[] {
  const counts = new Map<number, number>()
  for (const environment of picked) counts.set(environment, (counts.get(environment) ?? 0) + 1)
  const parts = [...counts]
    .map(([environment, count]) => {
      const exact = (count * size) / picked.length
      return { environment, picks: Math.floor(exact), rest: exact - Math.floor(exact) }
    })
    .sort((a, b) => b.rest - a.rest || a.environment - b.environment)
  let left = size - parts.reduce((sum, { picks }) => sum + picks, 0)
  for (const part of parts) {
    if (left <= 0) break
    part.picks += 1
    left -= 1
  }
  return parts
    .map(({ environment, picks }) => ({ environment, picks }))
    .filter(({ picks }) => picks > 0)
    .sort((a, b) => b.picks - a.picks || a.environment - b.environment)
}
