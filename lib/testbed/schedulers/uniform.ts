/**
 * Uniform choice in shuffled epochs: what a trainer does without a scheduler.
 * Owns: nothing but the epoch. Learns nothing.
 */
import type { Scheduler, SchedulerInput } from '@/lib/testbed/scheduler'
import { ShuffledEpochs } from '@/lib/testbed/schedulers/rank'

export function uniform(input: SchedulerInput): Scheduler {
  const epochs = new ShuffledEpochs(input.environmentOf.length, input.random)
  return {
    next: (_step, count, open) => epochs.take(count, open),
    observe: () => undefined,
  }
}
