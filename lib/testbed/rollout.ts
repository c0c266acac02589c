/**
 * One trajectory of the policy on one task, with what a trainer would report of it.
 * Owns: sampling of calls, reward, verifier noise, failures, cost. Must never know: why the task was chosen.
 * Invariants: `reward` is null exactly when the status is an error; else it lies in the environment's range.
 * Units: seconds of the trainer's clock, tokens, calls.
 */
import { contractProbability, type Policy } from '@/lib/testbed/policy'
import type { Random } from '@/lib/testbed/random'
import { callName, type World, type WorldEnvironment, type WorldTask } from '@/lib/testbed/world'

export type RolloutStatus = 'ok' | 'truncated' | 'infra_error' | 'verifier_error'

export interface Rollout {
  status: RolloutStatus
  /** raw scale of the environment's range, null without a trusted reward */
  reward: number | null
  /** tool indices, one a chain position until the first wrong one: what the gradient is taken of */
  actions: number[]
  /** whether the answer format was met; null where the environment has no contract */
  formatMet: boolean | null
  /** tool names in the order called, repeats of a fumbling agent included */
  tools: string[]
  turns: number
  tokens: number
  seconds: number
  error: string | null
}

function chooseTool(policy: Policy, start: number, count: number, random: Random): number {
  let left = random()
  let tool = 0
  while (tool < count - 1) {
    left -= policy.table[start + tool]!
    if (left <= 0) break
    tool++
  }
  return tool
}

interface Trace {
  actions: number[]
  solved: boolean
}

function walk(policy: Policy, environment: WorldEnvironment, task: WorldTask, random: Random): Trace {
  const count = environment.tools.length
  const start = policy.offsets[task.environment]!
  const actions: number[] = []
  for (const local of task.chain) {
    const tool = chooseTool(policy, start + local * count, count, random)
    actions.push(tool)
    if (tool !== environment.correct[local]) return { actions, solved: false }
  }
  return { actions, solved: true }
}

function failure(environment: WorldEnvironment, random: Random): { status: RolloutStatus; error: string } | null {
  const draw = random()
  if (draw < environment.infraError) return { status: 'infra_error', error: 'sandbox: connection reset by peer' }
  if (draw < environment.infraError + environment.verifierError)
    return { status: 'verifier_error', error: 'verifier: expected state is missing, nothing to compare' }
  return null
}

/** Samples one rollout. Cost: one draw a call and a few more. */
export function rollOut(world: World, policy: Policy, task: WorldTask, random: Random): Rollout {
  const environment = world.environments[task.environment]!
  const formatMet =
    environment.contract === null ? null : random() < contractProbability(world, policy, task.environment)
  const { actions, solved } = walk(policy, environment, task, random)
  const done = solved ? actions.length : actions.length - 1
  const failed = failure(environment, random)
  const cutOff = !solved && random() < environment.fumble
  let share = environment.graded ? done / task.chain.length : solved ? 1 : 0
  if (task.broken || formatMet === false) share = 0
  if (random() < environment.flip) share = 1 - share
  const [low, high] = environment.rewardRange
  const tools = actions.map((tool, k) => callName(environment, task.chain[k]!, tool))
  while (cutOff && tools.length < environment.horizon) tools.push(tools[tools.length - 1]!)
  const pace = 0.6 + 0.8 * random()
  return {
    status: failed?.status ?? (cutOff ? 'truncated' : 'ok'),
    reward: failed === null ? low + share * (high - low) : null,
    actions,
    formatMet,
    tools,
    turns: tools.length,
    tokens: Math.round(tools.length * (90 + 120 * random()) + 40),
    seconds: environment.secondsPerCall * tools.length * pace,
    error: failed?.error ?? (formatMet === false ? 'format: the answer is not wrapped in <final> tags' : null),
  }
}

/** `count` rollouts of the task at `index` of the world's tasks. */
export function rollMany(world: World, policy: Policy, index: number, count: number, random: Random): Rollout[] {
  return Array.from({ length: count }, () => rollOut(world, policy, world.tasks[index]!, random))
}
