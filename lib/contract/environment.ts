/**
 * One row an environment: who is starved, saturated, broken; and its series over batches.
 * Shares are 0 to 1; null = no group or no report of it, never 0.
 */
import { z } from 'zod'
import { quotaUse } from './batch'
import { queryWhole } from './bounds'
import { environmentRef } from './task-set'

/** `last`: over so many batches. */
export const seriesQuery = z.object({ last: queryWhole(1, 10_000).default(32) })

export const ENVIRONMENT_STATES = [
  'ok',
  'starved',
  'contract',
  'forgetting',
  'failing',
  'noisy_verifier',
  'self_lock',
  'drifts',
  'at_upper_quota',
  'nearly_solved',
  'saturating',
  'paused',
  'unseen',
] as const

export const environmentRow = environmentRef.extend({
  tasks: z.number().int(),
  /** tasks with at least one trusted group */
  seen: z.number().int(),
  tools: z.number().int(),
  quota: quotaUse,
  /** set by a person or the configuration; null = the default 0 to 1 */
  quotaSet: z.object({ lower: z.number(), upper: z.number() }).nullable(),
  state: z.enum(ENVIRONMENT_STATES),
  /** one sentence about the state, null when ok */
  sentence: z.string().nullable(),
  /** over the last 10 batches */
  predictedVariance: z.number().nullable(),
  realisedVariance: z.number().nullable(),
  ability: z.number(),
  /** change of ability over the last 10 batches */
  drift: z.number().nullable(),
  informativeShare: z.number().nullable(),
  /** rollouts by status over the last 10 batches */
  statuses: z.record(z.string(), z.number().int()),
  failureShare: z.number().nullable(),
  /** share of the same rollouts with an error text, usable ones too; null = nothing back */
  errorShare: z.number().nullable(),
  seconds: z.number().nullable(),
  tokens: z.number().nullable(),
  leased: z.number().int(),
  batchesSincePick: z.number().int().nullable(),
  paused: z.object({ mode: z.enum(['hold', 'drain']), batchesLeft: z.number().nullable() }).nullable(),
  boost: z.number(),
  /** mean reward of its newest uniform groups with 95 % bounds; null until they hold 64 rollouts */
  uniformReward: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** where the lower bound of that was the best so far, and the batch of it */
  uniformPeak: z
    .object({ value: z.number(), low: z.number(), high: z.number(), batch: z.number().int().nullable() })
    .nullable(),
  /** rollouts on uniform slots that it rests on */
  uniformRollouts: z.number().int(),
})
export type EnvironmentRow = z.infer<typeof environmentRow>

/** One point a batch and environment; null where nothing was picked or nothing is back. */
export const environmentSeries = z.object({
  batches: z.array(z.number().int()),
  environments: z.array(
    z.object({
      environment: environmentRef,
      picks: z.array(z.number().int()),
      informativeShare: z.array(z.number().nullable()),
      predictedVariance: z.array(z.number().nullable()),
      realisedVariance: z.array(z.number().nullable()),
      reward: z.array(z.number().nullable()),
    }),
  ),
})
export type EnvironmentSeries = z.infer<typeof environmentSeries>
