/**
 * Overrides: dated, reversible instructions of a person; a draft of several; its preview; the history.
 * Invariant: undo is a new entry. Targets are server ids ("e3", "t17"). Shares are 0 to 1.
 */
import { z } from 'zod'
import { GROUP_SIZINGS, WEIGHTS } from '@/lib/engine/config'
import { proposedBatch } from './batch'
import { environmentRef, taskRef } from './task-set'

const batches = z.number().int().min(1).max(100_000).nullable().default(null)

export const overrideInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('weight'), target: z.enum(WEIGHTS), value: z.number() }),
  z.object({ kind: z.literal('uniform_share'), value: z.number().min(0).max(1) }),
  z.object({ kind: z.literal('group_sizing'), value: z.enum(GROUP_SIZINGS) }),
  z.object({
    kind: z.literal('quota'),
    target: z.string(),
    lower: z.number().min(0).max(1),
    upper: z.number().min(0).max(1),
  }),
  z.object({ kind: z.literal('pause'), target: z.string(), mode: z.enum(['hold', 'drain']).default('hold'), batches }),
  z.object({ kind: z.literal('resume'), target: z.string() }),
  z.object({ kind: z.literal('pin'), target: z.string(), batches }),
  z.object({ kind: z.literal('ban'), target: z.string(), batches }),
  /** target is a task or an environment */
  z.object({ kind: z.literal('boost'), target: z.string(), factor: z.number().min(0).max(4), batches }),
  /** takes an override out of force: target is its id */
  z.object({ kind: z.literal('lift'), target: z.string() }),
])
export type OverrideInput = z.infer<typeof overrideInput>

export const draftInput = z.object({
  changes: z.array(overrideInput).max(500),
  /** size, group size: null = as the newest batch */
  size: z.number().int().min(1).max(10_000).nullable().default(null),
})
export type DraftInput = z.input<typeof draftInput>

export const applyInput = z.object({
  changes: z.array(overrideInput).min(1).max(500),
  note: z.string().max(500).default(''),
  /** the log number that the preview was made at; if the log moved, the new difference is shown first */
  cursor: z.number().int(),
  /** apply even though the log moved */
  anyway: z.boolean().default(false),
})
export type ApplyInput = z.input<typeof applyInput>

export const override = z.object({
  id: z.string(),
  number: z.number().int(),
  kind: z.enum(['weight', 'uniform_share', 'group_sizing', 'quota', 'pause', 'resume', 'pin', 'ban', 'boost', 'lift']),
  letter: z.string(),
  sentence: z.string(),
  environment: environmentRef.nullable(),
  task: taskRef.nullable(),
  /** first batch that it holds for */
  from: z.number().int(),
  /** batches left, null = until lifted */
  batchesLeft: z.number().nullable(),
  inForce: z.boolean(),
  before: z.string(),
  after: z.string(),
  author: z.string(),
  note: z.string().nullable(),
  at: z.string(),
  /** override that undid it */
  undoneBy: z.string().nullable(),
})
export type Override = z.infer<typeof override>

export const steering = z.object({
  cursor: z.number().int(),
  nextBatch: z.number().int(),
  weights: z.array(
    z.object({
      name: z.enum(WEIGHTS),
      now: z.number(),
      low: z.number(),
      high: z.number(),
      step: z.number(),
      default: z.number(),
    }),
  ),
  uniformShare: z.number(),
  groupSizing: z.enum(GROUP_SIZINGS),
  quotas: z.array(
    z.object({
      environment: environmentRef,
      lower: z.number(),
      upper: z.number(),
      used: z.number().int(),
      window: z.number().int(),
      isSet: z.boolean(),
    }),
  ),
  windowBatches: z.number(),
  inForce: z.array(override),
  history: z.array(override),
})
export type Steering = z.infer<typeof steering>

/** A setting that cannot be, with the reason: shown at its field, and kept at `keptAt`. */
export const refusal = z.object({ index: z.number().int(), message: z.string() })

export const preview = z.object({
  cursor: z.number().int(),
  batch: z.number().int(),
  size: z.number().int(),
  enters: z.array(z.object({ task: taskRef, reason: z.string(), score: z.number() })),
  leaves: z.array(z.object({ task: taskRef, reason: z.string(), score: z.number() })),
  stays: z.number().int(),
  /** order of the draft's picks: true = enters */
  cells: z.array(z.boolean()),
  /** informative groups, not shares; low and high bound the draft's */
  expected: z.object({ now: z.number(), draft: z.number(), low: z.number(), high: z.number() }),
  byEnvironment: z.array(z.object({ environment: environmentRef, now: z.number().int(), draft: z.number().int() })),
  refused: z.array(refusal),
  notes: z.array(z.string()),
  draft: proposedBatch,
})
export type Preview = z.infer<typeof preview>

/** Every server action answers this: nothing is thrown at a person. */
export type ActionResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; issues: { path: string; message: string }[] }
