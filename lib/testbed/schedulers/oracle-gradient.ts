/**
 * The oracle of the exact gradient: it knows the policy and how each group would move the score of all sound training tasks.
 * Owns: first-order improvement of sum p^(1/2) by a group of a task, computed once a step (no virtual updates inside the batch).
 * A bound that no scheduler of a real run can have. Cost: one pass over the tasks and one over the table a step.
 */
import type { Policy } from '@/lib/testbed/policy'
import type { Scheduler, SchedulerInput, Truth } from '@/lib/testbed/scheduler'
import { largestCapped } from '@/lib/testbed/schedulers/rank'
import { successProbability } from '@/lib/testbed/success'
import type { World } from '@/lib/testbed/world'

const CAP = 3
const POWER = 0.5

/** Expected population standard deviation of a group of `size` binary rewards of success probability `p`. */
export function expectedDeviation(p: number, size: number): number {
  let sum = 0
  let ways = 1
  for (let k = 0; k <= size; k++) {
    if (k > 0) ways = (ways * (size - k + 1)) / k
    const share = k / size
    sum += ways * p ** k * (1 - p) ** (size - k) * Math.sqrt(share * (1 - share))
  }
  return sum
}

/** By table row (environment, local goal): the wish of all tasks that the row's correct tool became likelier. */
function wishes(world: World, policy: Policy): Float64Array[] {
  const rows = world.environments.map((environment) => new Float64Array(environment.goals.length))
  for (const task of world.tasks) {
    if (task.broken) continue
    const weight = POWER * Math.max(successProbability(world, policy, task), 1e-9) ** POWER
    const row = rows[task.environment]!
    for (const local of task.chain) row[local] = row[local]! + weight
  }
  return rows
}

/** By table row: how much the objective gains from a unit step towards that row's correct tool. */
function gains(world: World, policy: Policy): Float64Array[] {
  const wish = wishes(world, policy)
  const shared = new Float64Array(policy.shared.length)
  const own = new Float64Array(policy.own.length)
  const { leak } = policy
  const hashed = new Float64Array(leak?.hashed.length ?? 0)
  const each = (
    visit: (e: number, local: number, a: number, cell: number, sharedCell: number, step: number) => void,
  ) => {
    for (const [e, environment] of world.environments.entries())
      for (const [local, goal] of environment.goals.entries())
        for (const [a, tool] of environment.tools.entries()) {
          const cell = policy.offsets[e]! + local * environment.tools.length + a
          const step = (a === environment.correct[local] ? 1 : 0) - policy.table[cell]!
          visit(e, local, a, cell, goal * world.acts.length + tool.act, step)
        }
  }
  each((e, local, _a, cell, sharedCell, step) => {
    const pull = wish[e]![local]! * step
    shared[sharedCell] = shared[sharedCell]! + pull
    own[cell] = own[cell]! + pull
    if (leak !== null) hashed[leak.cell[cell]!] = hashed[leak.cell[cell]!]! + leak.weight[cell]! * pull
  })
  const rows = world.environments.map((environment) => new Float64Array(environment.goals.length))
  each((e, local, _a, cell, sharedCell, step) => {
    const leaked = leak === null ? 0 : leak.weight[cell]! * hashed[leak.cell[cell]!]!
    rows[e]![local] = rows[e]![local]! + step * (shared[sharedCell]! + own[cell]! + leaked)
  })
  return rows
}

export function oracleGradient(input: SchedulerInput, truth: Truth): Scheduler {
  const { world, policy } = truth
  return {
    next: (_step, count) => {
      const rows = gains(world, policy)
      const scores = Float64Array.from(world.tasks, (task) => {
        const q = successProbability(world, policy, task)
        let gain = 0
        for (const local of task.chain) gain += rows[task.environment]![local]!
        const size = expectedDeviation(q, input.groupSize) / Math.max(1 - q, 1e-6)
        return task.broken ? 0 : gain * size + 1e-9 * input.random()
      })
      const cap = Math.max(CAP, Math.ceil((CAP * count) / input.environments))
      return largestCapped(scores, count, input.environmentOf, cap)
    },
    observe: () => undefined,
  }
}
