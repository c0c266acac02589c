/**
 * The predictors of a run over its batches, from the records of decisions. Pure over a run's history.
 * Owns: thinning, and how many rollouts were scored when a batch was chosen: those of the groups absorbed before its log entry.
 * Invariant: batches that were stored before predictors were, or that a restore undid, are left out, not guessed.
 */
import type { Calibration } from '@/lib/contract/calibration'
import { MOST_SCORED, type PredictorRecord } from '@/lib/engine/models'
import { graphHelps, type Standing } from './graph-helps'
import type { RunHistory } from './run-history'

/** Points of the series at most. */
const POINTS = 400

interface Told extends Standing {
  batch: number
  predictors: PredictorRecord[]
}

/** Every further one so that at most `most` stay; the last always does. */
export function thinned<T>(all: readonly T[], most = POINTS): T[] {
  const step = Math.max(1, Math.ceil(all.length / most))
  return all.filter((_, i) => (all.length - 1 - i) % step === 0)
}

/** What each batch knew, oldest first. */
function toldByBatch(history: RunHistory): Told[] {
  let rollouts = 0
  let at = 0
  const told: Told[] = []
  for (const batch of history.batches) {
    for (; at < history.absorbed.length; at += 1) {
      const group = history.groups.get(history.absorbed[at] ?? -1)
      if (group === undefined || group.logSeq === null || group.logSeq >= batch.seq) break
      rollouts += Math.min(group.trusted, MOST_SCORED)
    }
    const { predictors } = batch.record
    if (predictors === undefined || batch.superseded) continue
    told.push({ batch: batch.index, rollouts, predictors })
  }
  return told
}

export function calibrationOf(history: RunHistory, now: readonly PredictorRecord[]): Calibration {
  const told = toldByBatch(history)
  const rollouts = [...history.groups.values()].reduce(
    (sum, group) => sum + (group.logSeq === null ? 0 : Math.min(group.trusted, MOST_SCORED)),
    0,
  )
  return {
    batch: history.batches.at(-1)?.index ?? 0,
    predictors: [...now],
    weights: thinned(told).map(({ batch, predictors }) => ({
      batch,
      weights: Object.fromEntries(
        predictors.filter(({ kind }) => kind !== 'mixture').map(({ name, weight }) => [name, weight]),
      ),
      losses: Object.fromEntries(predictors.map(({ name, recentLogLoss }) => [name, recentLogLoss])),
    })),
    helps: graphHelps([...told, { rollouts, predictors: now }]),
  }
}
