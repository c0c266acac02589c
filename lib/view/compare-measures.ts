/* Owns what is compared: each measure of a run at a place of the axis, its mean over seeds, its difference over seeds.
   Invariant: a mean or difference goes only as far as all of its runs do; unknown is null, never 0. */
import type { ComparedRun, Comparison } from '@/lib/contract/comparison'
import type { Configuration } from './compare-configurations'
import { formatBare, formatFixed } from './format'
import { type SeedDifference, seedDifference } from './seed-difference'

export type MeasureKey = 'informativeShare' | 'reward' | 'predictionError' | 'rolloutsPerInformative'

export interface Measure {
  name: string
  unit: string | null
  explain: string
  write: (value: number | null) => string
  writeDifference: (value: number | null) => string
}

const bare =
  (decimals: number, scale = 1, signed = false) =>
  (value: number | null, absent = 'n/a') =>
    value === null || !Number.isFinite(value) ? absent : formatFixed(value * scale, decimals, signed)

export const MEASURES: Record<MeasureKey, Measure> = {
  informativeShare: {
    name: 'Informative share',
    unit: '%',
    explain:
      'Trusted groups whose rewards are not all equal, over trusted groups: all slots, mean of 5 steps (Runs and the Overview take 10 batches)',
    write: (value) => formatBare('share', value, 'n/a'),
    writeDifference: (value) => formatBare('share', value, 'n/a', { signed: true }),
  },
  reward: {
    name: 'Reward, whole set',
    unit: null,
    explain: 'Mean reward on the uniform slots, mean of 5 steps: an honest sample of the whole task set',
    write: bare(3),
    writeDifference: bare(3, 1, true),
  },
  predictionError: {
    name: 'Error of predictions',
    unit: null,
    explain: 'Mean distance between the variance predicted before a group and the one realised, 5 steps',
    write: bare(3),
    writeDifference: bare(3, 1, true),
  },
  rolloutsPerInformative: {
    name: 'Rollouts per informative group',
    unit: null,
    explain: 'Rollouts that came back over informative groups, 5 steps',
    write: bare(1),
    writeDifference: bare(1, 1, true),
  },
}

export const MEASURE_KEYS = Object.keys(MEASURES) as MeasureKey[]

/** The value of a run at a place (index of `x`); NaN reads as unknown. */
export function valueAt(run: ComparedRun, key: MeasureKey, at: number): number | null {
  const value = run.series[key][at] ?? null
  return value === null || !Number.isFinite(value) ? null : value
}

/** Index of the last place that all runs reached; -1 where there is none. */
export function commonIndex(comparison: Pick<Comparison, 'x' | 'common'>): number {
  return comparison.common === null ? -1 : comparison.x.indexOf(comparison.common)
}

const begun = (runs: readonly ComparedRun[]) => runs.filter((run) => run.last !== null)

/** Mean over the seeds of a configuration, null beyond the first one that ends. */
export function meanAt(configuration: Configuration, key: MeasureKey, at: number): number | null {
  const values = begun(configuration.runs).map((run) => valueAt(run, key, at))
  const known = values.filter((value) => value !== null)
  return known.length === 0 || known.length < values.length
    ? null
    : known.reduce((sum, value) => sum + value, 0) / known.length
}

export type RunValue = (run: ComparedRun) => number | null

/** Places over which the spread of the seeds is averaged. */
export const SPREAD_PLACES = 10

/** Difference by any reading of a run. */
export function differenceBy(
  pair: readonly [Configuration, Configuration],
  value: RunValue,
  near: readonly number[] = [],
): SeedDifference | null {
  const side = (one: Configuration) => begun(one.runs).map((run) => ({ seed: run.seed, value: value(run) }))
  return seedDifference(side(pair[0]), side(pair[1]), near)
}

/** At one place, the spread of the seeds taken from it and the nine before that have the same pairs. */
export function differenceAt(
  pair: readonly [Configuration, Configuration],
  key: MeasureKey,
  at: number,
): SeedDifference | null {
  const plain = (place: number) => differenceBy(pair, (run) => valueAt(run, key, place))
  const here = plain(at)
  if (here === null || here.variance === null) return here
  const near: number[] = []
  for (let place = Math.max(0, at - SPREAD_PLACES + 1); place < at; place += 1) {
    const before = plain(place)
    if (before !== null && before.variance !== null && before.pairs === here.pairs) near.push(before.variance)
  }
  return differenceBy(pair, (run) => valueAt(run, key, at), near)
}

/**
 * One a place, up to the last that all runs reached, which is where it is read off; null while one of the runs that ever
 * measured it has not begun to.
 */
export function differenceSeries(
  comparison: Pick<Comparison, 'x' | 'common'>,
  pair: readonly [Configuration, Configuration],
  key: MeasureKey,
): (SeedDifference | null)[] {
  const all = begun([...pair[0].runs, ...pair[1].runs])
  const measuring = all.filter((run) => run.series[key].some((value) => value !== null))
  const last = commonIndex(comparison)
  return comparison.x.map((_, at) =>
    at > last || measuring.some((run) => valueAt(run, key, at) === null) ? null : differenceAt(pair, key, at),
  )
}

/** The newest evaluation of a name up to a place of the axis. */
export function scoreUpTo(run: ComparedRun, name: string, x: number): number | null {
  const points = run.scores.find((score) => score.name === name)?.points ?? []
  return points.filter((point) => point.x <= x).at(-1)?.value ?? null
}

/** Names of evaluations that at least two runs report. */
export function sharedScores(runs: readonly ComparedRun[]): string[] {
  const names = runs.flatMap((run) => run.scores.filter(({ points }) => points.length > 0).map(({ name }) => name))
  return [...new Set(names)].filter((name) => names.filter((one) => one === name).length >= 2).sort()
}
