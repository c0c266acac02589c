/* Owns the plain tables behind the panels of the Overview. */
import type { BatchSummary } from '@/lib/contract/batch'
import type { Overview } from '@/lib/contract/overview'
import { withoutReward } from './status-words'
import type { TableTwin } from './table-twin'

export function informativeTwin({ series, overrides }: Overview): TableTwin {
  const letters = new Map<number, string>()
  for (const one of overrides) letters.set(one.batch, [letters.get(one.batch), one.letter].filter(Boolean).join(' '))
  return {
    name: 'informative-share',
    columns: [
      'batch',
      'policy',
      'share',
      'mean of 10',
      'uniform, mean of 10',
      'uniform low',
      'uniform high',
      'override',
    ],
    rows: series.map((point) => [
      point.batch,
      point.policyVersion,
      point.informativeShare,
      point.informativeMean,
      point.uniformMean,
      point.uniformLow,
      point.uniformHigh,
      letters.get(point.batch) ?? 'none',
    ]),
  }
}

export function rewardTwin({ series }: Overview, which: 'rewardWhole' | 'rewardChosen'): TableTwin {
  return {
    name: which === 'rewardWhole' ? 'reward-whole-set' : 'reward-chosen-tasks',
    columns: ['batch', 'policy', 'reward'],
    rows: series.map((point) => [point.batch, point.policyVersion, point[which]]),
  }
}

export function yieldTwin(overview: Overview): TableTwin {
  const sums = overview.yield
  const statuses = Object.entries(sums.statuses)
  return {
    name: 'yield',
    columns: ['what', 'count'],
    rows: [
      ['groups asked', sums.asked],
      ['groups returned', sums.returned],
      ['groups trusted', sums.trusted],
      ['groups informative', sums.informative],
      ['groups all solved', sums.allSolved],
      ['groups all failed', sums.allFailed],
      ['groups of equal rewards in between', sums.allEqual],
      ['groups of one trusted rollout', sums.single],
      ['leases expired', sums.expired],
      ['leases released', sums.released],
      ['rollouts without a usable reward', withoutReward(sums.statuses, sums.untrusted)],
      ...statuses.map(([status, count]): [string, number] => [`rollouts ${status}`, count]),
    ],
  }
}

export function coverageTwin({ series, coverage }: Overview): TableTwin {
  return {
    name: 'coverage',
    columns: ['batch', 'environments seen', 'tasks seen', 'patterns seen'],
    rows: series.map((point, i) => [
      point.batch,
      coverage.environments.series[i] ?? null,
      coverage.tasks.series[i] ?? null,
      coverage.patterns.series[i] ?? null,
    ]),
  }
}

export function batchesTwin(batches: readonly BatchSummary[]): TableTwin {
  return {
    name: 'batches',
    columns: ['batch', 'policy', 'picks', 'back', 'trusted', 'informative', 'informative share', 'issued', 'ladder'],
    rows: batches.map((batch) => [
      batch.index,
      batch.policyVersion,
      batch.picks,
      batch.back,
      batch.trusted,
      batch.informative,
      batch.informativeShare,
      batch.at,
      batch.fallback.rung,
    ]),
  }
}
