/**
 * What one training of the language model came to, in numbers.
 * Owns: area, steps to a score, the worst tenth, what became of solved environments. Pure. Must never know: other arms,
 * except the score to reach, which is handed in.
 */
import type { LmTraining } from './bench-lm-training'

/** Areas are told up to these steps, where a training is that long. */
export const HORIZONS = [150, 300] as const
/** An environment counts as solved once from this rate on. */
export const SOLVED = 0.8
const AT_START_SOLVED = 0.9

export const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

/** [step, mean score over environments] */
export function curveOf(training: LmTraining): [number, number][] {
  return training.scores.map((row, i) => [i * training.every, mean(row)])
}

/** The horizons of a training; a shorter one has its own length. */
export function horizonsOf(steps: number): number[] {
  const reached = HORIZONS.filter((horizon) => horizon <= steps)
  return reached.length === 0 ? [steps] : reached
}

/** Mean of the curve's points up to `horizon`, step 0 included; in [0, 1]. */
export function areaTo(curve: readonly [number, number][], horizon: number): number {
  return mean(curve.filter(([step]) => step <= horizon).map(([, score]) => score))
}

/** Score at a step that was measured, else null. */
export function scoreAt(curve: readonly [number, number][], step: number): number | null {
  return curve.find(([at]) => at === step)?.[1] ?? null
}

/** First step at which the curve, drawn through its points, reaches `target`; null where it never does. */
export function stepsTo(curve: readonly [number, number][], target: number): number | null {
  for (const [i, [step, score]] of curve.entries()) {
    if (score < target) continue
    const before = curve[i - 1]
    if (before === undefined) return step
    return before[0] + ((step - before[0]) * (target - before[1])) / (score - before[1])
  }
  return null
}

export interface Solved {
  environment: string
  peak: number
  /** at the end, over its peak */
  kept: number
}

/** Environments that were solved once, the one that kept least first. */
export function onceSolved(training: LmTraining): Solved[] {
  const last = training.scores.at(-1) ?? []
  return training.keys
    .map((environment, e) => {
      const peak = Math.max(...training.scores.map((row) => row[e] ?? 0))
      return { environment, peak, kept: (last[e] ?? 0) / peak }
    })
    .filter(({ peak }) => peak >= SOLVED)
    .sort((a, b) => a.kept - b.kept)
}

/** Lowest mean rate, over time, of the environments that the base model had solved; null where it had none. */
export function lowestOfSolvedAtStart(training: LmTraining): number | null {
  const first = training.scores[0] ?? []
  const solved = [...first.keys()].filter((e) => (first[e] ?? 0) > AT_START_SOLVED)
  if (solved.length === 0) return null
  return Math.min(...training.scores.map((row) => mean(solved.map((e) => row[e] ?? 0))))
}

/** Mean final rate of the worst tenth of environments. */
export function worstTenth(training: LmTraining): number {
  const last = [...(training.scores.at(-1) ?? [])].sort((a, b) => a - b)
  return mean(last.slice(0, Math.max(1, Math.round(last.length / 10))))
}
