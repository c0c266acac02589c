/**
 * What the seeds of one source say together: each arm against uniform choice and the environment-then-task average, predictions against
 * shadows. Owns: the JSON's shape and the statistics. Must never know: how the runs were made.
 * Invariants: differences are paired by seed; a standard error is null below two seeds; what is not defined is null.
 */
import { varianceOf } from '@/lib/testbed/group'
import type { LeftOut, ReplayLadder } from '@/lib/testbed/replay/ladder'
import type { PredictionScore } from '@/lib/testbed/replay/prediction-score'
import { replayPlan } from '@/lib/testbed/replay/replay-plan'
import type { ArmOutcome, SeedOutcome } from '@/lib/testbed/replay/replay-seed'
import { type TrialOrder, trialOrder } from '@/lib/testbed/replay/trial-order'
import { type Difference, mean, pairedDifference } from '@/lib/testbed/training-report'

const ELIGIBLE = { groups: 500, models: 3 }
/** A difference counts when it is larger than this many standard errors. */
const ERRORS = 2

export interface ReplayArmReport {
  arm: string
  informativeShare: number
  standardError: number | null
  meanVariance: number
  /** 0 is uniform choice, 1 the oracle; null where either did not run or they do not differ */
  normalisedGain: number | null
  environmentsSeen: number
  tasksSeen: number
  /** informative share by kind of slot, null for arms without slots or slots without picks */
  scoreSlots: number | null
  uniformSlots: number | null
  /** of the informative share, paired by seed */
  againstUniform: Difference | null
  againstEnvThenTask: Difference | null
  perSeed: { seed: number; informativeShare: number; meanVariance: number }[]
}

export interface PredictorReport extends PredictionScore {
  /** Spearman over the ceiling */
  shareOfCeiling: number | null
}

export interface PredictionReport extends PredictorReport {
  ceiling: number | null
  ceilingAuc: number | null
  ceilingMethod: 'mixture' | 'split' | null
  /** the same of EnvSched's own picks, which are chosen and so have less spread */
  ownPicks: PredictionScore | null
  /** Spearman of EnvSched less that of each shadow, over the seeds where both are defined; missing where there is none */
  againstShadows: Record<string, Difference>
  perSeed: { seed: number; spearman: number | null; ceiling: number | null }[]
}

export interface ReplaySourceReport {
  source: string
  tasks: number
  environments: number
  ladder: { model: string; meanReward: number; groups: number; informativeShare: number }[]
  groupSize: number
  repeatedGroups: number
  repeatedModels: number
  trialOrder: TrialOrder | null
  eligible: boolean
  /** why not, in one sentence; null where eligible */
  why: string | null
  hasTools: boolean
  declaredFields: readonly string[]
  leftOut: LeftOut
  rollouts: number
  steps: number
  picks: number
  seeds: number[]
  arms: ReplayArmReport[]
  prediction: PredictionReport | null
  shadows: Record<string, PredictorReport>
  /** of EnvSched: what the requirement asks, null where an arm is missing */
  verdict: { notBehind: boolean; ahead: boolean; gainOverUniform: number; averageGainOverUniform: number } | null
}

function standardErrorOf(values: readonly number[]): number | null {
  const variance = varianceOf(values)
  return variance === null ? null : Math.sqrt(variance / values.length)
}

function meanKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? mean(known) : null
}

const shareOf = ({ picks, informative }: { picks: number; informative: number }) =>
  picks > 0 ? informative / picks : null

function armReport(name: string, outcomes: readonly SeedOutcome[]): ReplayArmReport {
  const of = (arm: string) =>
    outcomes.map(({ arms }) => arms[arm]).filter((outcome): outcome is ArmOutcome => outcome !== undefined)
  const own = of(name)
  const shares = own.map(({ informativeShare }) => informativeShare)
  const against = (arm: string): Difference | null => {
    const others = of(arm)
    if (arm === name || others.length !== own.length) return null
    return pairedDifference(
      shares,
      others.map(({ informativeShare }) => informativeShare),
    )
  }
  const average = (arm: string) => {
    const others = of(arm)
    return others.length > 0 ? mean(others.map(({ informativeShare }) => informativeShare)) : null
  }
  const [low, high] = [average('uniform'), average('oracle')]
  return {
    arm: name,
    informativeShare: mean(shares),
    standardError: standardErrorOf(shares),
    meanVariance: mean(own.map(({ meanVariance }) => meanVariance)),
    normalisedGain: low !== null && high !== null && high > low ? (mean(shares) - low) / (high - low) : null,
    environmentsSeen: mean(own.map(({ environmentsSeen }) => environmentsSeen)),
    tasksSeen: mean(own.map(({ tasksSeen }) => tasksSeen)),
    scoreSlots: meanKnown(own.map(({ slots }) => (slots === null ? null : shareOf(slots.score)))),
    uniformSlots: meanKnown(own.map(({ slots }) => (slots === null ? null : shareOf(slots.uniform)))),
    againstUniform: against('uniform'),
    againstEnvThenTask: against('env-then-task'),
    perSeed: outcomes.map(({ seed, arms }) => ({
      seed,
      informativeShare: arms[name]?.informativeShare ?? 0,
      meanVariance: arms[name]?.meanVariance ?? 0,
    })),
  }
}

