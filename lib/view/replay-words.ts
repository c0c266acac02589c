/* Owns the sentences of a replay: how far it is, what it found, the unfavourable findings too.
   Invariant: "more", "fewer", "ahead" and "behind" only where the difference is over two standard errors; else it says so. */
import type { ReplayArmReport, ReplayJob, ReplayReport } from '@/lib/contract/replay'
import { formatCount, formatFixed, formatNumber, formatSpan } from './format'
import type { TableTwin } from './table-twin'

const ERRORS = 2

const ARM_WORDS: Record<string, string> = {
  uniform: 'Uniform choice',
  'env-then-task': 'Average by environment and task',
  'env-then-task-protected': 'The same with headroom, a quarter uniform',
  'env-bandit': 'Environment bandit',
  envsched: 'EnvSched',
  'envsched-no-structure': 'EnvSched without structure',
  'envsched-placebo': 'EnvSched, structure permuted',
  oracle: 'Best in hindsight',
}

const PREDICTOR_WORDS: Record<string, string> = {
  ...ARM_WORDS,
  'global-mean': 'Mean of all',
  'environment-mean': 'Mean of the environment',
  'task-history': 'History of the task',
}

export const armWords = (arm: string) => ARM_WORDS[arm] ?? arm
export const predictorWords = (name: string) => PREDICTOR_WORDS[name] ?? name

type Side = 'above' | 'below' | 'unclear'

function sideOf(difference: ReplayArmReport['againstUniform']): Side {
  if (difference === null || difference.standardError === null) return 'unclear'
  if (difference.mean > ERRORS * difference.standardError) return 'above'
  return difference.mean < -ERRORS * difference.standardError ? 'below' : 'unclear'
}

const percent = (value: number) => formatNumber('share', value, 'n/a')

/** "EnvSched would have found 41.2 % informative groups on this history, uniform choice 29.4 %; …" */
export function replayVerdict(report: ReplayReport): string {
  const of = (name: string) => report.arms.find(({ arm }) => arm === name)
  const [ours, uniform, average] = [of('envsched'), of('uniform'), of('env-then-task')]
  if (ours === undefined || uniform === undefined) return 'Neither EnvSched nor uniform choice was replayed.'
  const found = percent(ours.informativeShare)
  const plain = percent(uniform.informativeShare)
  const against: Record<Side, string> = {
    above: `EnvSched would have found ${found} informative groups on this history, uniform choice ${plain}`,
    below: `EnvSched would have found fewer informative groups than uniform choice on this history, ${found} against ${plain}`,
    unclear: `EnvSched would have found ${found} informative groups on this history, not clearly other than uniform choice with ${plain}`,
  }
  const head = against[sideOf(ours.againstUniform)]
  if (average === undefined) return `${head}.`
  const plainAverage = percent(average.informativeShare)
  const rest: Record<Side, string> = {
    above: `; it is ahead of a plain average by environment and task, ${plainAverage}.`,
    below: `; a plain average by environment and task would have found more, ${plainAverage}.`,
    unclear: `; a plain average by environment and task found about as many, ${plainAverage}.`,
  }
  return head + rest[sideOf(ours.againstEnvThenTask)]
}

function bestShadow(report: ReplayReport): { name: string; spearman: number } | null {
  const simple = Object.entries(report.shadows).filter(([name]) => name.startsWith('envsched') === false)
  const known = simple.flatMap(([name, { spearman }]) => (spearman === null ? [] : [{ name, spearman }]))
  return known.sort((a, b) => b.spearman - a.spearman)[0] ?? null
}

/** How well it predicts beside the simple predictors, and whether structure helps. */
export function replayPrediction(report: ReplayReport): string {
  const { prediction } = report
  if (prediction === null || prediction.spearman === null) return 'The rewards differ too little to score predictions.'
  const { ceiling, spearman, shareOfCeiling, againstShadows } = prediction
  const reach =
    shareOfCeiling === null || ceiling === null
      ? `Its predictions rank groups at ${formatFixed(spearman, 2)}; how much the noise allows cannot be said here.`
      : `Its predictions rank groups at ${formatFixed(spearman, 2)}, ${formatFixed(shareOfCeiling * 100, 0)}\u00a0% of the ${formatFixed(ceiling, 2)} that the noise of ${formatCount(report.groupSize, 'rollout')} a group allows.`
  const rival = bestShadow(report)
  const rivalSide = sideOf(rival === null ? null : (againstShadows[rival.name] ?? null))
  const beside: Record<Side, string> = {
    above: 'clearly better than',
    below: 'clearly worse than',
    unclear: 'not clearly other than',
  }
  const versus =
    rival === null
      ? ''
      : ` That is ${beside[rivalSide]} the best simple predictor, ${predictorWords(rival.name).toLowerCase()} with ${formatFixed(rival.spearman, 2)}.`
  const without = againstShadows['envsched-no-structure']
  if (without === undefined) return `${reach}${versus} The task set names no structure to use.`
  const helps: Record<Side, string> = {
    above: ' The structure of the task set helps.',
    below: ' The structure of the task set hurts here.',
    unclear: ' The structure of the task set does not help clearly.',
  }
  return `${reach}${versus}${helps[sideOf(without)]}`
}

/** "18 of 40 replays, 12 s left" */
export function replayLine({ done, total, secondsLeft }: ReplayJob): string {
  if (total === null) return 'Reading the groups'
  const left = secondsLeft === null ? '' : `, ${formatSpan(secondsLeft)} left`
  return `${formatFixed(done, 0)} of ${formatCount(total, 'replay')}${left}`
}

/** What was replayed: "60 steps of 16 picks over 5 policies, 5 seeds." */
export function replayScale({ steps, picks, ladder, seeds, repeatedGroups }: ReplayReport): string {
  return `${formatCount(steps, 'step')} of at most ${formatCount(picks, 'pick')} over ${formatCount(ladder.length, 'policy', 'policies')} with ${formatCount(repeatedGroups, 'group')}, ${formatCount(seeds.length, 'seed')}; each scheduler is told only what it picked.`
}

export function replayTwin(report: ReplayReport): TableTwin {
  return {
    name: 'replay',
    columns: ['scheduler', 'informative share', 'standard error', 'mean variance', 'environments', 'tasks', 'gain'],
    rows: report.arms.map((arm) => [
      armWords(arm.arm),
      arm.informativeShare,
      arm.standardError,
      arm.meanVariance,
      arm.environmentsSeen,
      arm.tasksSeen,
      arm.normalisedGain,
    ]),
  }
}
