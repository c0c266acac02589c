/**
 * The arms of the language model against each other, paired by world.
 * Owns: the JSON of `bench:lm`. Pure. Must never know: how a training was made.
 * Invariant: a difference uses only worlds that both arms trained in; a standard error needs two of them, else it is null.
 */
import {
  areaTo,
  curveOf,
  horizonsOf,
  lowestOfSolvedAtStart,
  mean,
  onceSolved,
  scoreAt,
  stepsTo,
  worstTenth,
} from './bench-lm-measures'
import type { LmTrainer } from './bench-lm-python'
import { type LmTraining, ROLLOUTS_A_STEP } from './bench-lm-training'

type Areas = Record<string, number>

export interface LmSeed {
  seed: number
  areaTo: Areas
  end: number
  stepsToUniform150: number | null
  informativeShare: number
  worstTenth: number
  /** of the environments that were solved once, the one that kept least; null where none was */
  lowestOnceSolved: { environment: string; peak: number; kept: number } | null
  lowestOfSolvedAtStart: number | null
  seconds: LmTraining['seconds']
}

/** This arm minus another, by world. */
export interface Difference {
  seeds: number[]
  values: number[]
  mean: number
  standardError: number | null
}

export interface LmArm {
  arm: string
  seeds: number[]
  curve: [number, number][]
  areaTo: Areas
  /** median over seeds; null where most never reach it, or uniform choice was not run to step 150 */
  stepsToUniform150: number | null
  informativeShare: number
  worstTenth: number
  /** the lowest of all seeds, final over peak; null where nothing was solved once */
  lowestOnceSolved: number | null
  end: number
  /** gain over uniform as a share of the oracle's, by horizon */
  oracleShare: Record<string, number | null>
  against: Record<string, Record<string, Difference>>
  perSeed: LmSeed[]
}

export interface LmReport {
  arms: LmArm[]
  trainer: {
    model: string
    algorithm: string
    steps: number
    secondsAStep: number
    askSeconds: number | null
    /** groups that the server and the trainer's own log tell alike; null where that was not looked at */
    groupsChecked: number | null
  }
  rolloutsPerStep: number
}

/** Arms that others are told against. */
const RIVALS = ['uniform', 'env-then-task', 'env-then-task-protected']
const UNIFORM = 'uniform'
const ORACLE = 'oracle'
const UNIFORM_STEP = 150

const ALGORITHMS: Record<LmTrainer, string> = {
  own: 'GRPO, 16 groups of 8, AdamW at 1e-4',
  trl: "TRL 1.16.0's GRPOTrainer, 16 groups of 8, AdamW at 1e-4",
}

export function reportLm(trainings: readonly LmTraining[], trainer: LmTrainer): LmReport {
  const byArm = new Map<string, LmTraining[]>()
  for (const training of trainings) byArm.set(training.arm, [...(byArm.get(training.arm) ?? []), training])
  const steps = Math.max(...trainings.map((training) => training.steps))
  const seeds = new Map([...byArm].map(([arm, own]) => [arm, own.map((training) => seedOf(training, byArm))]))
  const checks = trainings.flatMap(({ groupsChecked }) => groupsChecked ?? [])
  const asks = trainings.flatMap(({ seconds }) => seconds.ask ?? [])
  return {
    arms: [...byArm].map(([arm, own]) => armOf(arm, own, seeds, horizonsOf(steps))),
    trainer: {
      model: 'causal transformer of 0.11 M parameters, warm start on noisy demonstrations',
      algorithm: ALGORITHMS[trainer],
      steps,
      secondsAStep: median(trainings.map(({ seconds }) => seconds.step)),
      askSeconds: asks.length === 0 ? null : median(asks),
      groupsChecked: checks.length === 0 ? null : checks.reduce((sum, count) => sum + count, 0),
    },
    rolloutsPerStep: ROLLOUTS_A_STEP,
  }
}

