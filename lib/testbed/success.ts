/**
 * Exact success of a policy, computed and not sampled.
 * Owns: the success probability of a task and the score on held-out tasks. Must never know: how the policy was trained.
 * Units: probabilities in [0, 1]; noise of verifiers and infrastructure is left out, for it is not the policy's.
 */
import { contractProbability, type Policy } from '@/lib/testbed/policy'
import type { World, WorldTask } from '@/lib/testbed/world'

/** Probability that every call of the chain is the correct one and the format is met; 0 for a broken task. */
export function successProbability(world: World, policy: Policy, task: WorldTask): number {
  if (task.broken) return 0
  const { correct, tools } = world.environments[task.environment]!
  const start = policy.offsets[task.environment]!
  let probability = contractProbability(world, policy, task.environment)
  for (const local of task.chain) probability *= policy.table[start + local * tools.length + correct[local]!]!
  return probability
}

export interface Score {
  /** mean over tasks */
  mean: number
  /** by environment; NaN never appears: an environment without held-out tasks is null */
  environments: (number | null)[]
  /** mean of the worst tenth of environments (at least one) */
  worstTenth: number
}

/** Exact score on the held-out tasks. @throws RangeError when the world holds out none. */
export function evaluate(world: World, policy: Policy): Score {
  if (world.heldOut.length === 0) throw new RangeError(`world ${world.name} has no held-out tasks`)
  const sum = new Float64Array(world.environments.length)
  const count = new Int32Array(world.environments.length)
  let total = 0
  for (const task of world.heldOut) {
    const probability = successProbability(world, policy, task)
    total += probability
    sum[task.environment] = sum[task.environment]! + probability
    count[task.environment] = count[task.environment]! + 1
  }
  const environments = Array.from(sum, (value, index) => (count[index] === 0 ? null : value / count[index]!))
  const sorted = environments.filter((value) => value !== null).sort((a, b) => a - b)
  const worst = sorted.slice(0, Math.max(1, Math.floor(sorted.length / 10)))
  return {
    mean: total / world.heldOut.length,
    environments,
    worstTenth: worst.reduce((a, b) => a + b, 0) / worst.length,
  }
}
