/**
 * Is it learning, is the scheduler earning its keep. Reward of chosen tasks and of the whole set are never mixed.
 * Shares 0 to 1 with 95 % intervals; null where there was nothing to measure.
 */
import { z } from 'zod'

const interval = z.object({ value: z.number(), low: z.number(), high: z.number(), groups: z.number().int() })

export const overridePoint = z.object({
  id: z.string(),
  letter: z.string(),
  /** first batch that it held for */
  batch: z.number().int(),
  sentence: z.string(),
  before: z.string(),
  after: z.string(),
  author: z.string(),
  note: z.string().nullable(),
})
export type OverridePoint = z.infer<typeof overridePoint>

export const overview = z.object({
  batch: z.number().int(),
  /** in the newest batch the trainer chooses its tasks, by shares of the environments */
  byShares: z.boolean(),
  /** one point a batch, oldest first; of more than 400 batches every k-th, the first and the newest */
  series: z.array(
    z.object({
      batch: z.number().int(),
      policyVersion: z.number().int(),
      /** of trusted groups of score and pin slots; null while a group of the batch is still out */
      informativeShare: z.number().nullable(),
      /** mean over the last 10 batches, chosen and uniform slots */
      informativeMean: z.number().nullable(),
      uniformMean: z.number().nullable(),
      uniformLow: z.number().nullable(),
      uniformHigh: z.number().nullable(),
      rewardChosen: z.number().nullable(),
      /** measured on the uniform slots, mean of 10 batches */
      rewardWhole: z.number().nullable(),
    }),
  ),
  /** over the last 10 batches */
  chosen: interval.nullable(),
  uniform: interval.nullable(),
  rewardChosen: interval.nullable(),
  rewardWhole: interval.nullable(),
  rewardWholeFirst: z.number().nullable(),
  target: z.number(),
  yield: z.object({
    batches: z.number().int(),
    groupSize: z.number().int().nullable(),
    /** of the newest batch: rollouts of the two stages of its groups; null = one stage */
    stages: z.tuple([z.number().int(), z.number().int()]).nullable(),
    asked: z.number().int(),
    returned: z.number().int(),
    trusted: z.number().int(),
    informative: z.number().int(),
    allSolved: z.number().int(),
    allFailed: z.number().int(),
    /** all rewards equal, between solved and failed */
    allEqual: z.number().int(),
    /** trusted groups with a single trusted rollout, which has nothing to be compared with */
    single: z.number().int(),
    expired: z.number().int(),
    released: z.number().int(),
    /** rollouts that were not trusted, whatever their status */
    untrusted: z.number().int(),
    /** rollouts by status other than ok */
    statuses: z.record(z.string(), z.number().int()),
  }),
  coverage: z.object({
    environments: z.object({ seen: z.number().int(), all: z.number().int(), series: z.array(z.number().int()) }),
    tasks: z.object({ seen: z.number().int(), all: z.number().int(), series: z.array(z.number().int()) }),
    patterns: z.object({ seen: z.number().int(), all: z.number().int(), series: z.array(z.number().int()) }),
    /** tasks first observed in the last 10 batches; null before there are ten */
    newTasks: z.number().int().nullable(),
  }),
  /**
   * shadow runs: mean absolute error of the variance predicted before each group, and of the mean realised variance up to
   * it, over the same groups; null in other runs and without a group of two trusted rollouts
   */
  predictionError: z.object({ groups: z.number().int(), error: z.number(), errorOfMean: z.number() }).nullable(),
  overrides: z.array(overridePoint),
  /** the trainer's own evaluation, by name, oldest first */
  scores: z.array(
    z.object({ name: z.string(), points: z.array(z.object({ policyVersion: z.number().int(), value: z.number() })) }),
  ),
})
export type Overview = z.infer<typeof overview>

export const ALARM_KINDS = [
  'starved',
  'contract',
  'forgetting',
  'drift',
  'waste',
  'failures',
  'leases',
  'self_lock',
  'noisy_verifier',
] as const

export const alarm = z.object({
  id: z.string(),
  kind: z.enum(ALARM_KINDS),
  severity: z.enum(['bad', 'warn', 'info']),
  environment: z.object({ id: z.string(), code: z.string(), name: z.string() }).nullable(),
  title: z.string(),
  sentence: z.string(),
  since: z.number().int(),
  /** who keeps it quiet now; null = it is told */
  acknowledgedBy: z.string().nullable(),
  /** the batch from which it is told again; null = not before it is over */
  quietUntil: z.number().int().nullable(),
})
export type Alarm = z.infer<typeof alarm>

/** `batches`: for so many batches, null = until it is over; 0 tells it again at once. */
export const alarmQuiet = z.strictObject({ batches: z.number().int().min(0).max(10_000).nullable() })
export type AlarmQuiet = z.infer<typeof alarmQuiet>

export const pattern = z.object({
  name: z.string(),
  tasks: z.number().int(),
  environments: z.number().int(),
  seen: z.number().int(),
  picks: z.number().int(),
  lastBatch: z.number().int().nullable(),
})
export type PatternRow = z.infer<typeof pattern>
