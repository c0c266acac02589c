/**
 * Learnability: p (1 - p) of each task's own decayed success rate, shrunk to the global rate.
 * Owns: decayed counts a task, ties broken by up to .01.
 * Rule, after SFL (sampling for learnability): train on what has the largest p (1 - p). It rolls out a large set anew for its p, which
 * nobody pays here; p is what training itself saw, and a task never seen has the global rate (decay .98 a step), not one half.
 * Tuned on seeds 1 to 6 of `small` and 1 to 3 of `default` by area over uniform's times 1,000: decay of .8, .9, .95, .98, 1 and prior of 1, 2, 4, 8
 * gave 2 to 28; .95 and 1 are best.
 */
import { meanOf, trustedRewards } from '@/lib/testbed/group'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { largest } from '@/lib/testbed/schedulers/rank'

export const LEARNABILITY = {
  /** of a task's counts, a step */
  decay: 0.95,
  /** rollouts that the global rate counts for */
  prior: 1,
}
const DECAY_GLOBAL = 0.98

export function learnability(input: SchedulerInput, { decay, prior } = LEARNABILITY): Scheduler {
  const tasks = input.environmentOf.length
  const wins = new Float64Array(tasks)
  const count = new Float64Array(tasks)
  let allWins = 1
  let all = 4
  return {
    next: (_step, wanted, open) => {
      const scores = Float64Array.from({ length: tasks }, (_, task) => {
        const p = (wins[task]! + (prior * allWins) / all) / (count[task]! + prior)
        return p * (1 - p) + 0.01 * input.random()
      })
      return largest(scores, wanted, open)
    },
    observe: (_step, groups) => {
      for (let task = 0; task < tasks; task++) {
        wins[task] = wins[task]! * decay
        count[task] = count[task]! * decay
      }
      allWins *= DECAY_GLOBAL
      all *= DECAY_GLOBAL
      for (const group of groups) {
        const rewards = trustedRewards(group, input.ranges[input.environmentOf[group.task]!]!)
        const mean = meanOf(rewards)
        if (mean === null) continue
        wins[group.task] = wins[group.task]! + mean * rewards.length
        count[group.task] = count[group.task]! + rewards.length
        allWins += mean * rewards.length
        all += rewards.length
      }
    },
  }
}
