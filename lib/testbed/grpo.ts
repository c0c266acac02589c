/**
 * One GRPO step: advantages normalised inside each group, then the policy gradient.
 * Owns: the update rule. Must never know: who chose the groups.
 * Rule: A_i = (r_i - mean) / (sd + 1e-6) with the population sd; every logit moves by
 * rate / groups expected * sum over groups of mean_i A_i * (1{called} - probability). Groups without variance move nothing.
 */
import type { Group } from '@/lib/testbed/group'
import { type Policy, refreshPolicy, sigmoid } from '@/lib/testbed/policy'
import type { World } from '@/lib/testbed/world'

interface Gradient {
  shared: Float64Array
  own: Float64Array
  contract: Float64Array
}

/** Advantages of the trusted rollouts (null for the others), or null when all trusted rewards are equal. */
export function advantages(group: Group): (number | null)[] | null {
  let count = 0
  let sum = 0
  for (const { reward } of group.rollouts) {
    if (reward === null) continue
    count++
    sum += reward
  }
  if (count < 2) return null
  const mean = sum / count
  let squares = 0
  for (const { reward } of group.rollouts) if (reward !== null) squares += (reward - mean) ** 2
  const deviation = Math.sqrt(squares / count)
  if (!(deviation > 1e-9)) return null
  return group.rollouts.map(({ reward }) => (reward === null ? null : (reward - mean) / (deviation + 1e-6)))
}

function addGroup(world: World, policy: Policy, group: Group, weights: (number | null)[], gradient: Gradient): void {
  const task = world.tasks[group.task]!
  const { tools, goals } = world.environments[task.environment]!
  const start = policy.offsets[task.environment]!
  const count = weights.filter((weight) => weight !== null).length
  for (const [i, rollout] of group.rollouts.entries()) {
    const weight = weights[i]!
    if (weight === null) continue
    const scaled = weight / count
    if (rollout.formatMet !== null) {
      const moved = ((rollout.formatMet === true ? 1 : 0) - sigmoid(policy.contract[task.environment]!)) * scaled
      gradient.contract[task.environment] = gradient.contract[task.environment]! + moved
    }
    for (const [k, called] of rollout.actions.entries()) {
      const local = task.chain[k]!
      const row = start + local * tools.length
      const goal = goals[local]! * world.acts.length
      for (let a = 0; a < tools.length; a++) {
        const moved = ((a === called ? 1 : 0) - policy.table[row + a]!) * scaled
        const shared = goal + tools[a]!.act
        gradient.shared[shared] = gradient.shared[shared]! + moved
        gradient.own[row + a] = gradient.own[row + a]! + moved
      }
    }
  }
}

/**
 * Moves the policy in place. `expectedGroups` > 0 divides the sum, so that a batch with fewer groups takes a smaller step.
 * Returns how many groups had variance. Rewards may be on any scale: advantages are normalised.
 */
export function grpoStep(
  world: World,
  policy: Policy,
  groups: readonly Group[],
  learningRate: number,
  expectedGroups: number,
): number {
  const gradient: Gradient = {
    shared: new Float64Array(policy.shared.length),
    own: new Float64Array(policy.own.length),
    contract: new Float64Array(policy.contract.length),
  }
  let used = 0
  for (const group of groups) {
    const weights = advantages(group)
    if (weights === null) continue
    used++
    addGroup(world, policy, group, weights, gradient)
  }
  const rate = learningRate / expectedGroups
  const move = (target: Float64Array, by: Float64Array) => {
    for (let i = 0; i < target.length; i++) target[i] = target[i]! + rate * by[i]!
  }
  move(policy.shared, gradient.shared)
  const keep = 1 - (world.interference?.share ?? 0)
  for (let i = 0; i < policy.own.length; i++) policy.own[i] = policy.own[i]! + rate * keep * gradient.own[i]!
  move(policy.contract, gradient.contract)
  if (policy.leak !== null) {
    const { hashed, cell, weight } = policy.leak
    for (let i = 0; i < cell.length; i++) hashed[cell[i]!] = hashed[cell[i]!]! + rate * weight[i]! * gradient.own[i]!
  }
  refreshPolicy(world, policy)
  return used
}
