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

export interface SeedPlan {
  /** as `replayArmsNamed` takes it */
  arms: string
  steps: number
  picks: number
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

export function replaySeed(
  ladder: ReplayLadder,
  seed: number,
  { arms, steps, picks }: SeedPlan,
  progress: (what: string) => void = () => undefined,
): SeedOutcome {
  const plan = replayPlan(ladder, steps, picks)
  const outcome: SeedOutcome = { seed, arms: {}, drawn: {}, ceiling: null }
  for (const arm of replayArmsNamed(arms)) {
    if (arm.needsStructure && !hasStructure(ladder)) continue
    const run = replayArm(ladder, plan, arm, seed)
    outcome.arms[arm.name] = {
      picks: run.picks,
      informativeShare: run.picks > 0 ? run.informative / run.picks : 0,
      meanVariance: run.meanVariance,
      environmentsSeen: run.environmentsSeen,
      tasksSeen: run.tasksSeen,
      slots: run.slots,
      picked: run.scored.length > 0 ? scorePredictions(run.scored) : null,
    }
    progress(arm.name)
  }
  const { predictors, groups } = watch(ladder, plan, seed)
  for (const [name, scored] of Object.entries(predictors)) outcome.drawn[name] = scorePredictions(scored)
  outcome.ceiling = noiseCeiling(groups, seed)
  progress('predictions')
  return outcome
}
