/**
 * Which rung each step stands on, and how many groups it may take.
 * The steps are spread evenly over the rungs (with more rungs than steps some are passed over). A group is offered until it is taken,
 * then not again on its rung: a real policy would answer with other rollouts, and telling the same ones twice would pass old evidence for
 * new and pay for memory. So that choice stays choice, the steps of a rung take half of its groups at most.
 */
import type { ReplayLadder } from '@/lib/testbed/replay/ladder'

export interface ReplayStep {
  rung: number
  picks: number
}

export function replayPlan(ladder: ReplayLadder, steps: number, picks: number): ReplayStep[] {
  const rungs = ladder.rungs.length
  if (rungs === 0) return []
  const rungAt = (step: number) => Math.min(rungs - 1, Math.floor((step * rungs) / steps))
  const stepsOn = new Int32Array(rungs)
  for (let step = 0; step < steps; step++) stepsOn[rungAt(step)]!++
  const left = ladder.rungs.map(({ offered }) => Math.floor(offered / 2))
  const plan: ReplayStep[] = []
  for (let step = 0; step < steps; step++) {
    const rung = rungAt(step)
    const even = Math.max(1, Math.floor(Math.floor(ladder.rungs[rung]!.offered / 2) / stepsOn[rung]!))
    const size = Math.min(picks, even, left[rung]!)
    left[rung]! -= size
    if (size > 0) plan.push({ rung, picks: size })
  }
  return plan
}
