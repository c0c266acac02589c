import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteRun } from '@/lib/service/delete-run'
import { readDiskUse } from '@/lib/service/disk-use'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { readChanges, readRun, readRuns } from '@/lib/service/runs'
import { readTaskSets } from '@/lib/service/task-sets'
import { listAudit } from '@/lib/store/audit'
import { highestOf, MEASURED_TABLES } from '@/lib/store/run-tables'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`deleting a run on ${provider}`, () => {
    let database: TestDatabase
    let runtime: Awaited<ReturnType<typeof openTestRuntime>>
    beforeEach(async () => {
      database = await createTestDatabase(provider)
      runtime = await openTestRuntime(database.url)
    })
    afterEach(async () => {
      await runtime.end()
      await database.drop()
    })
    if (provider === 'postgresql') afterAll(stopPostgresql)

    test('it goes with all of its rows; its task set, other runs and the word of who did it stay', async () => {
      const [run, other] = [await startToyRun(runtime, { key: 'a' }), await startToyRun(runtime, { key: 'b' })]
      await train(runtime, run, 0, 3)
      await train(runtime, other, 0, 1)
      await readDiskUse(runtime, run, START)
      const { db } = runtime.database
      const before = await Promise.all(MEASURED_TABLES.map((table) => highestOf(db, other, table)))
      await expect(deleteRun(runtime, run, 'toy', OPERATOR, START)).rejects.toMatchObject({
        status: 409,
        code: 'name_differs',
      })
      const gone = await deleteRun(runtime, run, 'toy run', OPERATOR, START)
      expect(gone).toMatchObject({ id: run, name: 'toy run', rollouts: 96, batches: 3, taskSet: { name: 'toy' } })
      for (const table of MEASURED_TABLES) expect(await highestOf(db, run, table), table).toBe(0)
      expect(await db.client.trajectory.count({ where: { runId: run } })).toBe(0)
      expect(await Promise.all(MEASURED_TABLES.map((table) => highestOf(db, other, table)))).toEqual(before)
      expect((await readRuns(runtime, { limit: 10, format: 'json' }, START)).items.map(({ id }) => id)).toEqual([other])
      expect((await readTaskSets(runtime, 10, undefined)).total).toBe(1)
      const [event] = (await listAudit(db, { limit: 1 })).items
      expect(event).toMatchObject({ action: 'run.delete', actor: 'mira', runId: null })
      expect(JSON.parse(event?.detail ?? '{}')).toMatchObject({ run, name: 'toy run', rollouts: 96 })
    })

    test('whoever still asks for it reads who deleted it and when; an id that never was does not', async () => {
      const run = await startToyRun(runtime)
      const batch = await ask(runtime, run, 0)
      await deleteRun(runtime, run, null, OPERATOR, START)
      const told = {
        status: 410,
        code: 'run_deleted',
        message: 'The run "toy run" was deleted by mira on 2026-11-29 00:00 UTC.',
      }
      await expect(readRun(runtime, run, START)).rejects.toMatchObject(told)
      await expect(readChanges(runtime, run, 0, START)).rejects.toMatchObject(told)
      await expect(ask(runtime, run, 1)).rejects.toMatchObject(told)
      const rollout = { id: 'late', lease: batch.picks[0]?.lease, policyVersion: 0, reward: 1 }
      await expect(reportRollouts(runtime, run, [rollout], START)).rejects.toMatchObject(told)
      await expect(deleteRun(runtime, run, null, OPERATOR, START)).rejects.toMatchObject(told)
      for (const id of ['never', '%', '_'])
        await expect(readRun(runtime, id, START)).rejects.toMatchObject({ status: 404, code: 'not_found' })
    })

    test('a trainer that starts again with the key of a deleted run gets a new one', async () => {
      const run = await startToyRun(runtime, { key: 'k' })
      await train(runtime, run, 0, 1)
      await deleteRun(runtime, run, null, OPERATOR, START)
      const again = await startToyRun(runtime, { key: 'k' })
      expect(again).not.toBe(run)
      expect((await readRun(runtime, again, START)).rollouts).toBe(0)
      await train(runtime, again, 0, 1)
      expect((await readRun(runtime, again, START)).rollouts).toBe(32)
    })
  })
}
