/**
 * A process that does what its parent asks of the services, one call a message, until it is killed.
 * usage: fork with tsx, DATABASE_URL and ENVSCHED_SNAPSHOT_EVERY in the environment. It says "ready" first.
 */
import { answerTo, type ServiceCall } from '@/tests/support/service-call'
import { openTestRuntime } from '@/tests/support/toy-run'

const runtime = await openTestRuntime(process.env.DATABASE_URL ?? '', {
  ENVSCHED_SNAPSHOT_EVERY: process.env.ENVSCHED_SNAPSHOT_EVERY ?? '1000',
})

process.on('message', (call: ServiceCall) => {
  answerTo(runtime, call).then(
    (value) => process.send?.({ value }),
    (cause: unknown) => process.send?.({ fault: String(cause) }),
  )
})
process.send?.('ready')
