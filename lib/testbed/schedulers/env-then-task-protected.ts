/**
 * The environment-then-task average on v (1 - m) with a quarter of uniform slots: the strongest simple rival on the language model.
 * Owns: its settings; the average itself is env-then-task.ts.
 * Tuned as the average was, with coverage of .005 and .01 too: from 51 to 59 times 1,000.
 */
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { ENV_THEN_TASK, envThenTask } from '@/lib/testbed/schedulers/env-then-task'

export const ENV_THEN_TASK_PROTECTED = { ...ENV_THEN_TASK, headroom: true, uniformShare: 0.25 }

export const ENV_THEN_TASK_PROTECTED_TUNED = {
  ...ENV_THEN_TASK_PROTECTED,
  priorEnvironment: 2,
  priorTask: 0.75,
  decayTask: 0.8,
  cap: 3,
}

export function envThenTaskProtected(input: SchedulerInput, options = ENV_THEN_TASK_PROTECTED): Scheduler {
  return envThenTask(input, options)
}
