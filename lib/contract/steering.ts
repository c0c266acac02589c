/**
 * Overrides: dated, reversible instructions of a person; a draft of several; its preview; the history.
 * Invariant: undo is a new entry. Targets are server ids ("e3", "t17"). Shares are 0 to 1.
 */
import { z } from 'zod'
import { GROUP_SIZINGS, WEIGHTS } from '@/lib/engine/config'
import { proposedBatch } from './batch'
import { environmentRef, taskRef } from './task-set'

const batches = z.number().int().min(1).max(100_000).nullable().default(null)

/** of a setting: left out = until lifted */
const expiry = z.number().int().min(1).max(100_000).nullable().optional()

export const overrideInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('weight'), target: z.enum(WEIGHTS), value: z.number(), batches: expiry }),
  z.object({ kind: z.literal('uniform_share'), value: z.number().min(0).max(1), batches: expiry }),
  z.object({ kind: z.literal('group_sizing'), value: z.enum(GROUP_SIZINGS), batches: expiry }),
  z.object({
    kind: z.literal('quota'),
    target: z.string(),
    lower: z.number().min(0).max(1),
    upper: z.number().min(0).max(1),
    batches: expiry,
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

const MOST_CHANGES = 500
const TOO_MANY = `a draft takes ${MOST_CHANGES} changes; apply it in parts`

export const draftInput = z.object({
  changes: z.array(overrideInput).max(MOST_CHANGES, TOO_MANY),
  /** size, group size: null = as the newest batch */
  size: z.number().int().min(1).max(10_000).nullable().default(null),
})
export type DraftInput = z.input<typeof draftInput>

export const applyInput = z.object({
  changes: z.array(overrideInput).min(1).max(MOST_CHANGES, TOO_MANY),
  note: z.string().max(500).default(''),
  /** the log number that the preview was made at; if the log moved, the new difference is shown first */
  cursor: z.number().int(),
  /** apply even though the log moved */
  anyway: z.boolean().default(false),
  /** number of the newest override that the person saw: with `anyway`, a newer one is still shown first. null = not asked */
  newestOverride: z.number().int().nullable().default(null),
})
export type ApplyInput = z.input<typeof applyInput>

const named = z.object({ id: z.string(), letter: z.string(), sentence: z.string() })

export const override = z.object({
  id: z.string(),
  number: z.number().int(),
  kind: z.enum(['weight', 'uniform_share', 'group_sizing', 'quota', 'pause', 'resume', 'pin', 'ban', 'boost', 'lift']),
  letter: z.string(),
  sentence: z.string(),
  /** what it sets: "weight:coverage", "quota:e3", "task:t17"; of an undo, what it undid */
  setting: z.string(),
  environment: environmentRef.nullable(),
  task: taskRef.nullable(),
  /** first batch that it holds for */
  from: z.number().int(),
  /** batches that it was given, null = until lifted */
  batches: z.number().int().nullable(),
  /** first batch that it does not hold for any more, as far as is known; null = none */
  until: z.number().int().nullable(),
  /** batches left, null = until lifted */
  batchesLeft: z.number().nullable(),
  inForce: z.boolean(),
  /** of a part of the run that a restore left behind */
  superseded: z.boolean(),
  before: z.string(),
  after: z.string(),
  author: z.string(),
  note: z.string().nullable(),
  at: z.string(),
  /** override that undid it */
  undoneBy: z.string().nullable(),
  /** override that it undoes */
  undoes: z.string().nullable(),
  /** later override in force on the same setting: undoing this one changes nothing while that holds */
  laterBy: named.nullable(),
  /** value that holds once this one is undone */
  backTo: z.string(),
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

/** A setting that cannot be, with the reason and the nearest one that can; null = none of its kind. */
export const refusal = z.object({ index: z.number().int(), message: z.string(), nearest: overrideInput.nullable() })

/** Picks by rollouts a pick, smallest first. */
const sizes = z.array(z.object({ rollouts: z.number().int(), picks: z.number().int() }))

export const preview = z.object({
  cursor: z.number().int(),
  /** number of the newest override that it was made on, 0 = none */
  newestOverride: z.number().int(),
  batch: z.number().int(),
  size: z.number().int(),
  enters: z.array(z.object({ task: taskRef, reason: z.string(), score: z.number() })),
  leaves: z.array(z.object({ task: taskRef, reason: z.string(), score: z.number() })),
  stays: z.number().int(),
  /** order of the draft's picks: true = enters */
  cells: z.array(z.boolean()),
  /** informative groups, not shares; low and high bound the draft's, nowLow and nowHigh the batch's without it */
  expected: z.object({
    now: z.number(),
    nowLow: z.number(),
    nowHigh: z.number(),
    draft: z.number(),
    low: z.number(),
    high: z.number(),
  }),
  /** group sizes without and with the draft */
  sizes: z.object({ now: sizes, draft: sizes }),
  byEnvironment: z.array(z.object({ environment: environmentRef, now: z.number().int(), draft: z.number().int() })),
  refused: z.array(refusal),
  notes: z.array(z.string()),
  /** what circumstances forbade in the batch without the draft, one sentence each */
  notesNow: z.array(z.string()),
  draft: proposedBatch,
})
export type Preview = z.infer<typeof preview>

/** Every server action answers this: nothing is thrown at a person. */
export type ActionResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; issues: { path: string; message: string }[] }
