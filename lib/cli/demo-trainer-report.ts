/**
 * From a testbed rollout to the body of a report, and when it would have come back.
 * Owns: ids, fields, messages and reward components, the spread of arrivals over the pace.
 * Invariant: the id follows from the lease and the position, so a repeated report is recognised.
 */
import { z } from 'zod'
import { checkResults } from '@/lib/testbed/check-results'
import type { Rollout } from '@/lib/testbed/rollout'
import type { TaskSet } from '@/lib/testbed/task-set'
import { transcriptOf } from '@/lib/testbed/transcript'
import type { World } from '@/lib/testbed/world'

/** A pick as the server gives it. */
export const pickAnswer = z.object({
  lease: z.string(),
  environment: z.string(),
  task: z.string(),
  groupSize: z.number().int(),
})
export type PickAnswer = z.infer<typeof pickAnswer>

export interface Pick {
  /** null: chosen by the trainer itself while the server was away */
  lease: string | null
  /** index into the world's tasks */
  task: number
  groupSize: number
}

export interface Arrival {
  /** 0 to 1, share of the pace after which it is back */
  at: number
  report: object
}

export function reportOf(
  world: World,
  taskSet: TaskSet,
  pick: Pick,
  policyVersion: number,
  position: number,
  rollout: Rollout,
): object {
  const task = taskSet.tasks[pick.task]
  if (task === undefined) throw new RangeError(`there is no task ${pick.task}`)
  const messages = transcriptOf(world, pick.task, rollout)
  const rewardComponents = checkResults(world, pick.task, rollout)
  return {
    id: `${pick.lease ?? `own-${policyVersion}-${task.environment}-${task.key}`}-${position}`,
    ...(pick.lease === null ? {} : { lease: pick.lease }),
    environment: task.environment,
    task: task.key,
    policyVersion,
    reward: rollout.reward,
    status: rollout.status,
    turns: messages.filter(({ role }) => role === 'assistant').length,
    tokens: rollout.tokens,
    seconds: Math.round(rollout.seconds * 100) / 100,
    tools: rollout.tools,
    error: rollout.error,
    messages,
    ...(rewardComponents.length === 0 ? {} : { rewardComponents }),
  }
}

const BY_RANK = 0.8

/** Mostly evenly through the pace in the order of their seconds, so that slow environments trickle in last; the slowest is back at 1. */
export function arrivals(reports: readonly { report: object; seconds: number }[]): Arrival[] {
  const order = [...reports].sort((a, b) => a.seconds - b.seconds)
  const slowest = Math.max(1e-9, order.at(-1)?.seconds ?? 0)
  return order.map(({ report, seconds }, rank) => ({
    at: (BY_RANK * (rank + 1)) / order.length + (1 - BY_RANK) * Math.cbrt(seconds / slowest),
    report,
  }))
}
