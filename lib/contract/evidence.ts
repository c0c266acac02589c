/**
 * The exact evidence behind one prediction.
 * Invariant: by kind, contributions and `rest` equal the share; with `shares.prior` they sum to the predicted variance (1e-6).
 */
import { z } from 'zod'
import { prediction, shares } from './batch'
import { environmentRef, taskRef } from './task-set'

export const contributingGroup = z.object({
  policyVersion: z.number().int(),
  size: z.number().int(),
  mean: z.number(),
  variance: z.number(),
  /** effective trusted rollouts left after fading */
  weight: z.number(),
  share: z.number(),
  lease: z.string().nullable(),
  /** server id of the group, for links to its rollouts; null for merged groups */
  group: z.string().nullable(),
  older: z.boolean(),
  /** normalised value of each trusted rollout, in the order reported; empty for merged groups */
  outcomes: z.array(z.number()),
})

export const contribution = z.object({
  environment: environmentRef,
  task: taskRef,
  kind: z.enum(['own', 'within', 'cross']),
  share: z.number(),
  /** weight of the stored edge, null where none is stored */
  edge: z.number().nullable(),
  through: z.array(z.string()),
  rollouts: z.number(),
  groups: z.array(contributingGroup),
})
export type ContributionView = z.infer<typeof contribution>

export const evidence = z.object({
  environment: environmentRef,
  task: taskRef,
  text: z.string().nullable(),
  /** "as of batch n" */
  batch: z.number().int(),
  prediction,
  shares,
  contributions: z.array(contribution),
  /** flows run task, shared thing, task; the page draws one path a contributor */
  edges: z.array(
    z.object({ source: z.string(), target: z.string(), kind: z.enum(['own', 'within', 'cross']), flow: z.number() }),
  ),
  rest: z.object({ own: z.number(), within: z.number(), cross: z.number() }),
  /** how many contributors lie below the cut, by kind */
  restTasks: z.object({ within: z.number().int(), cross: z.number().int() }),
})
export type EvidenceView = z.infer<typeof evidence>
