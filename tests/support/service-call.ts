/**
 * What a trainer and a person ask of the services, as plain data, so that it can be asked of another process.
 */
import type { BatchRequestInput } from '@/lib/contract/batch'
import { applyDraft } from '@/lib/service/apply-overrides'
import { releaseLease } from '@/lib/service/release-lease'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import type { Runtime } from '@/lib/service/runtime'
import { OPERATOR } from '@/tests/support/toy-run'

export type ServiceCall = { run: string; now: number } & (
  | { kind: 'batch'; request: BatchRequestInput }
  | { kind: 'report'; rollouts: object[] }
  | { kind: 'release'; lease: string }
  | { kind: 'apply'; changes: object[] }
)

export async function answerTo(runtime: Runtime, call: ServiceCall): Promise<unknown> {
  const { run, now } = call
  switch (call.kind) {
    case 'batch':
      return requestBatch(runtime, run, call.request, now)
    case 'report':
      return reportRollouts(runtime, run, call.rollouts, now)
    case 'release':
      return releaseLease(runtime, run, call.lease, now)
    case 'apply':
      return applyDraft(runtime, run, { changes: call.changes, cursor: 0, anyway: true }, OPERATOR, now)
  }
}
