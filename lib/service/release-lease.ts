/**
 * Gives a pick back: its lease ends, its quota is free, and what came of it so far is absorbed with the next batch.
 * Safe to repeat.
 */
import type { LeaseEndEntry } from '@/lib/engine/log-entry'
import { groupsByLease, upsertGroups } from '@/lib/store/group'
import { leasesByNumber, setLeaseState } from '@/lib/store/lease'
import { commitEntries, untilWritten } from './absorb'
import { complete } from './group-book'
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
    untilWritten(runtime, runId, async (opened) => {
      const lease = (await leasesByNumber(runtime.database.db, runId, [number]))[0]
      if (lease === undefined) throw notFound('lease', id)
      if (lease.state !== 'open') return lease.state
      const entry: LeaseEndEntry = { kind: 'lease_end', at: now, lease: number, reason: 'released' }
      return commitEntries(
        runtime,
        opened,
        [entry],
        async () => ({ entries: [], value: 'released' as string }),
        async (tx) => {
          const groups = (await groupsByLease(tx, runId, [number])).filter((group) => group.state === 'open')
          for (const group of groups) {
            complete(group, opened.run.rolloutCount, now)
            if (group.returned === 0) group.state = 'absorbed'
          }
          await upsertGroups(tx, runId, groups)
          await setLeaseState(tx, runId, [number], 'released')
        },
      )
    }),
  )
  return { lease: id, state }
}
