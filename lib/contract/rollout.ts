/**
 * Rollouts: one trajectory with its reward, as reported and as read back.
 * Invariant: reward null, missing, NaN or out of a declared range is never 0: it is an untrusted rollout with its reason.
 * NaN and infinities reach here as null or as strings ("NaN"), since JSON has none; both are accepted and distrusted.
 */
import { z } from 'zod'
import { issuedPick } from './batch'
import { isShallow, nameOf, queryWhole, TOO_DEEP, whole } from './bounds'
import { listQuery } from './page'
import { taskRef } from './task-set'

export const STATUSES = ['ok', 'truncated', 'infra_error', 'verifier_error', 'cancelled'] as const
export type RolloutStatus = (typeof STATUSES)[number]

export const DISTRUSTS = ['reward_missing', 'reward_invalid', 'out_of_range', 'status'] as const
export type Distrust = (typeof DISTRUSTS)[number]

export const message = z.looseObject({ role: z.string(), content: z.unknown().optional() })

/** A thousand years and a bit: sums of more would not stay finite. */
const MOST_SECONDS = 1e11

const rewardLike = z.union([z.number(), z.string(), z.boolean(), z.null()]).optional()

/** A rollout that a restore took out of the line gives its id free, and is kept as "id (epoch 1)". */
const SHELVED = /\(epoch \d+\)$/

export const rolloutInput = z.object({
  id: nameOf(300).refine((id) => !SHELVED.test(id), 'ends like the id of a superseded rollout'),
  lease: z.string().max(100).nullable().optional(),
  environment: z.string().max(500).optional(),
  task: z.string().max(500).optional(),
  policyVersion: whole,
  reward: rewardLike,
  outcome: rewardLike,
  status: z.enum(STATUSES).default('ok'),
  turns: whole.nullable().optional(),
  tokens: whole.nullable().optional(),
  seconds: z.number().min(0).max(MOST_SECONDS).nullable().optional(),
  tools: z.array(z.string()).nullable().optional(),
  rewardComponents: z
    .array(z.object({ name: z.string(), value: z.number().nullable(), message: z.string().optional() }))
    .nullable()
    .optional(),
  messages: z.array(message).refine(isShallow, TOO_DEEP).nullable().optional(),
  error: z.string().max(20_000).nullable().optional(),
  worker: z.string().max(200).nullable().optional(),
})
export type RolloutInput = z.infer<typeof rolloutInput>

export const rolloutsAnswer = z.object({
  accepted: z.number().int(),
  /** of those, how many came of batches that a restore has left behind, where there are any: kept, never counted */
  superseded: z.number().int().optional(),
  duplicates: z.number().int(),
  /** stored but out of the statistics, by reason */
  untrusted: z.record(z.string(), z.number().int()),
  rejected: z.array(z.object({ index: z.number().int(), id: z.string().nullable(), reason: z.string() })),
  /** only where the report names leases of two-stage groups: those whose first stage is complete and not all equal */
  continue: z.array(z.object({ lease: z.string(), rollouts: z.number().int() })).optional(),
  /** with it: further picks of the same batch, bought with what groups that stopped left over */
  more: z.array(issuedPick.extend({ batch: z.string(), policyVersion: z.number().int() })).optional(),
})
export type RolloutsAnswer = z.infer<typeof rolloutsAnswer>

export const rolloutRow = z.object({
  /** its reporter's */
  id: z.string(),
  /** server id, for paths: "r123" */
  ref: z.string(),
  /** server id of its group: "g45" */
  group: z.string(),
  lease: z.string().nullable(),
  batch: z.number().int().nullable(),
  task: taskRef,
  policyVersion: z.number().int(),
  reward: z.number().nullable(),
  outcome: z.number().nullable(),
  status: z.enum(STATUSES),
  trusted: z.boolean(),
  distrust: z.enum(DISTRUSTS).nullable(),
  turns: z.number().int().nullable(),
  tokens: z.number().int().nullable(),
  seconds: z.number().nullable(),
  tools: z.array(z.string()),
  rewardComponents: z.array(
    z.object({ name: z.string(), value: z.number().nullable(), message: z.string().optional() }),
  ),
  error: z.string().nullable(),
  worker: z.string().nullable(),
  at: z.string(),
  /** of a part of the run that a restore left behind: kept, never counted; its id has the epoch behind it */
  superseded: z.boolean(),
})
export type RolloutRow = z.infer<typeof rolloutRow>

/** Ids of the server, but for `lease` and `group` those of the run. */
export const rolloutListQuery = listQuery.extend({
  task: z.string().optional(),
  lease: z.string().optional(),
  group: z.string().optional(),
  policy: queryWhole(0).optional(),
  status: z.enum(STATUSES).optional(),
  environment: z.string().optional(),
})

export const scoreInput = z.object({
  policyVersion: whole,
  name: nameOf(100),
  value: z.number(),
})
