/** Makes one training of the bench and says how long it took. */
import { type ArmRecord, type BenchJob, runArm, runTarget, type TargetRecord } from '@/lib/testbed/training-job'

export type Outcome =
  | { kind: 'target'; record: TargetRecord; seconds: number }
  | { kind: 'arm'; record: ArmRecord; seconds: number }

export function timed(job: BenchJob): Outcome {
  const started = performance.now()
  const seconds = () => Math.round(performance.now() - started) / 1000
  if (job.kind === 'target') {
    const record = runTarget(job)
    return { kind: 'target', record, seconds: seconds() }
  }
  const record = runArm(job)
  return { kind: 'arm', record, seconds: seconds() }
}
