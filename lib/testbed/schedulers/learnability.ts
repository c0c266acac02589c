/**
 * Learnability: p (1 - p) of each task's own decayed success rate, shrunk to the global rate.
 * Owns: decayed counts a task. Constants: decay .95 a step (global .98), prior mass 4, ties broken by up to .01.
 */
import { meanOf, trustedRewards } from '@/lib/testbed/group'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { largest } from '@/lib/testbed/schedulers/rank'

const DECAY = 0.95
const DECAY_GLOBAL = 0.98
const PRIOR = 4

export function learnability(input: SchedulerInput): Scheduler {
  const tasks = input.environmentOf.length
  const wins = new Float64Array(tasks)
  const count = new Float64Array(tasks)
  let allWins = 1
  let all = 4
  return {
    next: (_step, wanted, open) => {
      const scores = Float64Array.from({ length: tasks }, (_, task) => {
        const p = (wins[task]! + (PRIOR * allWins) / all) / (count[task]! + PRIOR)
        return p * (1 - p) + 0.01 * input.random()
      })
      return largest(scores, wanted, open)
    },
    observe: (_step, groups) => {
      for (let task = 0; task < tasks; task++) {
        wins[task] = wins[task]! * DECAY
        count[task] = count[task]! * DECAY
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
