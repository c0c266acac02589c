import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { KeepRule } from '@/lib/contract/keep'
import { readDiskUse } from '@/lib/service/disk-use'
import { changeKeep, dropAllText, lastNight, readKeep, sweepDue } from '@/lib/service/keep'
import { openRun } from '@/lib/service/open-run'
import { readPredictions, readRollouts } from '@/lib/service/read-lists'
import { readCalibration, readOverview } from '@/lib/service/read-run-pages'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { trajectoriesOf } from '@/lib/store/rollout'
import { findRun, updateRun } from '@/lib/store/run'
import { pruneSnapshots } from '@/lib/store/snapshot'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

const DAY = 86_400_000
const rule = (change: Partial<KeepRule>): KeepRule => ({
  text: 'none',
  newest: 32,
  failures: false,
  errors: false,
  ...change,
})

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`kept text on ${provider}`, () => {
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

    const rows = async (run: string) => (await readRollouts(runtime, run, {}, { limit: 1000, format: 'json' })).items
    const withText = async (run: string) => {
      const ids = (await rows(run)).map((row) => row.id)
      return new Set((await trajectoriesOf(runtime.database.db, run, ids)).keys())
    }
    /** everything that is made of rollouts, and the state itself, also folded anew from the log */
    const madeOf = async (run: string) => {
      const state = async () =>
        runtime.queue.run(run, async () => {
          await openRun(runtime, run)
          return Buffer.from(await runtime.engine.encode(run)).toString('base64')
        })
      const live = await state()
      await runtime.engine.close(run)
      await runtime.database.transaction((tx) => pruneSnapshots(tx, run, 0))
      runtime.histories.clear()
      const list = { limit: 1000, format: 'json' } as const
      return {
        live,
        folded: await state(),
        rollouts: await rows(run),
        predictions: await readPredictions(runtime, run, list),
        overview: await readOverview(runtime, run),
        calibration: await readCalibration(runtime, run),
      }
    }

    test('a rule drops text and nothing else: statistics, predictions and the state are the same', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 6)
      await ask(runtime, run, 6)
      const before = await madeOf(run)
      expect(before.folded).toBe(before.live)
      const all = await rows(run)
      expect((await withText(run)).size).toBe(all.length)
      const policies = [...new Set(all.map((row) => row.policyVersion))]
      expect(Math.max(...policies)).toBe(5)

      const query = { text: 'newest', newest: '3', failures: 'true', errors: 'true' }
      const preview = await readKeep(runtime, run, query)
      expect(preview).toMatchObject({ rule: { text: 'all' }, sweptAt: null, policyVersion: 6 })
      const goes = all.filter((row) => row.policyVersion <= 3 && row.reward === 1)
      expect(preview.frees.rollouts).toBe(goes.length)
      expect(preview.frees.bytes).toBeGreaterThanOrEqual(goes.length * '[{"role":"user","content":"hello"}]'.length)
      expect((await withText(run)).size).toBe(all.length)

      const { freed } = await changeKeep(
        runtime,
        run,
        rule({ text: 'newest', newest: 3, failures: true, errors: true }),
        OPERATOR,
        START + DAY,
      )
      expect(freed).toEqual(preview.frees)
      const kept = await withText(run)
      expect(
        all
          .filter((row) => !kept.has(row.id))
          .map((row) => row.id)
          .sort(),
      ).toEqual(goes.map((row) => row.id).sort())
      expect(await madeOf(run)).toEqual(before)

      const rest = await dropAllText(runtime, run, OPERATOR, START + DAY)
      expect(rest.rollouts).toBe(all.length - goes.length)
      expect(await withText(run)).toEqual(new Set())
      expect(await madeOf(run)).toEqual(before)
      expect((await dropAllText(runtime, run, OPERATOR, START + DAY)).rollouts).toBe(0)
    })

    test('failures and errors stay where the rule says so; graded rewards are split at half of their range', async () => {
      const run = await startToyRun(runtime)
      const { picks } = await ask(runtime, run, 0)
      const [pick] = picks
      if (pick === undefined) throw new Error('no pick')
      const base = { lease: pick.lease, policyVersion: 0, messages: [{ role: 'user', content: 'ö' }] }
      await reportRollouts(
        runtime,
        run,
        [
          { ...base, id: 'solved', reward: 1 },
          { ...base, id: 'half', reward: 0.5 },
          { ...base, id: 'under', reward: 0.499 },
          { ...base, id: 'failed', reward: 0 },
          { ...base, id: 'no reward', reward: null },
          { ...base, id: 'infra', reward: null, status: 'infra_error' },
          { ...base, id: 'said', reward: 1, error: 'a tool was slow' },
          { ...base, id: 'cut', reward: 1, status: 'truncated' },
        ],
        START,
      )
      const goes = async (change: Partial<KeepRule>) => {
        const asked = Object.fromEntries(Object.entries(rule(change)).map(([name, value]) => [name, String(value)]))
        return (await readKeep(runtime, run, asked)).frees
      }
      expect((await goes({})).rollouts).toBe(8)
      expect((await goes({ failures: true })).rollouts).toBe(6)
      expect((await goes({ errors: true })).rollouts).toBe(6)
      expect(await goes({ text: 'all' })).toEqual({ rollouts: 0, bytes: 0 })
      expect((await goes({ text: 'newest', newest: 1 })).rollouts).toBe(0)
      await changeKeep(runtime, run, rule({ failures: true, errors: true }), OPERATOR, START)
      expect([...(await withText(run))].sort()).toEqual(['failed', 'infra', 'said', 'under'])
      for (const bad of [{}, { text: 'some' }, { ...rule({}), newest: 0 }, null])
        await expect(changeKeep(runtime, run, bad, OPERATOR, START)).rejects.toMatchObject({ status: 422 })
    })

    test('the nightly sweep applies rules once a night, and leaves runs that keep all', async () => {
      const [swept, kept] = [await startToyRun(runtime, { key: 'a' }), await startToyRun(runtime, { key: 'b' })]
      await train(runtime, swept, 0, 2)
      await train(runtime, kept, 0, 2)
      const night = lastNight(START + DAY)
      expect(night).toBeLessThanOrEqual(START + DAY)
      expect(night).toBeGreaterThan(START)
      await runtime.database.transaction((tx) => updateRun(tx, swept, { keep: rule({ text: 'newest', newest: 1 }) }))
      const first = await sweepDue(runtime, night)
      expect(first.rollouts).toBe(8 * 4)
      expect((await withText(kept)).size).toBe(64)
      await train(runtime, swept, 2, 1)
      expect((await sweepDue(runtime, night + 3_600_000)).rollouts).toBe(0)
      expect((await sweepDue(runtime, night + DAY + 3_700_000)).rollouts).toBe(8 * 4)
      expect((await findRun(runtime.database.db, kept))?.sweptAt).toBeNull()
    })

    test('what the disk use says of text follows', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 3)
      const use = (now: number) => readDiskUse(runtime, run, now)
      const full = await use(START)
      expect(full.counts).toMatchObject({ rollouts: 96, texts: 96 })
      await dropAllText(runtime, run, OPERATOR, START + 1)
      expect((await use(START + 2)).counts).toMatchObject({ rollouts: 96, texts: 0 })
    })
  })
}