function scoreOf(scores: readonly PredictionScore[]): PredictionScore {
  return {
    spearman: meanKnown(scores.map(({ spearman }) => spearman)),
    auc: meanKnown(scores.map(({ auc }) => auc)),
    logLoss: meanKnown(scores.map(({ logLoss }) => logLoss)),
    meanAbsoluteError: meanKnown(scores.map(({ meanAbsoluteError }) => meanAbsoluteError)),
  }
}

function predictions(outcomes: readonly SeedOutcome[]): Pick<ReplaySourceReport, 'prediction' | 'shadows'> {
  const names = Object.keys(outcomes[0]?.drawn ?? {})
  const ceiling = meanKnown(outcomes.map((outcome) => outcome.ceiling?.spearman ?? null))
  const of = (name: string) => outcomes.map(({ drawn }) => drawn[name]).filter((score) => score !== undefined)
  const reportOf = (name: string): PredictorReport => {
    const score = scoreOf(of(name))
    const share = score.spearman === null || ceiling === null || ceiling <= 0 ? null : score.spearman / ceiling
    return { ...score, shareOfCeiling: share }
  }
  const shadows = names.filter((name) => name !== 'envsched')
  const picked = outcomes.map(({ arms }) => arms.envsched?.picked ?? null).filter((score) => score !== null)
  const lead = (name: string): [string, Difference][] => {
    const [ours, others] = [of('envsched'), of(name)]
    const pairs = ours.flatMap(({ spearman }, k) => {
      const other = others[k]?.spearman ?? null
      return spearman === null || other === null ? [] : [[spearman, other] as const]
    })
    if (pairs.length === 0) return []
    return [
      [
        name,
        pairedDifference(
          pairs.map(([own]) => own),
          pairs.map(([, other]) => other),
        ),
      ],
    ]
  }
  return {
    prediction: names.includes('envsched')
      ? {
          ...reportOf('envsched'),
          ceiling,
          ceilingAuc: meanKnown(outcomes.map((outcome) => outcome.ceiling?.auc ?? null)),
          ceilingMethod: outcomes.find((outcome) => outcome.ceiling !== null)?.ceiling?.method ?? null,
          ownPicks: picked.length > 0 ? scoreOf(picked) : null,
          againstShadows: Object.fromEntries(shadows.flatMap(lead)),
          perSeed: outcomes.map(({ seed, drawn, ceiling: one }) => ({
            seed,
            spearman: drawn.envsched?.spearman ?? null,
            ceiling: one?.spearman ?? null,
          })),
        }
      : null,
    shadows: Object.fromEntries(shadows.map((name) => [name, reportOf(name)])),
  }
}

function whyNot(ladder: ReplayLadder, order: TrialOrder | null): string | null {
  const { repeatedGroups, repeatedModels, rungs } = ladder
  if (repeatedGroups < ELIGIBLE.groups)
    return `It has ${repeatedGroups} repeated groups, ${ELIGIBLE.groups} are needed.`
  if (Math.min(repeatedModels, rungs.length) < ELIGIBLE.models)
    return `${rungs.length} models have groups enough, ${ELIGIBLE.models} are needed.`
  if (order?.dependent === true)
    return 'Its trials are retries of one another: rewards never fall from one to the next, so they are no independent draws.'
  return null
}

const clear = ({ mean: middle, standardError }: Difference) =>
  standardError === null ? null : { above: middle > ERRORS * standardError, below: middle < -ERRORS * standardError }

function verdictOf(arms: readonly ReplayArmReport[]): ReplaySourceReport['verdict'] {
  const own = arms.find(({ arm }) => arm === 'envsched')
  const average = arms.find(({ arm }) => arm === 'env-then-task')
  if (own?.againstEnvThenTask == null || own.againstUniform === null || average?.againstUniform == null) return null
  const judged = clear(own.againstEnvThenTask)
  if (judged === null) return null
  return {
    notBehind: !judged.below,
    ahead: judged.above,
    gainOverUniform: own.againstUniform.mean,
    averageGainOverUniform: average.againstUniform.mean,
  }
}

/** @throws RangeError where there is no outcome. */
export function reportReplay(
  ladder: ReplayLadder,
  outcomes: readonly SeedOutcome[],
  { steps, picks }: { steps: number; picks: number },
): ReplaySourceReport {
  const names = Object.keys(outcomes[0]?.arms ?? {})
  const arms = names.map((name) => armReport(name, outcomes))
  const order = trialOrder(ladder)
  const why = whyNot(ladder, order)
  return {
    source: ladder.source,
    tasks: ladder.tasks.length,
    environments: ladder.environments.length,
    ladder: ladder.rungs.map(({ model, meanReward, groups, offered }) => ({
      model,
      meanReward,
      groups: offered,
      informativeShare: groups.filter((group) => group?.informative === true).length / offered,
    })),
    groupSize: ladder.groupSize,
    repeatedGroups: ladder.repeatedGroups,
    repeatedModels: ladder.repeatedModels,
    trialOrder: order,
    eligible: why === null,
    why,
    hasTools: ladder.hasTools,
    declaredFields: ladder.declaredFields,
    leftOut: ladder.leftOut,
    rollouts: ladder.rollouts,
    steps: replayPlan(ladder, steps, picks).length,
    picks,
    seeds: outcomes.map(({ seed }) => seed),
    arms,
    ...predictions(outcomes),
    verdict: verdictOf(arms),
  }
}
