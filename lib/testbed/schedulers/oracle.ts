/**
 * The oracle of the true variance: it reads the policy, as no real scheduler can.
 * Owns: q (1 - q) of every task, with the cap an environment that the averages have.
 * A graded environment is scored by its success variance too: the oracle knows success, not progress.
 */
import type { Scheduler, SchedulerInput, Truth } from '@/lib/testbed/scheduler'
import { largestCapped } from '@/lib/testbed/schedulers/rank'
import { successProbability } from '@/lib/testbed/success'

const CAP = 2

export function oracle(input: SchedulerInput, truth: Truth): Scheduler {
  return {
    next: (_step, count) => {
      const scores = Float64Array.from(truth.world.tasks, (task) => {
        const q = successProbability(truth.world, truth.policy, task)
        return q * (1 - q) + 1e-6 * input.random()
      })
      const cap = Math.max(CAP, Math.ceil((CAP * count) / input.environments))
      return largestCapped(scores, count, input.environmentOf, cap)
    },
    observe: () => undefined,
  }
}
