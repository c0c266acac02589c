/**
 * A scheduler's state for a trainer's checkpoint, and what putting it back did.
 * Owns: the small form: a place in the run's log and a fingerprint, never the state's megabytes.
 */
import { z } from 'zod'
import { nameOf, whole } from './bounds'

export const schedulerState = z.object({
  version: z.literal(1),
  run: nameOf(100),
  epoch: whole,
  /** log number, and rollouts in the order they arrived: what the state is made from */
  seq: whole,
  rollouts: whole,
  /** for people: newest batch, newest policy version and time of the state */
  batch: whole,
  policyVersion: whole.nullable(),
  at: z.iso.datetime(),
  /** of the log up to there */
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  taskSet: z.object({ id: nameOf(100), fingerprint: nameOf(100), tasks: whole }),
})
export type SchedulerState = z.infer<typeof schedulerState>

/** The state as it was given, with an id of the call: the same one restores once, however often it is sent. */
export const restoreInput = schedulerState.extend({ requestId: nameOf(200).nullable().default(null) })
export type RestoreInput = z.infer<typeof restoreInput>

const examples = z.array(z.object({ environment: z.string(), task: z.string() }))

export const restoreAnswer = z.object({
  restored: z.literal(true),
  /** true: nothing was to be done, the run stood there already or the call was answered before */
  repeated: z.boolean(),
  epoch: z.number().int(),
  seq: z.number().int(),
  /** newest batch and policy version that the run goes on from; 0 and null before the first */
  batch: z.number().int(),
  policyVersion: z.number().int().nullable(),
  /** another run whose history was taken over */
  source: z.object({ run: z.string(), name: z.string(), batch: z.number().int() }).nullable(),
  /** what does not count any more; it stays visible */
  superseded: z.object({ batches: z.number().int(), rollouts: z.number().int(), overrides: z.number().int() }),
  /** tasks of the run's task set against the state's; up to five examples of each */
  taskSet: z.object({
    same: z.number().int(),
    changed: z.number().int(),
    added: z.number().int(),
    removed: z.number().int(),
    examples: z.object({ changed: examples, added: examples, removed: examples }),
  }),
  sentence: z.string(),
})
export type RestoreAnswer = z.infer<typeof restoreAnswer>

/** A restore as pages mark it. */
export const restorePoint = z.object({
  epoch: z.number().int(),
  at: z.string(),
  author: z.string(),
  /** newest batch when it was done, and the one that it went back to; 0 = from nothing */
  from: z.number().int(),
  to: z.number().int(),
  source: z.object({ run: z.string(), name: z.string(), batch: z.number().int() }).nullable(),
  /** tasks of this run against those of `source`, where they were kept */
  tasks: z
    .object({
      same: z.number().int(),
      changed: z.number().int(),
      added: z.number().int(),
      removed: z.number().int(),
    })
    .optional(),
})
export type RestorePoint = z.infer<typeof restorePoint>
