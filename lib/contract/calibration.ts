/**
 * How well each predictor of a run did: the competing models with their weights, and shadows that are scored beside and never used.
 * Log loss is minus the log likelihood a rollout in nats, scored on each group before it was absorbed; null before the first.
 * How far predicted variances were from realised ones, by batch, depth of history and kind of evidence, beside the best possible.
 * Invariant: the weights of one batch sum to 1, those of shadows are 0; an unknown variance is left out, never 0.
 */
import { z } from 'zod'

export const predictor = z.object({
  name: z.string(),
  /** model: competes for weight. shadow: never used. mixture: what was predicted, all models by weight */
  kind: z.enum(['model', 'shadow', 'mixture']),
  weight: z.number(),
  /** over all groups */
  logLoss: z.number().nullable(),
  /** over about the last hundred groups */
  recentLogLoss: z.number().nullable(),
})
export type PredictorView = z.infer<typeof predictor>

/** The graph's gain: log loss of the other minus that of the prediction; `standardError` over batches, null under five. */
const gain = z.object({ value: z.number(), standardError: z.number().nullable() })

export const graphHelps = z.object({
  verdict: z.enum(['not_yet', 'helps', 'not_clear', 'does_not_help']),
  sentence: z.string(),
  /** trusted rollouts that were scored */
  rollouts: z.number().int(),
  overNoStructure: gain.nullable(),
  overPlacebo: gain.nullable(),
})
export type GraphHelps = z.infer<typeof graphHelps>

const leaning = z.object({
  groups: z.number().int(),
  predicted: z.number(),
  realised: z.number(),
  /** of the mean of predicted minus realised, over groups */
  standardError: z.number(),
})

/** What a part of the scored groups says. `errors`: root mean square, in the order of `compared`; null without a group. */
const part = z.object({
  groups: z.number().int(),
  errors: z.array(z.number().nullable()),
  /** noise ceiling of these groups: the error that is left where every prediction is right; null where they cannot tell */
  best: z.number().nullable(),
})
export type ErrorPart = z.infer<typeof part>

const named = z.object({ name: z.string(), values: z.array(z.number().nullable()) })

/** Errors are of the variance predicted before a group against the one realised by it, root mean square. */
export const calibration = z.object({
  /** newest batch, 0 before the first */
  batch: z.number().int(),
  predictors: z.array(predictor),
  helps: graphHelps,
  /** all groups that are scored: predicted by every predictor, and with two trusted rollouts or more */
  all: part,
  /** what is compared on them: the prediction first */
  compared: z.array(
    z.object({
      name: z.string(),
      /** correlation with the realised variance over the highest that a perfect predictor reaches, at most 1 */
      ofCeiling: z.number().nullable(),
      /** squared error of it minus that of the prediction, and its standard error over batches or blocks; null for the prediction */
      behind: gain.nullable(),
    }),
  ),
  /** bins of predicted variance that hold a group, lowest first */
  reliability: z.array(
    z.object({
      low: z.number(),
      high: z.number(),
      groups: z.number().int(),
      predicted: z.number(),
      realised: z.number(),
      /** 95 % of the mean realised variance; null under three groups */
      interval: z.object({ low: z.number(), high: z.number() }).nullable(),
    }),
  ),
  /** predictions of high variance, and the environments whose predictions lean most clearly, worst first */
  high: leaning.nullable(),
  leaning: z.array(leaning.extend({ id: z.string(), code: z.string(), name: z.string() })),
  /** by groups that the task had before: `from` to `to`, null = or more */
  depth: z.array(part.extend({ from: z.number().int(), to: z.number().int().nullable() })),
  /** by where most of the prediction came from; groups whose shares were not kept are in none */
  evidence: z.array(
    part.extend({
      kind: z.enum(['own', 'within', 'cross', 'prior']),
      predicted: z.number().nullable(),
      realised: z.number().nullable(),
    }),
  ),
  /** over batches, or where there are none over the groups in the order they were absorbed; at most 160 points, oldest first */
  over: z.object({
    of: z.enum(['batch', 'group']),
    /** each point is taken over so many of them, up to and with its own */
    window: z.number().int(),
    at: z.array(z.number().int()),
    /** noise ceiling; over more of them where these are too few to tell */
    best: z.array(z.number().nullable()),
    errors: z.array(named),
  }),
  /** weight of each competing model, at most 160 points */
  weights: z.object({ at: z.array(z.number().int()), models: z.array(named) }),
})
export type Calibration = z.infer<typeof calibration>
