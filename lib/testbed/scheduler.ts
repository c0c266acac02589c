/**
 * What a scheduler is to the testbed: it names tasks and is told what came of them.
 * Owns: the interface, and what is given to make one. A scheduler sees the task set and rollouts, as a server would; only
 * the oracles take `Truth`. Invariant: `next` gives distinct task indices, `count` of them while there are tasks enough.
 */
import type { Group } from '@/lib/testbed/group'
import type { Policy } from '@/lib/testbed/policy'
import type { Random } from '@/lib/testbed/random'
import type { TaskSet } from '@/lib/testbed/task-set'
import type { World } from '@/lib/testbed/world'

export interface Scheduler {
  /**
   * Task indices for this step. With two-stage groups more are asked for than may be rolled. `open` (1 = on offer, by task) where
   * not every task can be had, as in a replay; fewer than `count` are given only where fewer are open.
   */
  next(step: number, count: number, open?: Uint8Array): number[]
  /** Rollouts that a task of this step gets in one stage, where they are not the world's group size. */
  sizeOf?(task: number): number
  /** The groups of this step; a task that `next` gave and that is not among them was given back. */
  observe(step: number, groups: readonly Group[]): void
}

export interface SchedulerInput {
  taskSet: TaskSet
  /** by task index */
  environmentOf: Int32Array
  /** declared reward range by environment index */
  ranges: readonly (readonly [number, number])[]
  environments: number
  batchSize: number
  groupSize: number
  random: Random
  seed: number
}

/** What no scheduler of a real run can have. */
export interface Truth {
  world: World
  policy: Policy
}

export type MakeScheduler = (input: SchedulerInput, truth: Truth) => Scheduler

/** Everything but the randomness follows from the task set. */
export function schedulerInput(
  taskSet: TaskSet,
  sizes: { batchSize: number; groupSize: number },
  random: Random,
  seed: number,
): SchedulerInput {
  const index = new Map(taskSet.environments.map((environment, i) => [environment.key, i]))
  return {
    taskSet,
    environmentOf: Int32Array.from(taskSet.tasks, (task) => index.get(task.environment) ?? -1),
    ranges: taskSet.environments.map((environment) => environment.rewardRange),
    environments: taskSet.environments.length,
    batchSize: sizes.batchSize,
    groupSize: sizes.groupSize,
    random,
    seed,
  }
}
