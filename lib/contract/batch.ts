/**
 * Batches: the trainer's request and answer, and the decision record that pages read.
 * Invariants: `terms` are signed and sum to `score`, `shares` sum to `prediction.predictedVariance` (1e-6).
 */
import { z } from 'zod'
import { nameOf, whole } from './bounds'
import { listQuery } from './page'
import { environmentRef, taskRef } from './task-set'

export const STAGES_LEAST = 2

const requestFields = z.object({
  requestId: nameOf(200),
  /** picks; with adaptive group sizes or `stages`, size times groupSize is a budget of rollouts */
  size: z.number().int().min(1).max(10_000),
  groupSize: z.number().int().min(1).max(1024),
  policyVersion: whole,
  /**
   * Two-stage groups: rollouts of the first stage and of the second. Each pick asks for the first; the answer to the
   * report that completes it says whether to `continue`, and which `more` picks the budget of the others buys.
   */
  stages: z.array(z.number().int()).nullable().optional(),
  /** shares: the trainer chooses its own tasks and is told how many picks each environment should get; nothing is leased */
  mode: z.enum(['picks', 'shares']).default('picks'),
})

export const batchRequest = requestFields.superRefine(({ stages, groupSize, mode }, context) => {
  if (stages === null || stages === undefined) return
  const issue = stagesIssue(stages, groupSize, mode)
  if (issue !== null) context.addIssue({ code: 'custom', path: ['stages'], message: issue })
})
export type BatchRequestInput = z.input<typeof batchRequest>

function stagesIssue(stages: readonly number[], groupSize: number, mode: string): string | null {
  const [first, second] = stages
  if (mode === 'shares') return 'Shares have no stages: nothing is leased; leave stages out.'
  if (stages.length !== 2 || first === undefined || second === undefined)
    return `There are two stages, not ${stages.length}; give two numbers such as [4, 4].`
  if (first < STAGES_LEAST)
    return `A first stage of ${first} cannot tell whether rewards differ; give ${STAGES_LEAST} or more.`
  if (second < 1) return `A second stage of ${second} adds nothing; give 1 or more, or leave stages out.`
  if (first + second !== groupSize)
    return `The stages come to ${first + second}, the group size is ${groupSize}; make them equal.`
  return null
}

export const issuedPick = z.object({
  lease: z.string(),
  environment: z.string(),
  task: z.string(),
  /** server id of the task */
  id: z.string(),
  /** rollouts to make of it now: its own where group sizes are adaptive, those of the first stage where there are two */
  groupSize: z.number().int(),
  slot: z.enum(['score', 'uniform', 'pin']),
  payload: z.unknown(),
  reason: z.string(),
})
export type IssuedPick = z.infer<typeof issuedPick>

export const batchAnswer = z.object({
  batch: z.string(),
  index: z.number().int(),
  fallback: z.object({ rung: z.string(), why: z.string().nullable() }),
  picks: z.array(issuedPick),
  /** only in mode shares: picks by environment key, zero where none; they come to `size` */
  shares: z.array(z.object({ environment: z.string(), picks: z.number().int() })).optional(),
  notes: z.array(z.string()),
})
export type BatchAnswer = z.infer<typeof batchAnswer>

export const batchListQuery = listQuery.extend({ include: z.enum(['picks']).optional() })

export const terms = z.object({
  exploitation: z.number(),
  coverage: z.number(),
  recency: z.number(),
  similarity: z.number(),
  quota: z.number(),
  override: z.number(),
  cost: z.number(),
})
export type TermsView = z.infer<typeof terms>

export const shares = z.object({ own: z.number(), within: z.number(), cross: z.number(), prior: z.number() })
export type SharesView = z.infer<typeof shares>

export const prediction = z.object({
  ability: z.number(),
  predictedVariance: z.number(),
  /** posterior standard deviation, logit scale */
  deviation: z.number(),
  /** of the predicted variance */
  spread: z.number(),
  /** probability that the next group is informative */
  informative: z.number(),
  alive: z.number(),
  shares,
})
export type PredictionView = z.infer<typeof prediction>

export const RULES = [
  'score',
  'similarity',
  'recency',
  'cost',
  'upper_quota',
  'lower_quota',
  'banned',
  'paused',
  'leased',
  'waiting',
  'concurrency',
  'environment_cap',
] as const

export const change = z.object({
  setting: z.string(),
  environment: environmentRef.nullable(),
  now: z.number().nullable(),
  needed: z.number().nullable(),
})

