/**
 * A replay of a run's history: what EnvSched and simpler schedulers would have chosen on it, and how well it predicts.
 * Owns: the shape of the answer and of the report that a person takes away. Null where something is not defined, never 0.
 */
import { z } from 'zod'

const difference = z.object({ mean: z.number(), standardError: z.number().nullable() })

const predictionScore = z.object({
  spearman: z.number().nullable(),
  auc: z.number().nullable(),
  logLoss: z.number().nullable(),
  meanAbsoluteError: z.number().nullable(),
})

const predictor = predictionScore.extend({ shareOfCeiling: z.number().nullable() })

export const replayArmReport = z.object({
  arm: z.string(),
  informativeShare: z.number(),
  standardError: z.number().nullable(),
  meanVariance: z.number(),
  /** 0 is uniform choice, 1 the best in hindsight */
  normalisedGain: z.number().nullable(),
  environmentsSeen: z.number(),
  tasksSeen: z.number(),
  scoreSlots: z.number().nullable(),
  uniformSlots: z.number().nullable(),
  againstUniform: difference.nullable(),
  againstEnvThenTask: difference.nullable(),
  perSeed: z.array(z.object({ seed: z.number().int(), informativeShare: z.number(), meanVariance: z.number() })),
})
export type ReplayArmReport = z.infer<typeof replayArmReport>

export const replayReport = z.object({
  tasks: z.number().int(),
  environments: z.number().int(),
  /** policies, or several joined, in the order they came */
  ladder: z.array(
    z.object({ model: z.string(), meanReward: z.number(), groups: z.number().int(), informativeShare: z.number() }),
  ),
  groupSize: z.number().int(),
  repeatedGroups: z.number().int(),
  steps: z.number().int(),
  picks: z.number().int(),
  seeds: z.array(z.number().int()),
  arms: z.array(replayArmReport),
  prediction: predictor
    .extend({
      ceiling: z.number().nullable(),
      ceilingAuc: z.number().nullable(),
      ceilingMethod: z.enum(['mixture', 'split']).nullable(),
      ownPicks: predictionScore.nullable(),
      againstShadows: z.record(z.string(), difference),
    })
    .nullable(),
  shadows: z.record(z.string(), predictor),
})
export type ReplayReport = z.infer<typeof replayReport>

export const replayJob = z.object({
  /** `impossible`: `why` says what the history lacks */
  state: z.enum(['not_yet', 'impossible', 'running', 'done', 'failed', 'cancelled']),
  why: z.string().nullable(),
  /** replays of one scheduler with one seed */
  done: z.number().int(),
  total: z.number().int().nullable(),
  secondsLeft: z.number().nullable(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  /** groups and rollouts that came after the report was made, so that it can be made again */
  rolloutsSince: z.number().int(),
  report: replayReport.nullable(),
})
export type ReplayJob = z.infer<typeof replayJob>
