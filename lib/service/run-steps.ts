/**
 * A run step by step, a step being a policy version: what Compare draws. Pure over a run's history.
 * Owns: which steps are whole (everything of them absorbed, so that a number never moves again) and what a step measures.
 * Invariant: rewards are those of the uniform slots; a step that measured nothing has null, never 0.
 */
import type { GroupRow } from '@/lib/store/group'
import type { RunHistory } from './run-history'
import { rewardsDiffer } from './tally'

/** Steps under a running mean. */
const WINDOW = 5
const Z95 = 1.959964

export interface RunStep {
  step: number
  /** rollouts and tokens reported up to and with this step; tokens null where none was reported so far */
  rollouts: number
  tokens: number | null
  informativeShare: number | null
  reward: number | null
  rewardLow: number | null
  rewardHigh: number | null
  predictionError: number | null
  rolloutsPerInformative: number | null
}

const SUMS = [
  'returned',
  'judged',
  'informative',
  'uniform',
  'reward',
  'rewardSquares',
  'predicted',
  'error',
  'tokens',
  'tokensCount',
] as const
type Sums = Record<(typeof SUMS)[number], number>

const noSums = (): Sums => Object.fromEntries(SUMS.map((name) => [name, 0])) as Sums

function addTo(sums: Sums, other: Sums, sign: 1 | -1): void {
  for (const name of SUMS) sums[name] += sign * other[name]
}

function sumsOf(groups: readonly GroupRow[]): Sums {
  const sums = noSums()
  for (const group of groups) {
    sums.returned += group.returned
    sums.tokens += group.tokensSum
    sums.tokensCount += group.tokensCount
    const differ = rewardsDiffer(group)
    if (differ !== null) sums.judged += 1
    if (differ === true) sums.informative += 1
    if (group.slot === 'uniform' && group.mean !== null) {
      sums.uniform += 1
      sums.reward += group.mean
      sums.rewardSquares += group.mean * group.mean
    }
    if (group.predictedVariance !== null && group.realisedVariance !== null) {
      sums.predicted += 1
      sums.error += Math.abs(group.predictedVariance - group.realisedVariance)
    }
  }
  return sums
}

/** Mean and normal 95 % interval over groups; no interval below two. */
function rewardOf({ uniform: n, reward, rewardSquares }: Sums): Pick<RunStep, 'reward' | 'rewardLow' | 'rewardHigh'> {
  if (n === 0) return { reward: null, rewardLow: null, rewardHigh: null }
  const mean = reward / n
  if (n === 1) return { reward: mean, rewardLow: null, rewardHigh: null }
  const half = Z95 * Math.sqrt(Math.max(0, rewardSquares - n * mean * mean) / (n - 1) / n)
  return { reward: mean, rewardLow: mean - half, rewardHigh: mean + half }
}

const over = (part: number, whole: number) => (whole === 0 ? null : part / whole)

/** Whole steps, in order. Cost: O(groups), once for a state of the history. */
export function runSteps(history: RunHistory): RunStep[] {
  const known = kept.get(history)
  if (known !== undefined && known.mark === history.mark) return known.steps
  const steps = stepsOf(history)
  kept.set(history, { mark: history.mark, steps })
  return steps
}

const kept = new WeakMap<RunHistory, { mark: string; steps: RunStep[] }>()

function stepsOf(history: RunHistory): RunStep[] {
  const byStep = new Map<number, GroupRow[]>()
  for (const group of history.groups.values()) {
    const list = byStep.get(group.policyVersion)
    if (list === undefined) byStep.set(group.policyVersion, [group])
    else list.push(group)
  }
  const order = [...byStep].sort(([a], [b]) => a - b)
  while (order.length > 0 && order.at(-1)?.[1].some((group) => group.state !== 'absorbed') === true) order.pop()
  const sums = order.map(([, groups]) => sumsOf(groups))
  const [window, all] = [noSums(), noSums()]
  return order.map(([step], i) => {
    const here = sums[i] ?? noSums()
    const gone = sums[i - WINDOW]
    addTo(window, here, 1)
    if (gone !== undefined) addTo(window, gone, -1)
    addTo(all, here, 1)
    return {
      step,
      rollouts: all.returned,
      tokens: all.tokensCount === 0 ? null : all.tokens,
      informativeShare: over(window.informative, window.judged),
      ...rewardOf(window),
      predictionError: over(window.error, window.predicted),
      rolloutsPerInformative: over(window.returned, window.informative),
    }
  })
}
