/**
 * How well each predictor of a run did: the competing models with their weights, and shadows that are scored beside and never used.
 * Log loss is minus the log likelihood a rollout in nats, scored on each group before it was absorbed; null before the first.
 * Invariant: the weights of one batch sum to 1, those of shadows are 0.
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

export const calibration = z.object({
  /** newest batch, 0 before the first */
  batch: z.number().int(),
  predictors: z.array(predictor),
  /** one point a batch, oldest first, thinned to at most 400; the newest is always there */
  weights: z.array(
    z.object({
      batch: z.number().int(),
      /** of models and shadows, by name */
      weights: z.record(z.string(), z.number()),
      /** recent log loss, by name, of all predictors */
      losses: z.record(z.string(), z.number().nullable()),
    }),
  ),
  helps: graphHelps,
})
export type Calibration = z.infer<typeof calibration>
