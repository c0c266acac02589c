/* Compared runs as the API gives them; every test states what differs. */
import type { ComparedRun, Comparison } from '@/lib/contract/comparison'

type Values = readonly (number | null)[]

export const SETTINGS = [
  { name: 'scheduler', value: 'envsched' },
  { name: 'seed', value: '0' },
  { name: 'coverage weight', value: '0.6' },
  { name: 'paused', value: 'never' },
]

export function aComparedRun(
  id: string,
  given: Partial<Omit<ComparedRun, 'series'>> & { share?: Values; reward?: Values } = {},
): ComparedRun {
  const { share = [0.5, 0.6, 0.7], reward = [0.3, 0.4, 0.5], ...rest } = given
  const none = share.map(() => null)
  const scheduler = rest.scheduler ?? 'envsched'
  const seed = rest.seed ?? '0'
  return {
    id,
    name: id,
    status: 'finished',
    mode: 'choose',
    scheduler,
    seed,
    taskSet: { id: 'set', name: 'tools-10' },
    batch: 3,
    rollouts: 1536,
    last: share.findLastIndex((value) => value !== null) < 0 ? null : share.findLastIndex((value) => value !== null),
    atCommon: { step: 2, rollouts: 1536, tokens: null },
    series: {
      informativeShare: [...share],
      reward: [...reward],
      rewardLow: [...none],
      rewardHigh: [...none],
      predictionError: [...none],
      rolloutsPerInformative: [...none],
    },
    scores: [],
    settings: SETTINGS.map((setting) =>
      setting.name === 'scheduler'
        ? { ...setting, value: scheduler }
        : setting.name === 'seed'
          ? { ...setting, value: seed }
          : setting,
    ),
    changes: [],
    steered: 0,
    ...rest,
  }
}

/** On steps 0, 1, 2, …; the last common one is that of the shortest run. */
export function aComparison(runs: ComparedRun[], changes: Partial<Comparison> = {}): Comparison {
  const places = Math.max(0, ...runs.map((run) => run.series.informativeShare.length))
  const ends = runs.flatMap((run) => run.last ?? [])
  return {
    axis: 'steps',
    x: Array.from({ length: places }, (_, i) => i),
    common: ends.length === 0 ? null : Math.min(...ends),
    runs,
    missing: [],
    ...changes,
  }
}
