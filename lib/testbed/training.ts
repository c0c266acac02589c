/**
 * One training: a scheduler chooses, the policy rolls out, GRPO moves it, the score is taken exactly.
 * Owns: the loop and its budget. Must never know: which scheduler it is driving, files, clocks.
 * Invariant: every step costs at most batchSize * groupSize rollouts; the same arguments give the same result.
 * Two-stage groups [first, rest]: roll `first`, stop where all trusted rewards are equal, else top up, until the budget is spent.
 */
import { type Group, isInformative } from '@/lib/testbed/group'
import { grpoStep } from '@/lib/testbed/grpo'
import { makePolicy, type Policy } from '@/lib/testbed/policy'
import { mixSeed, type Random, seededRandom } from '@/lib/testbed/random'
import { rollMany } from '@/lib/testbed/rollout'
import { type MakeScheduler, type Scheduler, schedulerInput } from '@/lib/testbed/scheduler'
import { evaluate, type Score } from '@/lib/testbed/success'
import { taskSetOf } from '@/lib/testbed/task-set'
import type { World } from '@/lib/testbed/world'

/** held-out score of an environment that counts as solved */
const SOLVED = 0.8

export interface TrainingOptions {
  steps: number
  seed: number
  policySeed: number
  /** null: groups of the world's size at once */
  stages: readonly [number, number] | null
  /** keep only informative groups and step when a batch of them is full (zero-variance filtering at equal rollouts) */
  filtered: boolean
  learningRate?: number
  /** rollouts of a group that tell whether it was informative; as many as are rolled first unless said */
  informativeSize?: number
}

export interface TrainingResult {
  /** exact held-out score before training and after each step: steps + 1 entries */
  curve: number[]
  /** mean share of groups whose first `informativeSize` rollouts differ */
  informativeShare: number
  informativeSize: number
  worstTenth: number
  /** of environments that once scored SOLVED or more, the lowest share of its peak that one has at the end; null = none was */
  lowestOnceSolved: number | null
  tasksSeen: number
  /** rollouts spent over all steps */
  rollouts: number
  /** seconds of all rollouts so far, with the curve: steps + 1 entries */
  seconds: number[]
  /** picks by environment */
  picks: number[]
}

function oneStage(world: World, policy: Policy, scheduler: Scheduler, step: number, random: Random): Group[] {
  const { batchSize, groupSize } = world.training
  return scheduler
    .next(step, batchSize)
    .map((task) => ({ task, rollouts: rollMany(world, policy, task, scheduler.sizeOf?.(task) ?? groupSize, random) }))
}

function twoStages(
  world: World,
  policy: Policy,
  scheduler: Scheduler,
  step: number,
  random: Random,
  [first, rest]: readonly [number, number],
): Group[] {
  let left = world.training.batchSize * world.training.groupSize
  const groups: Group[] = []
  for (const task of scheduler.next(step, Math.ceil(left / first))) {
    if (left < first) break
    const group: Group = { task, rollouts: rollMany(world, policy, task, first, random) }
    left -= first
    if (isInformative(group, first)) {
      const more = Math.min(left, rest)
      group.rollouts.push(...rollMany(world, policy, task, more, random))
      left -= more
    }
    groups.push(group)
  }
  return groups
}

function lowestOnceSolved(peaks: readonly number[], last: Score): number | null {
  const kept = peaks.flatMap((peak, e) => (peak < SOLVED ? [] : [(last.environments[e] ?? 0) / peak]))
  return kept.length === 0 ? null : Math.min(...kept)
}

const secondsOf = ({ rollouts }: Group) => rollouts.reduce((sum, rollout) => sum + rollout.seconds, 0)

/** Trains in `world` (left unchanged). Cost: about batchSize * groupSize * chain length draws a step, plus the scheduler. */
export function train(world: World, make: MakeScheduler, options: TrainingOptions): TrainingResult {
  const { batchSize, groupSize } = world.training
  const random = seededRandom(options.seed)
  const policy = makePolicy(world, options.policySeed)
  const own = seededRandom(mixSeed(options.seed, 1))
  const scheduler = make(schedulerInput(taskSetOf(world), world.training, own, options.seed), { world, policy })
  const rate = options.learningRate ?? world.training.learningRate
  const informativeSize = options.informativeSize ?? options.stages?.[0] ?? groupSize
  const seen = new Set<number>()
  const picks = new Array<number>(world.environments.length).fill(0)
  const start = evaluate(world, policy)
  const curve = [start.mean]
  const peaks = start.environments.map((score) => score ?? 0)
  let last = start
  let pool: Group[] = []
  let share = 0
  let rollouts = 0
  const seconds = [0]
  for (let step = 0; step < options.steps; step++) {
    const groups =
      options.stages === null
        ? oneStage(world, policy, scheduler, step, random)
        : twoStages(world, policy, scheduler, step, random, options.stages)
    let informative = 0
    for (const group of groups) {
      const environment = world.tasks[group.task]!.environment
      seen.add(group.task)
      picks[environment] = picks[environment]! + 1
      rollouts += group.rollouts.length
      if (isInformative(group, informativeSize)) informative++
    }
    seconds.push(seconds[step]! + groups.reduce((sum, group) => sum + secondsOf(group), 0))
    share += informative / Math.max(1, groups.length)
    scheduler.observe(step, groups)
    if (options.filtered) {
      pool.push(...groups.filter((group) => isInformative(group, group.rollouts.length)))
      if (pool.length >= batchSize) {
        grpoStep(world, policy, pool.slice(0, batchSize), rate, batchSize)
        pool = []
      }
    } else grpoStep(world, policy, groups, rate, batchSize)
    last = evaluate(world, policy)
    curve.push(last.mean)
    for (const [e, score] of last.environments.entries()) peaks[e] = Math.max(peaks[e]!, score ?? 0)
  }
  return {
    curve,
    informativeShare: options.steps > 0 ? share / options.steps : 0,
    informativeSize,
    worstTenth: last.worstTenth,
    lowestOnceSolved: lowestOnceSolved(peaks, last),
    tasksSeen: seen.size,
    rollouts,
    seconds,
    picks,
  }
}
