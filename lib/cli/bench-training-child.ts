/**
 * The process that makes trainings for `bench:training`: takes a job, answers with its record, the seconds it took or its message.
 */
import type { BenchJob } from '@/lib/testbed/training-job'
import { timed } from './bench-training-timed'

process.on('message', ({ index, job }: { index: number; job: BenchJob }) => {
  try {
    process.send?.({ index, outcome: timed(job) })
  } catch (cause) {
    process.send?.({ index, error: cause instanceof Error ? cause.message : String(cause) })
  }
})
