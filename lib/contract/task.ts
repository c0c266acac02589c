/**
 * Everything about one (environment, task) pair, and the row of a task list.
 */
import { z } from 'zod'
import { groupResult, prediction, terms } from './batch'
import { queryWhole } from './bounds'
import { listQuery } from './page'
import { environmentRef, taskRef } from './task-set'

export const taskListQuery = listQuery.extend({
  environment: z.string().optional(),
  key: z.string().optional(),
  q: z.string().optional(),
  sort: z.enum(['variance', 'key', 'groups']).default('variance'),
})

export const evidenceQuery = z.object({ batch: queryWhole(1).optional() })

export const taskRow = z.object({
  id: z.string(),
  key: z.string(),
  environment: environmentRef,
  text: z.string().nullable(),
  pattern: z.string(),
  predictedVariance: z.number(),
  ability: z.number(),
  deviation: z.number(),
  informative: z.number(),
  groups: z.number().int(),
  picks: z.number().int(),
  lastPickedBatch: z.number().int().nullable(),
  banned: z.boolean(),
  pinned: z.boolean(),
  boost: z.number(),
})
export type TaskRow = z.infer<typeof taskRow>

export const neighbour = z.object({
  task: taskRef,
  kind: z.enum(['within', 'cross']),
  weight: z.number(),
  /** what they share, in words */
  shared: z.string(),
  /** mean normalised outcome of its trusted rollouts, 0 to 1 */
  solved: z.number().nullable(),
  trusted: z.number().int(),
  /** its part of this task's prediction, 0 to 1 of it; null below the cut */
  share: z.number().nullable(),
})

export const taskDetail = z.object({
  task: taskRef,
  text: z.string().nullable(),
  payload: z.unknown(),
  batch: z.number().int(),
  prediction,
  control: z.object({
    banned: z.boolean(),
    pinned: z.boolean(),
    boost: z.number(),
    leased: z.boolean(),
    waiting: z.number().nullable(),
  }),
  structure: z.object({
    pattern: z.string(),
    patternTasks: z.number().int(),
    patternEnvironments: z.number().int(),
    tools: z.array(z.object({ name: z.string(), role: z.string(), alsoIn: z.array(environmentRef) })),
    environmentTools: z.number().int(),
    state: z.array(z.string()),
    environmentState: z.number().int(),
    checks: z.array(z.string()),
    verifier: z.string().nullable(),
    rewardRange: z.tuple([z.number(), z.number()]),
    turns: z.number().nullable(),
    tokens: z.number().nullable(),
    seconds: z.number().nullable(),
    rollouts: z.number().int(),
  }),
  /** stored predictions and what was realised, oldest first */
  history: z.array(
    z.object({
      batch: z.number().int(),
      policyVersion: z.number().int(),
      predictedVariance: z.number().nullable(),
      spread: z.number().nullable(),
      realisedVariance: z.number().nullable(),
    }),
  ),
  picks: z.array(
    z.object({
      batch: z.number().int(),
      /** place in the batch in the order chosen, from 1 on */
      position: z.number().int(),
      size: z.number().int(),
      slot: z.enum(['score', 'uniform', 'pin']),
      /** bought later, with what two-stage groups of its batch left over */
      more: z.boolean(),
      reason: z.string(),
      score: z.number(),
      terms,
      superseded: z.boolean(),
      result: groupResult,
    }),
  ),
  groups: z.array(
    z.object({
      policyVersion: z.number().int(),
      batch: z.number().int().nullable(),
      result: groupResult,
      turns: z.number().nullable(),
    }),
  ),
  neighbours: z.array(neighbour),
})
export type TaskDetail = z.infer<typeof taskDetail>
