/** Owns the variance axis of one task: 0 to 0.25, grown to the largest mark, since one small group may exceed the expectation. */
import { niceTicks } from './axis'

export function varianceTicks(values: readonly number[]): number[] {
  const finite = values.filter((value) => Number.isFinite(value))
  return niceTicks(Math.min(0, ...finite), Math.max(0.25, ...finite), 6)
}
