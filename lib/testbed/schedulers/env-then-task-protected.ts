/**
 * The environment-then-task average on v (1 - m) with a quarter of uniform slots: the strongest simple rival.
 * Owns: its two settings; the average itself is env-then-task.ts.
 */
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { envThenTask } from '@/lib/testbed/schedulers/env-then-task'

export function envThenTaskProtected(input: SchedulerInput): Scheduler {
  return envThenTask(input, { headroom: true, uniformShare: 0.25 })
}
