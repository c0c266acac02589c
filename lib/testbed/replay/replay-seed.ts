/**
 * Everything one seed of one source gives: each arm's run, and the predictors on the same uniform draws.
 * Owns: bringing runs down to plain numbers that can cross threads. Must never know: threads, files.
 * `progress` is told after each run.
 */
import type { ReplayLadder } from '@/lib/testbed/replay/ladder'
import { type NoiseCeiling, noiseCeiling } from '@/lib/testbed/replay/noise-ceiling'
import { type PredictionScore, scorePredictions } from '@/lib/testbed/replay/prediction-score'
import { hasStructure, replayArmsNamed } from '@/lib/testbed/replay/replay-arms'
import { replayPlan } from '@/lib/testbed/replay/replay-plan'
import { replayArm, type SlotCount, watch } from '@/lib/testbed/replay/replay-run'

export interface Sizes {
  steps: number
  picks: number
}

export interface SeedPlan extends Sizes {
  /** as `replayArmsNamed` takes it */
  arms: string
}

export interface ArmOutcome {
  picks: number
  informativeShare: number
  meanVariance: number
  environmentsSeen: number
  tasksSeen: number
  slots: { score: SlotCount; uniform: SlotCount } | null
  /** forecasts of its own picks */
  picked: PredictionScore | null
}

export interface SeedOutcome {
  seed: number
  arms: Record<string, ArmOutcome>
  /** forecasts of uniformly drawn groups, by predictor */
  drawn: Record<string, PredictionScore>
  ceiling: NoiseCeiling | null
}

/** One arm on one seed; null where it needs structure and there is none. @throws RangeError on an unknown arm. */
export function armOutcome(
  ladder: ReplayLadder,
  name: string,
  seed: number,
  { steps, picks }: Sizes,
): ArmOutcome | null {
  const [arm] = replayArmsNamed(name)
  if (arm === undefined || (arm.needsStructure && !hasStructure(ladder))) return null
  const run = replayArm(ladder, replayPlan(ladder, steps, picks), arm, seed)
  return {
    picks: run.picks,
    informativeShare: run.picks > 0 ? run.informative / run.picks : 0,
    meanVariance: run.meanVariance,
    environmentsSeen: run.environmentsSeen,
    tasksSeen: run.tasksSeen,
    slots: run.slots,
    picked: run.scored.length > 0 ? scorePredictions(run.scored) : null,
  }
}

/** The predictors on one seed's uniform draws. */
export function drawnOutcome(
  ladder: ReplayLadder,
  seed: number,
  { steps, picks }: Sizes,
): Pick<SeedOutcome, 'drawn' | 'ceiling'> {
  const { predictors, groups } = watch(ladder, replayPlan(ladder, steps, picks), seed)
  const drawn = Object.fromEntries(Object.entries(predictors).map(([name, scored]) => [name, scorePredictions(scored)]))
  return { drawn, ceiling: noiseCeiling(groups, seed) }
}

export function replaySeed(
  ladder: ReplayLadder,
  seed: number,
  plan: SeedPlan,
  progress: (what: string) => void = () => undefined,
): SeedOutcome {
  const arms: Record<string, ArmOutcome> = {}
  for (const { name } of replayArmsNamed(plan.arms)) {
    const outcome = armOutcome(ladder, name, seed, plan)
    if (outcome === null) continue
    arms[name] = outcome
    progress(name)
  }
  const drawn = drawnOutcome(ladder, seed, plan)
  progress('predictions')
  return { seed, arms, ...drawn }
}