export const leftOut = z.object({
  task: taskRef,
  score: z.number(),
  terms,
  margin: z.number(),
  rule: z.enum(RULES),
  /** one sentence: what kept it out */
  sentence: z.string(),
  like: taskRef.nullable(),
  similarity: z.number().nullable(),
  wait: z.number().nullable(),
  change: change.nullable(),
})
export type LeftOutView = z.infer<typeof leftOut>

/** One rollout square: solved fill 0 to 1, or why it has none. */
export const square = z.object({
  state: z.enum(['trusted', 'untrusted', 'out']),
  /** normalised statistics value 0 to 1 when trusted */
  fill: z.number().nullable(),
  rollout: z.string().nullable(),
})
export type Square = z.infer<typeof square>

/** What came back of a pick. `state`: out = still waited for. */
export const groupResult = z.object({
  state: z.enum(['out', 'partial', 'complete', 'released', 'expired']),
  /** server id of the group, for links to its rollouts; null before a lease was given */
  group: z.string().nullable(),
  size: z.number().int(),
  returned: z.number().int(),
  trusted: z.number().int(),
  mean: z.number().nullable(),
  variance: z.number().nullable(),
  informative: z.boolean().nullable(),
  squares: z.array(square),
  /**
   * of a two-stage group: rollouts of the first stage, of the second (0 = it stopped, null = not decided yet), and those that the
   * budget had for it (0 = it took the last of the budget)
   */
  stages: z.object({ first: z.number().int(), second: z.number().int().nullable(), kept: z.number().int() }).nullable(),
})
export type GroupResult = z.infer<typeof groupResult>

export const pick = z.object({
  /** place in the batch in the order chosen, from 1 on */
  position: z.number().int(),
  lease: z.string(),
  environment: environmentRef,
  task: taskRef,
  groupSize: z.number().int(),
  slot: z.enum(['score', 'uniform', 'pin']),
  score: z.number(),
  terms,
  prediction,
  reason: z.string(),
  runnerUp: z
    .object({
      environment: environmentRef,
      task: taskRef,
      margin: z.number(),
      rule: z.enum(RULES),
      change: change.nullable(),
    })
    .nullable(),
  /** bought later, with what two-stage groups of its batch left over */
  more: z.boolean(),
  result: groupResult,
})
export type PickView = z.infer<typeof pick>

export const quotaUse = z.object({
  environment: environmentRef,
  lower: z.number(),
  upper: z.number(),
  /** picks in the window before this batch, the window's length so far, and picks in this batch */
  used: z.number().int(),
  window: z.number().int(),
  picks: z.number().int(),
  state: z.enum(['ok', 'under', 'near', 'over', 'relaxed']),
})
export type QuotaUseView = z.infer<typeof quotaUse>

export const batchSummary = z.object({
  id: z.string(),
  index: z.number().int(),
  at: z.string(),
  policyVersion: z.number().int(),
  size: z.number().int(),
  groupSize: z.number().int(),
  /** rollouts of the two stages of its groups; null = one stage */
  stages: z.tuple([z.number().int(), z.number().int()]).nullable(),
  /** in mode shares: what each environment should get, and groups that came of it, largest first; null = picks were leased */
  shares: z
    .array(z.object({ environment: environmentRef, picks: z.number().int(), groups: z.number().int() }))
    .nullable(),
  picks: z.number().int(),
  back: z.number().int(),
  trusted: z.number().int(),
  informative: z.number().int(),
  /** of complete trusted groups, null before the first */
  informativeShare: z.number().nullable(),
  fallback: z.object({ rung: z.string(), why: z.string().nullable() }),
  superseded: z.boolean(),
})
export type BatchSummary = z.infer<typeof batchSummary>

export const batchDetail = batchSummary.extend({
  pickList: z.array(pick),
  leftOut: z.array(leftOut),
  quotas: z.array(quotaUse),
  eligible: z.number().int(),
  tasks: z.number().int(),
  notes: z.array(z.string()),
  expectedInformative: z.number(),
  insideSimilarity: z.object({ mean: z.number(), largest: z.number() }),
  /** overrides in force when it was chosen */
  overrides: z.array(z.object({ id: z.string(), letter: z.string(), sentence: z.string(), since: z.number().int() })),
})
export type BatchDetail = z.infer<typeof batchDetail>

/** The next batch, not issued: the same record without leases or results. */
export const proposedBatch = batchDetail.omit({
  id: true,
  at: true,
  back: true,
  trusted: true,
  informative: true,
  informativeShare: true,
  superseded: true,
})
export type ProposedBatch = z.infer<typeof proposedBatch>
