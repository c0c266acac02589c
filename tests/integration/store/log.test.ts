/**
 * The run's log: compare and set, order, exact payloads, superseding; and that the run's lock serialises.
 */
import { describe, expect, it } from 'vitest'
import { batchesBetween, insertBatch } from '@/lib/store/batch'
import { appendEntries, readEntries, recentEntries } from '@/lib/store/log'
import { findRun, updateRun } from '@/lib/store/run'
import { lockRun } from '@/lib/store/run-lock'
import { isAvailable, useDatabase } from '@/tests/support/database'
import { NOW, seedRun } from '@/tests/support/store-rows'

const policy = (policyVersion: number) => ({ kind: 'policy', at: NOW + policyVersion, policyVersion })

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`log on ${provider}`, () => {
    const database = useDatabase(provider)

    it('numbers entries from 1 and reads them back in order, floats to the bit', async () => {
      const run = await seedRun(database())
      const group = { kind: 'group', at: NOW, sum: 0.1 + 0.2, sumSquares: 1e-320, low: 0, lease: null, note: '' }
      const entries = [policy(0), group, policy(2)]
      const seq = await database().transaction((tx) => appendEntries(tx, run.id, 0, 1, entries))
      expect(seq).toBe(3)
      const read = await readEntries(database().db, run.id, 0)
      expect(read.map((row) => row.payload)).toEqual(entries)
      expect(read.map((row) => [row.seq, row.epoch, row.kind])).toEqual([
        [1, 1, 'policy'],
        [2, 1, 'group'],
        [3, 1, 'policy'],
      ])
      expect((await readEntries(database().db, run.id, 1, 2)).map((row) => row.seq)).toEqual([2])
      expect((await recentEntries(database().db, run.id, 1, 1)).map((row) => row.seq)).toEqual([3])
    })

    it('writes nothing when the log has moved', async () => {
      const run = await seedRun(database())
      await database().transaction((tx) => appendEntries(tx, run.id, 0, 1, [policy(0)]))
      expect(await database().transaction((tx) => appendEntries(tx, run.id, 0, 1, [policy(1)]))).toBeNull()
      expect(await database().transaction((tx) => appendEntries(tx, run.id, 2, 1, []))).toBeNull()
      expect(await database().transaction((tx) => appendEntries(tx, run.id, 1, 1, []))).toBe(1)
      expect(await readEntries(database().db, run.id, 0)).toHaveLength(1)
    })

    it('lets exactly one of two writers win', async () => {
      const run = await seedRun(database())
      for (let seq = 0; seq < 10; seq++) {
        const write = () => database().transaction((tx) => appendEntries(tx, run.id, seq, 1, [policy(seq)]))
        const results = await Promise.all([write(), write(), write()])
        expect(results.filter((result) => result === seq + 1)).toHaveLength(1)
        expect(results.filter((result) => result === null)).toHaveLength(2)
      }
      expect((await readEntries(database().db, run.id, 0)).map((row) => row.seq)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      ])
    })

    it('serialises writers that take the lock', async () => {
      const run = await seedRun(database())
      const increment = () =>
        database().transaction(async (tx) => {
          const now = await lockRun(tx, run.id)
          await new Promise((resolve) => setTimeout(resolve, 2))
          await updateRun(tx, run.id, { batchCount: (now?.batchCount ?? 0) + 1 })
        })
      await Promise.all(Array.from({ length: 20 }, increment))
      expect((await findRun(database().db, run.id))?.batchCount).toBe(20)
      expect(await database().transaction((tx) => lockRun(tx, 'nobody'))).toBeNull()
    })

    it('leaves superseded entries out of the fold, and keeps them', async () => {
      const run = await seedRun(database())
      await database().transaction(async (tx) => {
        await appendEntries(tx, run.id, 0, 1, [policy(0), policy(1), policy(2)])
        const plain = { epoch: 1, at: NOW, policyVersion: 0, size: 1, groupSize: 8, record: {} }
        await insertBatch(tx, run.id, { ...plain, index: 1, requestId: 'a', seq: 1 }, [])
        await insertBatch(tx, run.id, { ...plain, index: 2, requestId: 'b', seq: 2 }, [])
        const later = { where: { runId: run.id, seq: { gt: 1 } }, data: { superseded: true } }
        await tx.client.logEntry.updateMany(later)
        await tx.client.batch.updateMany(later)
        await appendEntries(tx, run.id, 3, 2, [policy(9)])
        // the same request id is free again in the next epoch
        await insertBatch(tx, run.id, { ...plain, epoch: 2, index: 3, requestId: 'b', seq: 4 }, [])
      })
      expect((await readEntries(database().db, run.id, 0)).map((row) => row.seq)).toEqual([1, 4])
      expect((await recentEntries(database().db, run.id, 0, 10)).map((row) => row.superseded)).toEqual([
        false,
        true,
        true,
        false,
      ])
      const batches = await batchesBetween(database().db, run.id, 1, 3)
      expect(batches.map((batch) => [batch.index, batch.superseded])).toEqual([
        [1, false],
        [2, true],
        [3, false],
      ])
    })
  })
}
