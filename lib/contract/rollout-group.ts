/**
 * Rollouts as the page reads them: groups with the rollouts that match, one rollout with its messages and its group.
 * Invariant: a page's `next` goes on where it stopped looking; fewer groups than asked for are no sign of the end.
 */
import { z } from 'zod'
import { groupResult } from './batch'
import { queryWhole } from './bounds'
import { DISTRUSTS, message, rolloutRow, STATUSES } from './rollout'
import { taskRef } from './task-set'

/** solved and failed: the ends of the environment's range; between: graded; untrusted: out of the statistics. */
export const REWARD_CLASSES = ['solved', 'failed', 'between', 'untrusted'] as const
export type RewardClass = (typeof REWARD_CLASSES)[number]

const MOST_STATUSES = 60

export const rolloutFilterQuery = z.object({
  environment: z.string().optional(),
  task: z.string().optional(),
  policy: queryWhole(0).optional(),
  /** one status, or several with commas */
  status: z
    .string()
    .max(MOST_STATUSES)
    .regex(new RegExp(`^(${STATUSES.join('|')})(,(${STATUSES.join('|')}))*$`), `are of ${STATUSES.join(', ')}`)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(STATUSES)))
    .optional(),
  reward: z.enum(REWARD_CLASSES).optional(),
  /** in messages, tool names, ids, errors, workers and reward components */
  q: z.string().trim().min(1).max(200).optional(),
})
export type RolloutFilterQuery = z.infer<typeof rolloutFilterQuery>

export const rolloutGroupQuery = rolloutFilterQuery.extend({
  limit: queryWhole(1, 200).default(24),
  /** groups below this number; without it from the newest on */
  cursor: queryWhole(1).optional(),
})
export type RolloutGroupQuery = z.infer<typeof rolloutGroupQuery>

export const rolloutExportQuery = rolloutFilterQuery.extend({
  /** jsonl has the messages */
  format: z.enum(['csv', 'json', 'jsonl']).default('jsonl'),
})

export const rolloutLine = z.object({
  ref: z.string(),
  /** place in its group, in the order reported, from 1 on */
  position: z.number().int(),
  status: z.enum(STATUSES),
  reward: z.number().nullable(),
  /** reward on [0, 1], null when untrusted */
  fill: z.number().nullable(),
  distrust: z.enum(DISTRUSTS).nullable(),
  turns: z.number().int().nullable(),
  tokens: z.number().int().nullable(),
  seconds: z.number().nullable(),
})
export type RolloutLine = z.infer<typeof rolloutLine>

export const rolloutGroup = z.object({
  id: z.string(),
  number: z.number().int(),
  task: taskRef,
  policyVersion: z.number().int(),
  batch: z.number().int().nullable(),
  slot: z.enum(['score', 'uniform', 'pin']).nullable(),
  /** its rollouts came after the group of their lease was over */
  late: z.boolean(),
  /** of a part of the run that a restore left behind: kept, never counted */
  superseded: z.boolean(),
  /** as predicted before it came back */
  predictedVariance: z.number().nullable(),
  result: groupResult,
  /** those that match, in the order reported */
  rollouts: z.array(rolloutLine),
  /** matching ones that are not listed, since the group is very large */
  hidden: z.number().int(),
})
export type RolloutGroup = z.infer<typeof rolloutGroup>

export const rolloutGroups = z.object({
  items: z.array(rolloutGroup),
  next: z.string().nullable(),
  /** rollouts that match in the whole run; null where only reading all of them would tell */
  total: z.number().int().nullable(),
  /** rollouts of the run */
  of: z.number().int(),
  /** groups above the cursor that may match */
  newer: z.number().int(),
  /** how far a search for text has come: rollouts looked through on this page */
  searched: z.number().int(),
})
export type RolloutGroups = z.infer<typeof rolloutGroups>

export const rolloutQuery = z.object({
  /** texts of messages are cut to so many characters; without it they are whole */
  cut: queryWhole(100, 10_000_000).optional(),
})

export const rolloutDetail = rolloutRow.extend({
  /** null: none were reported */
  messages: z.array(message).nullable(),
  /** characters that `cut` left out */
  left: z.number().int(),
  position: z.number().int(),
  previous: z.string().nullable(),
  next: z.string().nullable(),
  in: rolloutGroup,
  /** rollouts of its group with what the verdict needs, in the order reported; errors are cut */
  siblings: z.array(rolloutRow.extend({ fill: z.number().nullable() })),
  /** the same error in its environment during the last batches */
  alike: z.object({ count: z.number().int(), batches: z.number().int(), workers: z.array(z.string()) }).nullable(),
})
export type RolloutDetail = z.infer<typeof rolloutDetail>
export type Sibling = RolloutDetail['siblings'][number]
