/**
 * Gives a pick back: what came of it so far is absorbed, its lease ends, and its quota is free. Safe to repeat.
 */
import { leasesByNumber } from '@/lib/store/lease'
import { commitEntries, untilWritten } from './absorb'
import { endLeases, settleEnding } from './end-leases'
import { requireNumber } from './ids'
import type { Runtime } from './runtime'
import { notFound } from './service-error'

export async function releaseLease(
  runtime: Runtime,
  runId: string,
  id: string,
  now: number,
): Promise<{ lease: string; state: string }> {
  const number = requireNumber('lease', id)
  const state = await runtime.queue.run(runId, () =>
    untilWritten(runtime, runId, async (opened): Promise<string> => {
      const [lease] = await leasesByNumber(runtime.database.db, runId, [number])
      if (lease === undefined) throw notFound('lease', id)
      if (lease.state !== 'open') return lease.state
      const ending = await endLeases(runtime, opened, [number], 'released', now)
      return commitEntries(
        runtime,
        opened,
        ending,
        async () => ({ entries: [], value: 'released' }),
        (committing) => settleEnding(committing.tx, runId, ending, committing),
      )
    }),
  )
  return { lease: id, state }
}
