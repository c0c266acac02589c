import { expect, it } from 'vitest'
import { startEngineWorker } from '@/lib/service/engine-start'

it('fails what waits for an engine that is stopped, so that nobody waits for ever', async () => {
  const host = startEngineWorker()
  const calls = [host.seqOf('run'), host.seqOf('other run')]
  const settled = Promise.allSettled(calls)
  await host.stop()
  expect(await settled).toEqual(calls.map(() => ({ status: 'rejected', reason: new Error('the engine was stopped') })))
  await host.stop()
})
