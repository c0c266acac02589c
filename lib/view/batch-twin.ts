/** Owns the plain tables behind the Batch page: picks, left-out tasks, quota use, similarity. */
import type { BatchDetail, LeftOutView, PickView, QuotaUseView, TermsView } from '@/lib/contract/batch'
import type { TableTwin } from './table-twin'

export const TERM_ORDER = [
  'exploitation',
  'coverage',
  'recency',
  'similarity',
  'quota',
  'override',
  'cost',
] as const satisfies readonly (keyof TermsView)[]

export function picksTwin(picks: readonly PickView[], batch: number): TableTwin {
  return {
    name: `picks of batch ${batch}`,
    columns: [
      'pick',
      'environment',
      'task',
      'slot',
      'reason',
      'predicted variance',
      'ability',
      'informative',
      ...TERM_ORDER,
      'score',
      'first stage',
      'second stage',
      'bought later',
      'returned',
      'trusted',
      'mean',
      'realised variance',
      'is informative',
    ],
    rows: picks.map((pick) => [
      pick.position,
      pick.environment.key,
      pick.task.key,
      pick.slot,
      pick.reason,
      pick.prediction.predictedVariance,
      pick.prediction.ability,
      pick.prediction.informative,
      ...TERM_ORDER.map((term) => pick.terms[term]),
      pick.score,
      pick.result.stages?.first ?? null,
      pick.result.stages?.second ?? null,
      pick.more,
      pick.result.returned,
      pick.result.trusted,
      pick.result.mean,
      pick.result.variance,
      pick.result.informative,
    ]),
  }
}

export function leftOutTwin(rows: readonly LeftOutView[], batch: number): TableTwin {
  return {
    name: `left out of batch ${batch}`,
    columns: ['environment', 'task', 'score', 'margin', 'rule', 'why', 'setting', 'now', 'needed', 'wait'],
    rows: rows.map((row) => [
      row.task.environment.key,
      row.task.key,
      row.score,
      row.margin,
      row.rule,
      row.sentence,
      row.change?.setting ?? null,
      row.change?.now ?? null,
      row.change?.needed ?? null,
      row.wait,
    ]),
  }
}

export function quotaTwin(quotas: readonly QuotaUseView[], batch: number): TableTwin {
  return {
    name: `quota use at batch ${batch}`,
    columns: ['environment', 'used', 'window', 'lower', 'upper', 'picks in this batch', 'state'],
    rows: quotas.map((quota) => [
      quota.environment.key,
      quota.used,
      quota.window,
      quota.lower,
      quota.upper,
      quota.picks,
      quota.state,
    ]),
  }
}

export function sharesTwin(shares: NonNullable<BatchDetail['shares']>, batch: number): TableTwin {
  return {
    name: `shares of batch ${batch}`,
    columns: ['environment', 'picks', 'groups that came'],
    rows: shares.map(({ environment, picks, groups }) => [environment.key, picks, groups]),
  }
}

/** What each pick lost for being like other picks, as it was scored; 0 or less. */
export function similarityTwin(picks: readonly PickView[], batch: number): TableTwin {
  return {
    name: `similarity inside batch ${batch}`,
    columns: ['pick', 'task', 'similarity term'],
    rows: picks.map((pick) => [pick.position, pick.task.key, pick.terms.similarity]),
  }
}
