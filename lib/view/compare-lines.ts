/* Owns what the charts of Compare draw: lines of seeds and means, ends, ranges, and the plain tables behind them.
   Invariant: three configurations a chart at most; a band never leaves the plot. */
import type { ComparedRun, Comparison } from '@/lib/contract/comparison'
import { niceTicks } from './axis'
import { type Configuration, seedWord } from './compare-configurations'
import { commonIndex, MEASURES, type MeasureKey, meanAt, valueAt } from './compare-measures'
import { placeFigure } from './compare-words'
import type { SeedDifference } from './seed-difference'
import type { TableTwin } from './table-twin'

export const MOST_DRAWN = 3

/** A place of the axis: the row of every chart here. */
export interface Place {
  x: number
  at: number
}

/** `part`: up to the last place that all reached. */
export function placesOf(comparison: Pick<Comparison, 'x' | 'common'>, part: 'end' | 'common'): Place[] {
  const all = comparison.x.map((x, at) => ({ x, at }))
  const { common } = comparison
  return part === 'common' && common !== null ? all.filter(({ x }) => x <= common) : all
}

export interface CompareLine {
  key: string
  /** place of its configuration: ours, theirs, another */
  rank: number
  /** one seed of several */
  seed: boolean
  value: (place: Place) => number | null
  end?: { figure: string; word: string }
}

/** Characters that fit beside a chart, behind the figure. */
const LONGEST = 17

/** Cut so that it fits a head. */
export const short = (text: string, longest = LONGEST) =>
  text.length > longest ? `${text.slice(0, Math.max(1, longest - 1))}…` : text

function furthest(runs: readonly ComparedRun[]): ComparedRun | undefined {
  return runs.reduce<ComparedRun | undefined>(
    (best, run) => (run.last !== null && (best === undefined || run.last > (best.last ?? 0)) ? run : best),
    undefined,
  )
}

function endOf(
  comparison: Comparison,
  configuration: Configuration,
  key: MeasureKey,
  part: 'end' | 'common',
): { figure: string; word: string } {
  const { write, unit } = MEASURES[key]
  const figure = (value: number | null) => (unit === null ? write(value) : `${write(value)}\u00a0${unit}`)
  const { axis, x } = comparison
  if (part === 'common') {
    return { figure: figure(meanAt(configuration, key, commonIndex(comparison))), word: short(configuration.name) }
  }
  const run = furthest(configuration.runs)
  if (run === undefined || run.last === null) return { figure: 'n/a', word: short(configuration.name) }
  const value = run.series[key].findLast((one) => one !== null) ?? null
  const word = configuration.runs.length === 1 ? configuration.name : `${configuration.name} ${seedWord(run)}`
  const [first, last] = [x[0] ?? 0, x.at(-1) ?? 0]
  const when = last - run.last > 0.05 * (last - first) ? `, at ${placeFigure(axis, run.last)}` : ''
  return { figure: figure(value), word: short(word, LONGEST - when.length) + when }
}

/** Lines of a measure: the seeds of a configuration thin, their mean thick; one run alone is thick. */
export function measureLines(
  comparison: Comparison,
  ordered: readonly Configuration[],
  key: MeasureKey,
  part: 'end' | 'common',
): CompareLine[] {
  return ordered.slice(0, MOST_DRAWN).flatMap((configuration, rank) => {
    const begun = configuration.runs.filter((run) => run.series[key].some((value) => value !== null))
    const end = endOf(comparison, { ...configuration, runs: begun }, key, part)
    const labelled = part === 'end' ? furthest(begun) : undefined
    const seeds = begun.length < 2 ? [] : begun
    const lines: CompareLine[] = seeds.map((run) => ({
      key: run.id,
      rank,
      seed: true,
      value: ({ at }) => valueAt(run, key, at),
      end: run === labelled ? end : undefined,
    }))
    if (begun.length === 0) return []
    const mean: CompareLine = {
      key: `mean-${configuration.runs[0]?.id ?? rank}`,
      rank,
      seed: false,
      value: ({ at }) => meanAt(configuration, key, at),
      end: labelled === undefined || seeds.length === 0 ? end : undefined,
    }
    return [...lines, mean]
  })
}

/** Ticks that hold every line; zero is among those of a share. */
export function measureTicks(lines: readonly CompareLine[], places: readonly Place[], key: MeasureKey): number[] {
  const known = lines.flatMap((line) => places.map(line.value).filter((value) => value !== null))
  if (known.length === 0) return [0, 0.5, 1]
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return niceTicks(key === 'informativeShare' ? 0 : low, high, 5)
}

/** Differences of single pairs of seeds, thin under their mean; none where there is one pair or no shared seed. */
export function pairLines(pair: readonly [Configuration, Configuration], key: MeasureKey): CompareLine[] {
  const lines = pair[0].runs.flatMap((run) => {
    const other = pair[1].runs.find((one) => one.seed === run.seed)
    if (other === undefined) return []
    const value = ({ at }: Place) => {
      const [a, b] = [valueAt(run, key, at), valueAt(other, key, at)]
      return a === null || b === null ? null : a - b
    }
    return [{ key: `pair-${run.id}`, rank: 0, seed: true, value }]
  })
  return lines.length < 2 ? [] : lines
}

/**
 * Ticks of a difference: zero, the mean, single pairs, and the interval where it is read off, unless that is so wide that the
 * difference itself could not be seen.
 */
export function differenceTicks(
  differences: readonly (SeedDifference | null)[],
  pairs: readonly CompareLine[],
  places: readonly Place[],
  common: number,
): number[] {
  const values = [0]
  for (const place of places) {
    const difference = differences[place.at] ?? null
    if (difference === null) continue
    values.push(difference.value)
    for (const line of pairs) values.push(line.value(place) ?? 0)
  }
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = Math.max(high - low, 1e-6) * 1.5
  const last = differences[common] ?? null
  const least = Math.max(low - room, Math.min(low, last?.low ?? low))
  const most = Math.min(high + room, Math.max(high, last?.high ?? high))
  return niceTicks(least, most, 5)
}

/** Column heads of runs: two of one name are told apart by their ids. */
export function runHeads(runs: readonly Pick<ComparedRun, 'id' | 'name'>[]): string[] {
  return runs.map(({ id, name }) => (runs.filter((other) => other.name === name).length > 1 ? `${name} (${id})` : name))
}

export function measureTwin(comparison: Comparison, key: MeasureKey, places: readonly Place[]): TableTwin {
  const { runs, axis } = comparison
  return {
    name: `compare ${MEASURES[key].name.toLowerCase()}`,
    columns: [axis === 'steps' ? 'step' : axis, ...runHeads(runs)],
    rows: places.map(({ x, at }) => [x, ...runs.map((run) => valueAt(run, key, at))]),
  }
}

export function differenceTwin(
  comparison: Comparison,
  pair: readonly [Configuration, Configuration],
  key: MeasureKey,
  differences: readonly (SeedDifference | null)[],
): TableTwin {
  return {
    name: `compare difference of ${MEASURES[key].name.toLowerCase()}`,
    columns: [
      comparison.axis === 'steps' ? 'step' : comparison.axis,
      `${pair[0].name} minus ${pair[1].name}`,
      '95 % low',
      '95 % high',
      'pairs of seeds',
    ],
    rows: comparison.x.flatMap((x, at) => {
      const difference = differences[at] ?? null
      return difference === null ? [] : [[x, difference.value, difference.low, difference.high, difference.pairs]]
    }),
  }
}
