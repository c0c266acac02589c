/**
 * Sums of squared errors over some groups, for every predictor that is compared. Pure.
 * Owns: what a part of a run says: errors and the noise ceiling. Invariant: sums only grow; a cell without a group has no error.
 */
import type { ErrorPart } from '@/lib/contract/calibration'

/** Groups with a known noise before a ceiling is told, and standard errors that it must stand above 0: one group's figure is rough. */
const FEW = 20
const CLEAR = 2

/** One scored group. */
export interface ScoredGroup {
  task: number
  environment: number
  batch: number | null
  realised: number
  /** predicted variance of each predictor that is compared, the prediction first */
  predicted: readonly number[]
  noise: number | null
  shares: readonly number[] | null
}

export interface ErrorCell {
  groups: number
  /** sum of squared errors of each predictor */
  squares: Float64Array
  noiseGroups: number
  noise: number
  noiseSquares: number
}

export type NoiseSums = Pick<ErrorCell, 'groups' | 'noiseGroups' | 'noise' | 'noiseSquares'>

export const emptyCell = (predictors: number): ErrorCell => ({
  groups: 0,
  squares: new Float64Array(predictors),
  noiseGroups: 0,
  noise: 0,
  noiseSquares: 0,
})

export function countIn(cell: ErrorCell, { predicted, realised, noise }: ScoredGroup): void {
  cell.groups += 1
  predicted.forEach((value, p) => {
    cell.squares[p] = (cell.squares[p] ?? 0) + (value - realised) ** 2
  })
  if (noise === null) return
  cell.noiseGroups += 1
  cell.noise += noise
  cell.noiseSquares += noise * noise
}

export function addCell(into: ErrorCell, { groups, squares, noiseGroups, noise, noiseSquares }: ErrorCell): void {
  into.groups += groups
  squares.forEach((sum, p) => {
    into.squares[p] = (into.squares[p] ?? 0) + sum
  })
  into.noiseGroups += noiseGroups
  into.noise += noise
  into.noiseSquares += noiseSquares
}

/** Mean noise of a group; null where too few or under half of them can tell, or where it may be nothing but chance. 0 only where all are 0. */
export function noiseOf({ groups, noiseGroups, noise, noiseSquares }: NoiseSums): number | null {
  if (noiseGroups < FEW || noiseGroups * 2 < groups) return null
  const mean = noise / noiseGroups
  const spread = Math.max(0, noiseSquares / noiseGroups - mean * mean)
  return mean < CLEAR * Math.sqrt(spread / noiseGroups) ? null : Math.max(0, mean)
}

/** As many digits as a page can use. */
export const digits = (value: number, most = 6) => Number(value.toPrecision(most))

export function partOf(cell: ErrorCell): ErrorPart {
  const best = noiseOf(cell)
  return {
    groups: cell.groups,
    errors: Array.from(cell.squares, (sum) => (cell.groups === 0 ? null : digits(Math.sqrt(sum / cell.groups)))),
    best: best === null ? null : digits(Math.sqrt(best)),
  }
}
