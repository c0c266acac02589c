/**
 * Environment-then-task average: the reward variance of a task, shrunk to its environment's, that to the global one.
 * Owns: decayed means by task and environment, coverage by counts. Learns from trusted rewards only.
 * Constants: prior mass 4 (environment) and 1.5 (task), decay .95 and .9 a step, global .98, coverage .05, at most 2 picks
 * (or 2 B/E) an environment. `headroom` true scores v (1 - m) in place of v; `uniformShare` of a batch comes from shuffled epochs.
 */
import { meanOf, trustedRewards, varianceOf } from '@/lib/testbed/group'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { largestCapped, openEnvironments, ShuffledEpochs } from '@/lib/testbed/schedulers/rank'

const PRIOR_ENVIRONMENT = 4
const PRIOR_TASK = 1.5
const DECAY_ENVIRONMENT = 0.95
const DECAY_TASK = 0.9
const DECAY_GLOBAL = 0.98
const COVERAGE = 0.05
const CAP = 2

export function envThenTask(
  input: SchedulerInput,
  options: { headroom: boolean; uniformShare: number } = { headroom: false, uniformShare: 0 },
): Scheduler {
  const { environmentOf, environments, random } = input
  const tasks = environmentOf.length
  const massE = new Float64Array(environments)
  const sumE = new Float64Array(environments)
  const massT = new Float64Array(tasks)
  const sumT = new Float64Array(tasks)
  let mass = 4
  let sum = 0.4
  const epochs = new ShuffledEpochs(tasks, random)
  let owed = 0

  const score = () => {
    const scores = new Float64Array(tasks)
    for (let task = 0; task < tasks; task++) {
      const e = environmentOf[task]!
      const ofEnvironment = (sumE[e]! + (PRIOR_ENVIRONMENT * sum) / mass) / (massE[e]! + PRIOR_ENVIRONMENT)
      const value = (sumT[task]! + PRIOR_TASK * ofEnvironment) / (massT[task]! + PRIOR_TASK)
      const coverage = COVERAGE / Math.sqrt(1 + massE[e]!) + COVERAGE / Math.sqrt(1 + massT[task]!)
      scores[task] = value + coverage + 1e-3 * random()
    }
    return scores
  }

  return {
    next: (_step, count, open) => {
      owed += options.uniformShare * count
      const drawn = epochs.take(Math.floor(owed), open)
      owed -= drawn.length
      const cap = Math.max(CAP, Math.ceil((CAP * count) / openEnvironments(environmentOf, environments, open)))
      const chosen = largestCapped(score(), count - drawn.length, environmentOf, cap, new Set(drawn), open)
      // Interleaved, so that a two-stage budget that runs out early cuts both kinds alike.
      return interleave(chosen, drawn)
    },
    observe: (_step, groups) => {
      for (let e = 0; e < environments; e++) {
        massE[e] = massE[e]! * DECAY_ENVIRONMENT
        sumE[e] = sumE[e]! * DECAY_ENVIRONMENT
      }
      for (let task = 0; task < tasks; task++) {
        massT[task] = massT[task]! * DECAY_TASK
        sumT[task] = sumT[task]! * DECAY_TASK
      }
      mass *= DECAY_GLOBAL
      sum *= DECAY_GLOBAL
      for (const group of groups) {
        const e = environmentOf[group.task]!
        const rewards = trustedRewards(group, input.ranges[e]!)
        const variance = varianceOf(rewards)
        const mean = meanOf(rewards)
        if (variance === null || mean === null) continue
        const weight = (rewards.length - 1) / 2
        const value = options.headroom ? variance * (1 - mean) : variance
        massE[e] = massE[e]! + weight
        sumE[e] = sumE[e]! + weight * value
        massT[group.task] = massT[group.task]! + weight
        sumT[group.task] = sumT[group.task]! + weight * value
        mass += weight
        sum += weight * value
      }
    },
  }
}

/** Spreads `rare` evenly through `common`, order kept in both. */
export function interleave<T>(common: readonly T[], rare: readonly T[]): T[] {
  const total = common.length + rare.length
  const mixed: T[] = []
  let c = 0
  let r = 0
  while (mixed.length < total) {
    const due = ((r + 0.5) * total) / Math.max(1, rare.length) <= mixed.length + 0.5
    if (r < rare.length && (due || c === common.length)) mixed.push(rare[r++]!)
    else mixed.push(common[c++]!)
  }
  return mixed
}
