/**
 * The policy that is trained: a softmax over an environment's tools for each sub-goal.
 * Owns: logits = shared[goal, act of the tool] + own[environment, local goal, tool], plus sign * hashed[cell] in a world whose
 * environments interfere; the contract's logit of each environment, and the table of probabilities made from them.
 * Must never know: rewards, schedulers.
 * Shapes: shared goals x acts; own and table concatenate, by environment, local goals x tools (offsets[e] is where e begins).
 * Invariant: each row of the table sums to 1 after `refreshPolicy`.
 */
import { gaussian, integerBelow, mixSeed, seededRandom } from '@/lib/testbed/random'
import type { World } from '@/lib/testbed/world'

export interface Policy {
  shared: Float64Array
  own: Float64Array
  /** by environment; only read where the environment has a contract */
  contract: Float64Array
  /** null where environments do not interfere */
  leak: Leak | null
  table: Float64Array
  offsets: Int32Array
}

/** The shared table of an interfering world, and which of its cells each entry of `own` reads, times what. */
export interface Leak {
  hashed: Float64Array
  cell: Int32Array
  weight: Float64Array
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x))
}

function offsetsOf(world: World): Int32Array {
  const offsets = new Int32Array(world.environments.length + 1)
  for (const [index, environment] of world.environments.entries())
    offsets[index + 1] = offsets[index]! + environment.goals.length * environment.tools.length
  return offsets
}

/** The table starts empty; who shares a cell with whom belongs to the world, not to the policy. */
function makeLeak(world: World, size: number): Leak | null {
  if (world.interference === null) return null
  const { cells, share } = world.interference
  const strength = Math.sqrt(share)
  const random = seededRandom(mixSeed(world.seed, 12))
  const cell = Int32Array.from({ length: size }, () => integerBelow(random, cells))
  const weight = Float64Array.from({ length: size }, () => (random() < 0.5 ? -strength : strength))
  return { hashed: new Float64Array(cells), cell, weight }
}

/** A partly skilled policy: it has tendencies towards each goal's natural act, and towards the correct tools of each environment. */
export function makePolicy(world: World, seed: number): Policy {
  const random = seededRandom(seed)
  const offsets = offsetsOf(world)
  const acts = world.acts.length
  const size = offsets[world.environments.length]!
  const policy: Policy = {
    shared: new Float64Array(world.goals.length * acts),
    own: new Float64Array(size),
    contract: Float64Array.from(world.environments, (environment) => environment.contract ?? 0),
    leak: makeLeak(world, size),
    table: new Float64Array(size),
    offsets,
  }
  for (const [goal, { act }] of world.goals.entries())
    policy.shared[goal * acts + act] = world.start.mean + world.start.deviation * gaussian(random)
  for (const [index, environment] of world.environments.entries()) {
    const drawn = world.start.environmentDeviation * gaussian(random)
    const skill = environment.skill ?? drawn
    for (const [local, tool] of environment.correct.entries())
      policy.own[offsets[index]! + local * environment.tools.length + tool] = skill + 0.5 * gaussian(random)
  }
  refreshPolicy(world, policy)
  return policy
}

/** Puts kept weights into a policy of the same world, one without interference. Throws RangeError where the sizes differ. */
export function restorePolicy(
  world: World,
  policy: Policy,
  kept: { shared: ArrayLike<number>; own: ArrayLike<number>; contract: ArrayLike<number> },
): void {
  for (const name of ['shared', 'own', 'contract'] as const) {
    const { length } = policy[name]
    if (kept[name].length !== length) throw new RangeError(`${name} has ${kept[name].length} weights, not ${length}`)
    policy[name].set(kept[name])
  }
  refreshPolicy(world, policy)
}

/** Softmax of one row, stable for any finite logits. `goal` is the world's goal of the row. */
export function refreshRow(world: World, policy: Policy, index: number, local: number): void {
  const environment = world.environments[index]!
  const tools = environment.tools
  const start = policy.offsets[index]! + local * tools.length
  const goal = environment.goals[local]! * world.acts.length
  let largest = Number.NEGATIVE_INFINITY
  const { leak } = policy
  for (let a = 0; a < tools.length; a++) {
    let logit = policy.shared[goal + tools[a]!.act]! + policy.own[start + a]!
    if (leak !== null) logit += leak.weight[start + a]! * leak.hashed[leak.cell[start + a]!]!
    policy.table[start + a] = logit
    if (logit > largest) largest = logit
  }
  let sum = 0
  for (let a = 0; a < tools.length; a++) {
    const weight = Math.exp(policy.table[start + a]! - largest)
    policy.table[start + a] = weight
    sum += weight
  }
  for (let a = 0; a < tools.length; a++) policy.table[start + a] = policy.table[start + a]! / sum
}

/** Makes the table anew from the logits. Cost: one exp a table entry. */
export function refreshPolicy(world: World, policy: Policy): void {
  for (const [index, environment] of world.environments.entries())
    for (let local = 0; local < environment.goals.length; local++) refreshRow(world, policy, index, local)
}

/** Probability of meeting the environment's answer format; 1 where it has none. */
export function contractProbability(world: World, policy: Policy, index: number): number {
  return world.environments[index]!.contract === null ? 1 : sigmoid(policy.contract[index]!)
}
