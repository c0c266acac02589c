/**
 * Gives a pick back: what came of it so far is absorbed, its lease ends, and its quota is free. Safe to repeat.
 */
import { groupsByLease } from '@/lib/store/group'
import { leasesByNumber, setLeaseState } from '@/lib/store/lease'
import { addGroups, commitEntries, type Due, settleDue, untilWritten } from './absorb'
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
    untilWritten(runtime, runId, async (opened): Promise<string> => {
      const { db } = runtime.database
      const [lease] = await leasesByNumber(db, runId, [number])
      if (lease === undefined) throw notFound('lease', id)
      if (lease.state !== 'open') return lease.state
      const groups = (await groupsByLease(db, runId, [number])).filter((group) => group.state === 'open')
      const due: Due = { entries: [], groups, placeOf: [], expired: [], closes: groups.length > 0 }
      for (const group of groups) complete(group, opened.run.rolloutCount, now)
      await addGroups(runtime, opened, due, now)
      due.entries.push({ kind: 'lease_end', at: now, lease: number, reason: 'released' })
      return commitEntries(
        runtime,
        opened,
        due,
        async () => ({ entries: [], value: 'released' }),
        async ({ tx, seq, predictions }) => {
          await settleDue(tx, runId, due, seq, predictions)
          await setLeaseState(tx, runId, [number], 'released')
        },
      )
    }),
  )
  return { lease: id, state }
}
