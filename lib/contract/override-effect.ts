/**
 * A run before and after one override: what was measured, over which batches, and what else changed in them.
 * Invariants: shares and rewards 0 to 1 or the run's range; `difference` is after less before with a 95 % interval; null where nothing was measured.
 */
import { z } from 'zod'
import { queryWhole } from './bounds'
import { override } from './steering'
import { environmentRef } from './task-set'

/** `batches`: on each side. */
export const effectQuery = z.object({ batches: queryWhole(1, 200).default(10) })

const measured = z.object({ value: z.number(), low: z.number(), high: z.number(), groups: z.number().int() })

export const effectMeasure = z.object({
  before: measured.nullable(),
  after: measured.nullable(),
  difference: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
})
export type EffectMeasure = z.infer<typeof effectMeasure>

/** Batches from one to another, both with; null = none. */
const stretch = z.object({ from: z.number().int(), to: z.number().int(), batches: z.number().int() }).nullable()

export const overrideEffect = z.object({
  override,
  /** batches that were asked for on each side */
  asked: z.number().int(),
  before: stretch,
  after: stretch,
  /** why the batches after it are fewer than asked for; null = they are not */
  cut: z.enum(['newest', 'ended', 'replaced']).nullable(),
  /** environment that it touches, null = all */
  environment: environmentRef.nullable(),
  measures: z.object({
    /** trusted groups of score and pin slots whose rewards are not all equal */
    informativeShare: effectMeasure,
    /** the same on the uniform slots: no override chooses those, so what moves there is the policy */
    uniformShare: effectMeasure,
    /** picks of the touched environment; null where none is touched */
    picksShare: effectMeasure.nullable(),
    /** mean of what was predicted for score and pin slots */
    predictedVariance: effectMeasure,
    /** mean reward on uniform slots: the whole task set's */
    rewardWhole: effectMeasure,
  }),
  series: z.array(
    z.object({
      batch: z.number().int(),
      informativeShare: z.number().nullable(),
      uniformShare: z.number().nullable(),
      picksShare: z.number().nullable(),
      predictedVariance: z.number().nullable(),
      rewardWhole: z.number().nullable(),
    }),
  ),
  /** other overrides that began or ended within these batches */
  overlapping: z.array(
    z.object({
      id: z.string(),
      letter: z.string(),
      sentence: z.string(),
      author: z.string(),
      batch: z.number().int(),
      how: z.enum(['began', 'ended']),
    }),
  ),
  /** what was asked for, what rules the setting now, and what its first batch was chosen with (null = not issued yet) */
  requested: z.string(),
  effective: z.string(),
  applied: z.object({ batch: z.number().int(), value: z.string(), detail: z.string().nullable() }).nullable(),
})
export type OverrideEffect = z.infer<typeof overrideEffect>
