/**
 * A process that does what its parent asks of the services, one call a message, until it is killed.
 * usage: fork with tsx, DATABASE_URL and ENVSCHED_SNAPSHOT_EVERY in the environment. It says "ready" first.
 */
import type { BatchRequestInput } from '@/lib/contract/batch'
import { applyDraft } from '@/lib/service/apply-overrides'
import { releaseLease } from '@/lib/service/release-lease'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { OPERATOR, openTestRuntime } from '@/tests/support/toy-run'

export type CrashCall = { run: string; now: number } & (
  | { kind: 'batch'; request: BatchRequestInput }
  | { kind: 'report'; rollouts: object[] }
  | { kind: 'release'; lease: string }
  | { kind: 'apply'; changes: object[] }
)

const runtime = await openTestRuntime(process.env.DATABASE_URL ?? '', {
  ENVSCHED_SNAPSHOT_EVERY: process.env.ENVSCHED_SNAPSHOT_EVERY ?? '1000',
})

async function answerTo(call: CrashCall): Promise<unknown> {
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

process.on('message', (call: CrashCall) => {
  answerTo(call).then(
    (value) => process.send?.({ value }),
    (cause: unknown) => process.send?.({ fault: String(cause) }),
  )
})
process.send?.('ready')
