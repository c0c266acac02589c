/**
 * What a set of paired trainings says: steps to a target, scores, area, differences with standard errors and verdicts.
 * Owns: the statistics of the training bench. Must never know: how the trainings were made.
 * Invariants: a training that never reaches its target is null in `stepsToTarget`, and steps + 1 where means and differences are taken;
 * differences are over the seeds that both arms have; ahead and behind mean by more than two standard errors.
 */
import { ARMS } from '@/lib/testbed/arms'
import type { TrainingBook } from '@/lib/testbed/training-book'
import { type ArmRecord, CURVE_EVERY, stagesOf } from '@/lib/testbed/training-job'
import { makeWorld } from '@/lib/testbed/worlds'

export type Verdict = 'ahead' | 'behind' | 'level'

export interface Difference {
  mean: number
  /** null with fewer than two pairs */
  standardError: number | null
  /** of the arm against the other, whichever direction is the better one; null with fewer than two pairs */
  verdict: Verdict | null
}

export interface Against {
  arm: string
  pairs: number
  steps: Difference
  /** of rollouts, to the target; null where an older file does not have them */
  rolloutSeconds: Difference | null
  area: Difference
  worstEnvironment: Difference
}

export interface ArmReport {
  arm: string
  seeds: number
  /** null where most seeds never reach the target; the mean is censored at steps + 1 */
  stepsToTarget: {
    median: number | null
    low: number | null
    high: number | null
    mean: number
    standardError: number | null
  }
  /** mean seconds of rollouts to the target, censored at the training's; null where an older file does not have them */
  rolloutSeconds: number | null
  scoreAt: Record<string, number>
  informativeShare: number
  /** mean exact success of the worst tenth of environments at the end */
  worstEnvironment: number
  /** mean over seeds of the lowest share of its peak that a once solved environment has at the end */
  lowestOnceSolved: number | null
  /** median censored steps over those of uniform choice */
  ratioToUniform: number | null
  /** mean score over all steps after the start */
  area: number
  againstUniform: Against | null
  againstEnvsched: Against | null
  againstBestBaseline: Against | null
  perSeed: { seed: number; stepsToTarget: number | null; area: number; end: number; worstEnvironment: number }[]
  secondsPerTraining: number
}

