/**
 * What is stored of a decision, with the batch and with each pick: the engine's own records, tasks by index.
 * Invariant: nothing in here is computed again later; a page shows what was decided.
 */

import type { BatchDecision, LeftOut, PickDecision, QuotaUse } from '@/lib/engine/decision'
import type { Slot } from '@/lib/engine/log-entry'
import type { PredictorRecord } from '@/lib/engine/models'
import type { EnvironmentShare } from './environment-shares'

export interface BatchRecord {
  fallback: { rung: string; why: string | null }
  leftOut: LeftOut[]
  quotas: QuotaUse[]
  notes: string[]
  eligible: number
  expectedInformative: number
  insideSimilarity: { mean: number; largest: number }
  /** weights and losses of every predictor at the time of choice; none in batches stored before there were any */
  predictors?: PredictorRecord[]
  /** rollouts of the two stages; none where groups have one */
  stages?: Stages
  /** what each environment should get, where nothing is leased */
  shares?: EnvironmentShare[]
}

export type Stages = readonly [first: number, second: number]

/** Rollouts by which a group of the batch counts as informative: all, or those of the first stage. */
export const judgedSize = ({ groupSize, record }: { groupSize: number; record: Pick<BatchRecord, 'stages'> }) =>
  record.stages?.[0] ?? groupSize

export interface PickRecord extends Omit<PickDecision, 'task' | 'slot' | 'groupSize'> {
  /** the batch's where a record has none: those written before picks had their own */
  groupSize?: number
  /** the left-out task that this pick kept out, whole, so that a pick reads alone */
  keptOut: LeftOut | null
}

/** A stored slot, as what it can be. */
export const slotOf = (stored: string): Slot => (stored === 'uniform' || stored === 'pin' ? stored : 'score')

export function batchRecord({
  fallback,
  leftOut,
  quotas,
  notes,
  eligible,
  expectedInformative,
  insideSimilarity,
  predictors,
}: BatchDecision): BatchRecord {
  return { fallback, leftOut, quotas, notes, eligible, expectedInformative, insideSimilarity, predictors }
}

export function pickRecord(
  { task: _task, slot: _slot, ...pick }: PickDecision,
  { leftOut }: Pick<BatchDecision, 'leftOut'>,
): PickRecord {
  return { ...pick, keptOut: pick.runnerUp === null ? null : (leftOut[pick.runnerUp] ?? null) }
}
