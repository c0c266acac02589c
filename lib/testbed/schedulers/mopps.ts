/**
 * MoPPS: a Beta posterior of the success rate by task, faded to its prior; a Thompson draw; the tasks whose draw is nearest one half.
 * Owns: the two counts a task. Constants: fading .5 on the visited tasks, as in its published scripts; prior Beta(1, 1).
 */
import { meanOf, trustedRewards } from '@/lib/testbed/group'
import { betaDraw } from '@/lib/testbed/random'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { largest } from '@/lib/testbed/schedulers/rank'

const FADE = 0.5

export function mopps(input: SchedulerInput): Scheduler {
  const tasks = input.environmentOf.length
  const solved = new Float64Array(tasks).fill(1)
  const failed = new Float64Array(tasks).fill(1)
  return {
    next: (_step, count, open) => {
      const draw = (task: number) => betaDraw(input.random, solved[task]!, failed[task]!)
      return largest(
        Float64Array.from({ length: tasks }, (_, task) => -Math.abs(draw(task) - 0.5)),
        count,
        open,
      )
    },
    observe: (_step, groups) => {
      for (const { task, rollouts } of groups) {
        const rewards = trustedRewards({ task, rollouts }, input.ranges[input.environmentOf[task]!]!)
        const mean = meanOf(rewards)
        if (mean === null) continue
        const wins = mean * rewards.length
        solved[task] = FADE * solved[task]! + (1 - FADE) + wins
        failed[task] = FADE * failed[task]! + (1 - FADE) + rewards.length - wins
      }
    },
  }
}
