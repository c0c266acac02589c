/**
 * MoPPS: a Beta posterior of the success rate by task, faded to its prior; a Thompson draw; the tasks whose draw is nearest one half.
 * Owns: the two counts a task.
 * Rule, after MoPPS (arXiv 2507.04632): a <- l a + (1 - l) + successes on the visited tasks, b likewise; prior Beta(1, 1); the B draws nearest .5.
 * Tuned on seeds 1 to 6 of `small` and 1 to 3 of `default` by area over uniform's times 1,000: l of 0, .25, .5, .75, .9, 1 gave 18, 14, 16, 16, 15, 16,
 * which is flat; .5, that of its published scripts, stays (0 keeps no history).
 */
import { meanOf, trustedRewards } from '@/lib/testbed/group'
import { betaDraw } from '@/lib/testbed/random'
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { largest } from '@/lib/testbed/schedulers/rank'

export const MOPPS = {
  /** lambda: what is kept of a visited task's counts */
  fade: 0.5,
}

export function mopps(input: SchedulerInput, { fade } = MOPPS): Scheduler {
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
        solved[task] = fade * solved[task]! + (1 - fade) + wins
        failed[task] = fade * failed[task]! + (1 - fade) + rewards.length - wins
      }
    },
  }
}
