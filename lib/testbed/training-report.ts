/**
 * What a set of paired trainings says: steps to a target, scores, area, differences with standard errors.
 * Owns: the statistics of the training bench. Must never know: how the trainings were made.
 * Invariant: a training that never reaches its target is null in `stepsToTarget`, and steps + 1 where differences are taken.
 */
import type { TrainingResult } from '@/lib/testbed/training'

export interface SeedResult {
  seed: number
  /** best score of uniform single-stage choice on this seed */
  target: number
  training: TrainingResult
}

export interface Difference {
  mean: number
  /** null with fewer than two pairs */
  standardError: number | null
}

export interface ArmReport {
  arm: string
  seeds: number
  /** null where most seeds never reach the target */
  stepsToTarget: { median: number | null; low: number | null; high: number | null }
  scoreAt: Record<string, number>
  informativeShare: number
  /** mean exact success of the worst tenth of environments at the end */
  worstEnvironment: number
  /** median censored steps over those of uniform choice */
  ratioToUniform: number | null
  /** mean score over all steps after the start */
  area: number
  againstUniform: { steps: Difference; area: Difference } | null
  perSeed: { seed: number; stepsToTarget: number | null; area: number; end: number; worstEnvironment: number }[]
}

/** First step whose score is at least `target`, or null. */
export function stepsToTarget(curve: readonly number[], target: number): number | null {
  const step = curve.findIndex((score) => score >= target)
  return step < 0 ? null : step
}

export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('the mean of nothing was asked for')
  return values.reduce((a, b) => a + b, 0) / values.length
}

/** The lower middle value. @throws RangeError on an empty list. */
export function median(values: readonly number[]): number {
  const middle = [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]
  if (middle === undefined) throw new RangeError('the median of nothing was asked for')
  return middle
}

/** Mean and standard error of paired differences `a - b`. */
export function pairedDifference(a: readonly number[], b: readonly number[]): Difference {
  const gaps = a.map((value, i) => value - b[i]!)
  const middle = mean(gaps)
  if (gaps.length < 2) return { mean: middle, standardError: null }
  const squares = gaps.reduce((sum, gap) => sum + (gap - middle) ** 2, 0)
  return { mean: middle, standardError: Math.sqrt(squares / (gaps.length - 1) / gaps.length) }
}

export const areaOf = (curve: readonly number[]): number => mean(curve.slice(1))

/** Censored at one step more than were made. */
const censored = (result: SeedResult): number =>
  stepsToTarget(result.training.curve, result.target) ?? result.training.curve.length

export function reportArm(
  arm: string,
  results: readonly SeedResult[],
  uniform: readonly SeedResult[] | null,
): ArmReport {
  const steps = results.map(censored)
  const last = results[0]!.training.curve.length - 1
  const orNull = (value: number) => (value > last ? null : value)
  const scoreAt: Record<string, number> = {}
  for (const step of new Set([40, 120, last])) {
    if (step <= last) scoreAt[String(step)] = mean(results.map((result) => result.training.curve[step]!))
  }
  const areas = results.map((result) => areaOf(result.training.curve))
  const other = uniform?.map(censored) ?? null
  return {
    arm,
    seeds: results.length,
    stepsToTarget: {
      median: orNull(median(steps)),
      low: orNull(Math.min(...steps)),
      high: orNull(Math.max(...steps)),
    },
    scoreAt,
    informativeShare: mean(results.map((result) => result.training.informativeShare)),
    worstEnvironment: mean(results.map((result) => result.training.worstTenth)),
    ratioToUniform: other === null ? null : median(steps) / median(other),
    area: mean(areas),
    againstUniform:
      uniform === null || other === null
        ? null
        : {
            steps: pairedDifference(steps, other),
            area: pairedDifference(
              areas,
              uniform.map((result) => areaOf(result.training.curve)),
            ),
          },
    perSeed: results.map((result, i) => ({
      seed: result.seed,
      stepsToTarget: orNull(steps[i]!),
      area: areas[i]!,
      end: result.training.curve[last]!,
      worstEnvironment: result.training.worstTenth,
    })),
  }
}
