/**
 * What the engine answers: predictions, decision records, evidence. Plain data, indices for tasks and environments.
 * Invariants: `terms` sum to `score` (1e-6); `shares` sum to `predictedVariance` (1e-6); a batch has no duplicate task.
 */
import type { Slot } from './log-entry'
import type { PredictorRecord } from './models'

/** Parts of a predicted variance by source of evidence. May be negative: evidence can speak against. */
export interface Shares {
  own: number
  within: number
  cross: number
  prior: number
}

export interface Prediction {
  /** expected success (or normalised reward) of the next rollout, 0 to 1 */
  ability: number
  /** expected variance of the normalised reward inside the next group, 0 to 0.25 */
  predictedVariance: number
  /** posterior standard deviation on the logit scale */
  deviation: number
  /** probability that the next group of `groupSize` has rewards that differ */
  informative: number
  /** probability that the task can be solved at all (a dead task has a broken verifier) */
  alive: number
  /** standard deviation of the predicted variance that the ability's uncertainty implies */
  spread: number
}

/** Signed changes that each factor and sum made, in the order of decided.md 11. They sum to the score. */
export interface Terms {
  exploitation: number
  coverage: number
  recency: number
  similarity: number
  quota: number
  override: number
  /** expected trusted share (flaky tasks lose) and, where asked for, cost */
  cost: number
}

export type Rule =
  | 'score'
  | 'similarity'
  | 'recency'
  | 'cost'
  | 'upper_quota'
  | 'lower_quota'
  | 'banned'
  | 'paused'
  | 'leased'
  | 'waiting'
  | 'concurrency'
  | 'environment_cap'

/** The smallest single change of a setting that would let a left-out task in, verified by selecting again; null = none found. */
export interface Change {
  setting:
    | 'exploitation'
    | 'coverage'
    | 'similarity'
    | 'recency'
    | 'headroom'
    | 'cost'
    | 'uniform_share'
    | 'upper_quota'
    | 'ban'
    | 'pause'
  now: number | null
  needed: number | null
  environment: number | null
}

export interface LeftOut {
  task: number
  score: number
  terms: Terms
  /** score of the last scored pick minus this one's */
  margin: number
  rule: Rule
  /** the task it is like (similarity), or null */
  like: number | null
  similarity: number | null
  /** batches until it is free again (recency, waiting), or null */
  wait: number | null
  change: Change | null
}

/** Facts behind the sentence of a pick: the sentence itself is made by reason.ts from these and names. */
export interface PickFacts {
  /** `binary`: every trusted rollout stood at one end of the range, so that "solved" can be counted */
  lastGroup: { policyVersion: number; mean: number; size: number; solved: number; binary: boolean } | null
  groups: number
  batchesSincePick: number | null
  /** the other task whose groups raise the prediction most, else the one that lowers it most, with its own ability */
  neighbour: { task: number; kind: 'within' | 'cross'; share: number; ability: number } | null
  largestTerm: keyof Terms
  pattern: number
  batchesSincePattern: number | null
  /** picked because a lower quota was owed it */
  owed: boolean
  /** expected cost of a rollout over the run's mean; null where cost does not count */
  relativeCost: number | null
}

export interface PickDecision {
  task: number
  slot: Slot
  /** rollouts that it gets */
  groupSize: number
  score: number
  terms: Terms
  prediction: Prediction
  shares: Shares
  facts: PickFacts
  reason: string
  /** index into `leftOut` of the best task that this pick kept out, or null */
  runnerUp: number | null
}

export const RUNGS = ['full', 'no_cross', 'environment_means', 'uniform'] as const
export type Rung = (typeof RUNGS)[number]

export interface QuotaUse {
  environment: number
  lower: number
  upper: number
  /** picks of this environment in the window before this batch, and the window's length so far */
  used: number
  window: number
  /** picks in this batch */
  picks: number
  state: 'ok' | 'under' | 'near' | 'over' | 'relaxed'
}

export interface BatchDecision {
  picks: PickDecision[]
  leftOut: LeftOut[]
  fallback: { rung: Rung; why: string | null }
  quotas: QuotaUse[]
  /** tasks that could be picked, of all */
  eligible: number
  /** what circumstances forbade and was relaxed, one sentence each */
  notes: string[]
  expectedInformative: number
  /** the models' weights in these predictions, and how well every predictor did so far */
  predictors: PredictorRecord[]
  /** mean and largest similarity between two picks of this batch */
  insideSimilarity: { mean: number; largest: number }
  /** per-task predicted variance at the time of choice (for the stored blob); length = tasks */
  predictedVariance: Float32Array
}

export interface BatchRequest {
  size: number
  groupSize: number
  policyVersion: number
  /** epoch milliseconds */
  at: number
}

export interface ContributingGroup {
  policyVersion: number
  size: number
  mean: number
  /** realised, unbiased */
  variance: number
  /** effective trusted rollouts left after fading: size V / (V + w) */
  weight: number
  share: number
  lease: number | null
  /** merged entry of all groups before the last checkpoint */
  older: boolean
}

export interface Contribution {
  task: number
  kind: 'own' | 'within' | 'cross'
  share: number
  /** weight of the stored task-to-task edge, null where none is stored */
  edge: number | null
  /** names of the shared things that the evidence went through, strongest first */
  through: string[]
  rollouts: number
  groups: ContributingGroup[]
}

export interface Evidence {
  task: number
  prediction: Prediction
  shares: Shares
  /** sorted by |share|; its own and the largest always, others from `cut` of the predicted variance on; the rest by kind in `rest` */
  contributions: Contribution[]
  rest: { own: number; within: number; cross: number }
  /** other tasks below the cut, by kind */
  restTasks: { within: number; cross: number }
}

export interface TaskEdge {
  source: number
  target: number
  kind: 'within' | 'cross'
  weight: number
}
