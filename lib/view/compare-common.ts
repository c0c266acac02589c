/* Owns the table at the last place that all runs reached: values, difference, interval, and whether it is shown. */
import type { ComparedRun, Comparison } from '@/lib/contract/comparison'
import type { Configuration } from './compare-configurations'
import { runHeads } from './compare-lines'
import {
  commonIndex,
  differenceAt,
  differenceBy,
  MEASURE_KEYS,
  MEASURES,
  type RunValue,
  scoreUpTo,
  sharedScores,
  valueAt,
} from './compare-measures'
import { taskSetsOf } from './compare-words'
import { formatFixed } from './format'
import { type SeedDifference, standing } from './seed-difference'
import type { TableTwin } from './table-twin'

type Pair = readonly [Configuration, Configuration]

export interface CommonRow {
  key: string
  name: string
  unit: string | null
  explain: string
  values: (number | null)[]
  write: (value: number | null) => string
  difference: SeedDifference | null
  written: string
  interval: string
  so: ReturnType<typeof standing>
}

/** Runs in the order of the configurations. */
export function commonRows(comparison: Comparison, runs: readonly ComparedRun[], pair: Pair | null): CommonRow[] {
  const at = commonIndex(comparison)
  const place = comparison.common
  if (at < 0 || place === null) return []
  const comparable = pair !== null && taskSetsOf([...pair[0].runs, ...pair[1].runs]).length === 1
  const row = (
    head: Pick<CommonRow, 'key' | 'name' | 'unit' | 'explain' | 'write'>,
    writeDifference: (value: number | null) => string,
    read: RunValue,
    taken: (of: Pair) => SeedDifference | null,
  ): CommonRow => {
    const difference = comparable && pair !== null ? taken(pair) : null
    const { low, high } = difference ?? { low: null, high: null }
    return {
      ...head,
      values: runs.map(read),
      difference,
      written: writeDifference(difference?.value ?? null),
      interval:
        low === null || high === null
          ? difference === null
            ? 'n/a'
            : 'no interval'
          : `${writeDifference(low)} to ${writeDifference(high)}`,
      so: standing(difference),
    }
  }
  const measures = MEASURE_KEYS.map((key) => {
    const { name, unit, explain, write, writeDifference } = MEASURES[key]
    return row(
      { key, name, unit, explain, write },
      writeDifference,
      (run) => valueAt(run, key, at),
      (of) => differenceAt(of, key, at),
    )
  })
  const written = (signed: boolean) => (value: number | null) =>
    value === null || !Number.isFinite(value) ? 'n/a' : formatFixed(value, 3, signed)
  const scores = sharedScores(runs).map((name) =>
    row(
      {
        key: `score-${name}`,
        name,
        unit: null,
        explain: "The trainer's own evaluation: the newest up to here",
        write: written(false),
      },
      written(true),
      (run) => scoreUpTo(run, name, place),
      (of) => differenceBy(of, (run) => scoreUpTo(run, name, place)),
    ),
  )
  return [...measures, ...scores]
}

export function commonTwin(rows: readonly CommonRow[], runs: readonly ComparedRun[], pair: Pair | null): TableTwin {
  const difference = pair === null ? 'difference' : `${pair[0].name} minus ${pair[1].name}`
  return {
    name: 'compare at the last common place',
    columns: ['measure', ...runHeads(runs), difference, '95 % low', '95 % high', 'pairs of seeds', 'so'],
    rows: rows.map((row) => [
      row.name,
      ...row.values,
      row.difference?.value ?? null,
      row.difference?.low ?? null,
      row.difference?.high ?? null,
      row.difference?.pairs ?? null,
      row.so,
    ]),
  }
}
