/* Owns the plain tables of environments and of their series, and the means that the small charts draw. */
import type { EnvironmentRow, EnvironmentSeries } from '@/lib/contract/environment'
import { usedShare } from './environment-words'
import type { TableTwin } from './table-twin'

export function environmentsTwin(rows: readonly EnvironmentRow[]): TableTwin {
  return {
    name: 'environments',
    columns: [
      'code',
      'environment',
      'state',
      'tasks seen',
      'tasks',
      'share of picks',
      'lower quota',
      'upper quota',
      'predicted variance',
      'realised variance',
      'ability',
      'drift',
      'informative share',
      'failure share',
      'error text share',
      'seconds a rollout',
      'tokens a rollout',
      'boost',
    ],
    rows: rows.map((row) => [
      row.code,
      row.name,
      row.state,
      row.seen,
      row.tasks,
      usedShare(row),
      row.quota.lower,
      row.quota.upper,
      row.predictedVariance,
      row.realisedVariance,
      row.ability,
      row.drift,
      row.informativeShare,
      row.failureShare,
      row.errorShare,
      row.seconds,
      row.tokens,
      row.boost,
    ]),
  }
}

export function seriesTwin({ batches, environments }: EnvironmentSeries): TableTwin {
  return {
    name: 'informative-share-by-environment',
    columns: ['batch', ...environments.map((one) => one.environment.code)],
    rows: batches.map((batch, i) => [batch, ...environments.map((one) => one.informativeShare[i] ?? null)]),
  }
}

/** Mean of the known values among the last `window` ones, null where none is known. */
export function runningMean(values: readonly (number | null)[], window: number): (number | null)[] {
  return values.map((_, i) => {
    const known = values.slice(Math.max(0, i - window + 1), i + 1).filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  })
}