export interface WorldReport {
  name: string
  arms: ArmReport[]
  /** mean over the seeds of the score to reach */
  target: number
  /** median censored steps of envsched, where it ran, over those of uniform choice */
  ratioToUniform: number | null
  /** share of informative groups under uniform choice with full groups: what the world wastes */
  uniformInformativeShare: number
  /** the baseline with the largest mean area, null where none ran */
  bestBaseline: string | null
  steps: number
  seeds: number[]
  stages: readonly [number, number] | 'single'
  learningRate: number
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

/** Standard error of the mean; null with fewer than two values. */
export function standardError(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

/** Mean and standard error of paired differences `a - b`. */
export function pairedDifference(
  a: readonly number[],
  b: readonly number[],
  better: 'more' | 'less' = 'more',
): Difference {
  const gaps = a.map((value, i) => value - b[i]!)
  const middle = mean(gaps)
  const error = standardError(gaps)
  if (error === null) return { mean: middle, standardError: null, verdict: null }
  const gain = better === 'more' ? middle : -middle
  const verdict = Math.abs(gain) <= 2 * error ? 'level' : gain > 0 ? 'ahead' : 'behind'
  return { mean: middle, standardError: error, verdict }
}

const hasSeconds = ({ rolloutSeconds }: ArmRecord) => rolloutSeconds !== null
const secondsOf = ({ rolloutSeconds }: ArmRecord) => rolloutSeconds ?? Number.NaN

/** Null where the two have no seed in common. */
export function against(
  arm: string,
  results: readonly ArmRecord[],
  others: readonly ArmRecord[],
  steps: number,
): Against | null {
  const pairs = results.flatMap((a) => {
    const b = others.find((other) => other.seed === a.seed)
    return b === undefined ? [] : [{ a, b }]
  })
  if (pairs.length === 0) return null
  const difference = (of: (record: ArmRecord) => number, better: 'more' | 'less') =>
    pairedDifference(
      pairs.map(({ a }) => of(a)),
      pairs.map(({ b }) => of(b)),
      better,
    )
  return {
    arm,
    pairs: pairs.length,
    steps: difference((record) => record.stepsToTarget ?? steps + 1, 'less'),
    rolloutSeconds: pairs.every(({ a, b }) => hasSeconds(a) && hasSeconds(b)) ? difference(secondsOf, 'less') : null,
    area: difference((record) => record.area, 'more'),
    worstEnvironment: difference((record) => record.worstTenth, 'more'),
  }
}

type Made = TrainingBook['trainings'][number]

function scoresAt(results: readonly ArmRecord[], steps: number): Record<string, number> {
  const scores: Record<string, number> = {}
  for (const step of [40, 120])
    if (step < steps) scores[String(step)] = mean(results.map((result) => result.curve[step / CURVE_EVERY]!))
  scores[String(steps)] = mean(results.map((result) => result.end))
  return scores
}

/** `results` of one arm in one world, one at least. `others` are the arms that it is compared with, by what they are. */
export function reportArm(
  arm: string,
  results: readonly Made[],
  steps: number,
  others: Record<'uniform' | 'envsched' | 'bestBaseline', { arm: string; results: readonly Made[] } | null>,
): ArmReport {
  const censored = (result: ArmRecord) => result.stepsToTarget ?? steps + 1
  const reached = results.map(censored)
  const orNull = (value: number) => (value > steps ? null : value)
  const compared = (other: { arm: string; results: readonly Made[] } | null) =>
    other === null ? null : against(other.arm, results, other.results, steps)
  const kept = results.flatMap(({ lowestOnceSolved }) => (lowestOnceSolved === null ? [] : [lowestOnceSolved]))
  return {
    arm,
    seeds: results.length,
    stepsToTarget: {
      median: orNull(median(reached)),
      low: orNull(Math.min(...reached)),
      high: orNull(Math.max(...reached)),
      mean: mean(reached),
      standardError: standardError(reached),
    },
    rolloutSeconds: results.every(hasSeconds) ? mean(results.map(secondsOf)) : null,
    scoreAt: scoresAt(results, steps),
    informativeShare: mean(results.map((result) => result.informativeShare)),
    worstEnvironment: mean(results.map((result) => result.worstTenth)),
    lowestOnceSolved: kept.length === 0 ? null : mean(kept),
    ratioToUniform: others.uniform === null ? null : median(reached) / median(others.uniform.results.map(censored)),
    area: mean(results.map((result) => result.area)),
    againstUniform: compared(others.uniform),
    againstEnvsched: compared(others.envsched),
    againstBestBaseline: compared(others.bestBaseline),
    perSeed: results.map(({ seed, stepsToTarget, area, end, worstTenth }) => ({
      seed,
      stepsToTarget,
      area,
      end,
      worstEnvironment: worstTenth,
    })),
    secondsPerTraining: median(results.map((result) => result.seconds)),
  }
}

/** Everything the book says of one world, for these arms and seeds; null where it has nothing. */
export function reportWorld(
  book: TrainingBook,
  name: string,
  arms: readonly string[],
  seeds: readonly number[],
): WorldReport | null {
  const { steps } = book.settings
  const of = (arm: string) => {
    const results = book.trainings.filter((one) => one.world === name && one.arm === arm && seeds.includes(one.seed))
    return results.length === 0 ? null : { arm, results }
  }
  const found = arms.flatMap((arm) => of(arm) ?? [])
  const targets = book.targets.filter((one) => one.world === name && seeds.includes(one.seed))
  if (found.length === 0 || targets.length === 0) return null
  const isBaseline = (arm: string) => ARMS.find((one) => one.name === arm)?.kind === 'baseline'
  const area = ({ results }: { results: readonly Made[] }) => mean(results.map((result) => result.area))
  const baselines = found.filter(({ arm }) => isBaseline(arm)).sort((a, b) => area(b) - area(a))
  const others = { uniform: of('uniform'), envsched: of('envsched'), bestBaseline: baselines[0] ?? null }
  const reports = found.map(({ arm, results }) => reportArm(arm, results, steps, others))
  const { training } = makeWorld(name, targets[0]!.seed)
  return {
    name,
    arms: reports,
    target: mean(targets.map((one) => one.target)),
    ratioToUniform: reports.find((report) => report.arm === 'envsched')?.ratioToUniform ?? null,
    uniformInformativeShare: mean(targets.map((one) => one.informativeShare)),
    bestBaseline: others.bestBaseline?.arm ?? null,
    steps,
    seeds: targets.map((one) => one.seed),
    stages: stagesOf(book.settings, training.groupSize) ?? 'single',
    learningRate: book.settings.rate ?? training.learningRate,
  }
}
