/**
 * Bins of predicted variance and what was realised in them. Pure.
 * Owns: the bins and their intervals. The interval of a mean is Student's, its spread that of the bin as if two more groups had the spread of
 * all errors: equal figures of a few groups are no certainty. Invariant: no interval under three groups.
 */
import type { Calibration } from '@/lib/contract/calibration'
import { digits } from './error-cell'

const BINS = 10
const WIDTH = 0.025
/** groups of a bin before its mean has an interval, and groups that the spread of all is worth */
const LEAST = 3
const BORROWED = 2

export interface Bin {
  groups: number
  predicted: number
  realised: number
  squares: number
}

export const emptyBins = (): Bin[] =>
  Array.from({ length: BINS }, () => ({ groups: 0, predicted: 0, realised: 0, squares: 0 }))

export function countInBin(bins: readonly Bin[], predicted: number, realised: number): void {
  const bin = bins[Math.min(BINS - 1, Math.max(0, Math.floor(predicted / WIDTH + 1e-9)))]
  if (bin === undefined) return
  bin.groups += 1
  bin.predicted += predicted
  bin.realised += realised
  bin.squares += realised * realised
}

/** 97.5 % quantile of Student's t with `freedom` of 2 or more (Cornish and Fisher; within 3 % there). */
export function studentQuantile(freedom: number): number {
  const z = 1.959964
  const first = (z ** 3 + z) / 4
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3
}

/** 95 % of a bin's mean realised variance, or null. */
function intervalOf({ groups, realised, squares }: Bin, meanSquare: number): { low: number; high: number } | null {
  if (groups < LEAST) return null
  const mean = realised / groups
  const around = Math.max(0, squares - groups * mean * mean)
  const spread = Math.sqrt((around + BORROWED * meanSquare) / (groups - 1 + BORROWED))
  const half = (studentQuantile(groups - 1) * spread) / Math.sqrt(groups)
  return { low: digits(Math.max(0, mean - half)), high: digits(mean + half) }
}

/** `meanSquare`: mean squared error of the prediction over all groups. */
export function reliabilityOf(bins: readonly Bin[], meanSquare: number): Calibration['reliability'] {
  return bins.flatMap((bin, at) => {
    const { groups, predicted, realised } = bin
    if (groups === 0) return []
    const [low, high] = [digits(at * WIDTH), digits((at + 1) * WIDTH)]
    const means = { predicted: digits(predicted / groups), realised: digits(realised / groups) }
    return [{ low, high, groups, ...means, interval: intervalOf(bin, meanSquare) }]
  })
}
