/**
 * The noise of one group's realised variance: what is left of (predicted - realised)^2 even where the prediction is exactly right. Pure.
 *
 * The realised variance s2 of n rewards is unbiased for the variance v of the task under that policy, so for any prediction m that was made
 * before, E[(m - s2)^2] = (m - v)^2 + Var(s2), and the mean of Var(s2) over groups is the least mean squared error that anything could reach.
 * Var(s2) = k4/n + 2 v^2/(n - 1) with the fourth cumulant k4; with the k-statistics k2 = s2 and k4 of the group itself,
 *   (2 n k2^2 + (n - 1) k4) / (n (n + 1))
 * is unbiased for it, whatever the rewards' distribution (two-valued or graded). One group's figure is rough and can be
 * negative, most so where groups are small, so a mean is told only where it is clearly above 0.
 * Assumes that the rollouts of a group are independent draws from one distribution: same task, same policy, and trusted ones are not chosen
 * by their reward. Where they are not (a worker that fails as a whole, say), the true floor is higher.
 * Null under four rollouts, which k4 needs: those groups tell nothing about their noise.
 * Source: Kenney and Keeping, Mathematics of Statistics II; held against a simulation in the tests.
 */
export function varianceNoise(values: readonly number[], range: readonly [number, number]): number | null {
  const n = values.length
  const width = range[1] - range[0]
  if (n < 4 || !(width > 0)) return null
  const scaled = values.map((value) => (value - range[0]) / width)
  const mean = scaled.reduce((sum, value) => sum + value, 0) / n
  const second = scaled.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n
  const fourth = scaled.reduce((sum, value) => sum + (value - mean) ** 4, 0) / n
  const k2 = (n * second) / (n - 1)
  const k4 = (n * n * ((n + 1) * fourth - 3 * (n - 1) * second ** 2)) / ((n - 1) * (n - 2) * (n - 3))
  const noise = (2 * n * k2 * k2 + (n - 1) * k4) / (n * (n + 1))
  return Number.isFinite(noise) ? noise : null
}