function seedOf(training: LmTraining, byArm: ReadonlyMap<string, readonly LmTraining[]>): LmSeed {
  const curve = curveOf(training)
  const uniform = byArm.get(UNIFORM)?.find(({ world }) => world === training.world)
  const target = uniform === undefined ? null : scoreAt(curveOf(uniform), UNIFORM_STEP)
  return {
    seed: training.world,
    areaTo: Object.fromEntries(horizonsOf(training.steps).map((horizon) => [horizon, areaTo(curve, horizon)])),
    end: curve.at(-1)?.[1] ?? Number.NaN,
    stepsToUniform150: target === null ? null : stepsTo(curve, target),
    informativeShare: mean(training.informative),
    worstTenth: worstTenth(training),
    lowestOnceSolved: onceSolved(training)[0] ?? null,
    lowestOfSolvedAtStart: lowestOfSolvedAtStart(training),
    seconds: training.seconds,
  }
}

function armOf(
  arm: string,
  trainings: readonly LmTraining[],
  all: ReadonlyMap<string, readonly LmSeed[]>,
  horizons: readonly number[],
): LmArm {
  const perSeed = [...(all.get(arm) ?? [])].sort((a, b) => a.seed - b.seed)
  const curves = trainings.map(curveOf)
  const areas = (seeds: readonly LmSeed[], horizon: number) => seeds.map((seed) => seed.areaTo[horizon] ?? Number.NaN)
  const against = (other: string) => differences(perSeed, all.get(other) ?? [], horizons)
  const kept = perSeed.flatMap(({ lowestOnceSolved }) => lowestOnceSolved?.kept ?? [])
  const rivals = RIVALS.filter((rival) => rival !== arm && all.has(rival))
  return {
    arm,
    seeds: perSeed.map(({ seed }) => seed),
    curve: (curves[0] ?? []).map(([step], i) => [step, mean(curves.map((curve) => curve[i]?.[1] ?? Number.NaN))]),
    areaTo: Object.fromEntries(horizons.map((horizon) => [horizon, mean(areas(perSeed, horizon))])),
    stepsToUniform150: censoredMedian(perSeed.map((seed) => seed.stepsToUniform150)),
    informativeShare: mean(perSeed.map((seed) => seed.informativeShare)),
    worstTenth: mean(perSeed.map((seed) => seed.worstTenth)),
    lowestOnceSolved: kept.length === 0 ? null : Math.min(...kept),
    end: mean(perSeed.map((seed) => seed.end)),
    oracleShare: oracleShare(arm, all, horizons),
    against: Object.fromEntries(rivals.map((rival) => [rival, against(rival)])),
    perSeed,
  }
}

function differences(
  own: readonly LmSeed[],
  others: readonly LmSeed[],
  horizons: readonly number[],
): Record<string, Difference> {
  const pairs = own.flatMap((seed) => {
    const other = others.find((candidate) => candidate.seed === seed.seed)
    return other === undefined ? [] : [{ seed, other }]
  })
  const seeds = pairs.map(({ seed }) => seed.seed)
  return Object.fromEntries(
    horizons.map((horizon) => {
      const values = pairs.map(({ seed, other }) => (seed.areaTo[horizon] ?? NaN) - (other.areaTo[horizon] ?? NaN))
      return [horizon, { seeds, values, mean: mean(values), standardError: standardError(values) }]
    }),
  )
}

/** Over the worlds that this arm, uniform choice and the oracle all trained in. */
function oracleShare(
  arm: string,
  all: ReadonlyMap<string, readonly LmSeed[]>,
  horizons: readonly number[],
): Record<string, number | null> {
  const [own, uniform, oracle] = [arm, UNIFORM, ORACLE].map((name) => all.get(name) ?? [])
  const has = (seeds: readonly LmSeed[] | undefined, seed: number) => seeds?.some((one) => one.seed === seed) === true
  const shared = (own ?? []).filter(({ seed }) => has(uniform, seed) && has(oracle, seed)).map(({ seed }) => seed)
  const area = (seeds: readonly LmSeed[] | undefined, horizon: number) =>
    mean((seeds ?? []).filter(({ seed }) => shared.includes(seed)).map((one) => one.areaTo[horizon] ?? NaN))
  return Object.fromEntries(
    horizons.map((horizon) => {
      const base = area(uniform, horizon)
      const share = (area(own, horizon) - base) / (area(oracle, horizon) - base)
      return [horizon, Number.isFinite(share) ? share : null]
    }),
  )
}

function standardError(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const middle = mean(values)
  const squares = values.reduce((sum, x) => sum + (x - middle) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2
}

/** A seed that never gets there is later than all others. */
function censoredMedian(values: readonly (number | null)[]): number | null {
  const middle = median(values.map((value) => value ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(middle) ? middle : null
}
