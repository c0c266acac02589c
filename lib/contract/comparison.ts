/**
 * Runs beside each other on one axis.
 * Owns: the shape of the answer of /compare. Every series is aligned with `x`: null before a run's first whole step and
 * after its last. Invariant: `reward` is measured on the uniform slots; the reward of chosen tasks is nowhere in here.
 * Shares 0 to 1, rewards normalised as in the Overview.
 */
import { z } from 'zod'
import { SCHEDULERS } from '@/lib/engine/config'
import { RUN_STATUSES } from './run'

export const COMPARE_AXES = ['steps', 'rollouts', 'tokens'] as const
export type CompareAxis = (typeof COMPARE_AXES)[number]

/** Runs that are compared at once. */
export const MOST_COMPARED = 6

export const compareQuery = z.object({
  /** ids, between commas */
  runs: z.string().min(1, 'name at least one run'),
  axis: z.enum(COMPARE_AXES).default('steps'),
})

const values = z.array(z.number().nullable())

export const comparedRun = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(RUN_STATUSES),
  mode: z.enum(['choose', 'shadow']),
  scheduler: z.enum(SCHEDULERS),
  seed: z.string(),
  taskSet: z.object({ id: z.string(), name: z.string() }),
  batch: z.number().int(),
  rollouts: z.number().int(),
  /** place of the last whole step on the axis; null without one, and where the axis is not reported */
  last: z.number().nullable(),
  /** where the run stood at the last place that all reached; tokens null where not reported */
  atCommon: z.object({ step: z.number().int(), rollouts: z.number().int(), tokens: z.number().nullable() }).nullable(),
  series: z.object({
    /** of trusted groups, all slots, mean of 5 steps */
    informativeShare: values,
    /** uniform slots, mean of 5 steps, with its 95 % interval over groups */
    reward: values,
    rewardLow: values,
    rewardHigh: values,
    /** mean absolute error of the predicted variance, 5 steps */
    predictionError: values,
    rolloutsPerInformative: values,
  }),
  /** the trainer's own evaluations */
  scores: z.array(
    z.object({
      name: z.string(),
      points: z.array(z.object({ x: z.number(), step: z.number().int(), value: z.number() })),
    }),
  ),
  /** as the run was started, in words; the same names in the same order for runs of one task set */
  settings: z.array(z.object({ name: z.string(), value: z.string() })),
  /** what a person changed of them: from a batch on, until before another one or for good */
  changes: z.array(
    z.object({
      setting: z.string(),
      value: z.string(),
      from: z.number().int(),
      until: z.number().int().nullable(),
      author: z.string(),
    }),
  ),
  /** times that a person changed something, undoing included */
  steered: z.number().int(),
})
export type ComparedRun = z.infer<typeof comparedRun>

export const comparison = z.object({
  axis: z.enum(COMPARE_AXES),
  /** ascending, 400 at most and the ends of the runs: policy versions, or rollouts or tokens so far */
  x: z.array(z.number()),
  /** last place that every run with a whole step reached; null without any */
  common: z.number().nullable(),
  runs: z.array(comparedRun),
  /** ids that no run has */
  missing: z.array(z.string()),
})
export type Comparison = z.infer<typeof comparison>
