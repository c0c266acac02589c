/**
 * Which trajectory text of a run is kept. Numbers of rollouts always are: the scheduler is rebuilt from them.
 */
import { z } from 'zod'
import { MOST_WHOLE, queryWhole } from './bounds'

export const KEEP_TEXT = ['all', 'newest', 'none'] as const

export const keepRule = z.object({
  text: z.enum(KEEP_TEXT),
  /** policy versions whose text is kept, with `newest` */
  newest: z.number().int().min(1).max(MOST_WHOLE).default(32),
  /** text of trusted rollouts under half of their reward range stays */
  failures: z.boolean().default(true),
  /** text of rollouts with an error, or with a status other than ok and truncated, stays */
  errors: z.boolean().default(true),
})
export type KeepRule = z.infer<typeof keepRule>

export const KEEP_ALL: KeepRule = { text: 'all', newest: 32, failures: true, errors: true }

const flag = z.enum(['true', 'false']).transform((word) => word === 'true')
/** The same from a query, to be previewed; without `text` the rule in force. */
export const keepQuery = z.object({
  text: z.enum(KEEP_TEXT).optional(),
  newest: queryWhole(1).default(32),
  failures: flag.default(true),
  errors: flag.default(true),
})

export const freed = z.object({ rollouts: z.number().int(), bytes: z.number() })
export type Freed = z.infer<typeof freed>

export const keepState = z.object({
  rule: keepRule,
  /** when the rule was last applied, null = not yet */
  sweptAt: z.string().nullable(),
  policyVersion: z.number().int().nullable(),
  /** what `rule`, or the rule that was asked about, would free now */
  frees: freed,
})
export type KeepState = z.infer<typeof keepState>

export const kept = z.object({ rule: keepRule, freed })
export type Kept = z.infer<typeof kept>
