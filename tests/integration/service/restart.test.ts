import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRun } from '@/lib/service/open-run'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { groupsSince } from '@/lib/store/group'
import { readEntries } from '@/lib/store/log'
import { findRun } from '@/lib/store/run'
import { pruneSnapshots, putSnapshot } from '@/lib/store/snapshot'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { answer, ask, openTestRuntime, START, startToyRun, toyTaskSet, train } from '@/tests/support/toy-run'

describe('a run on a new process', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase('sqlite')
  })
  afterEach(() => database.drop())

  test('goes on with the same ten batches, from a snapshot, without one, and with one that cannot be read', async () => {
    const env = { ENVSCHED_SNAPSHOT_EVERY: '20' }
    const whole = await openTestRuntime(database.url, env)
    const control = await startToyRun(whole, { key: 'control' })
    const expected = await train(whole, control, 0, 16)
    const broken = await startToyRun(whole, { key: 'broken' })
    const bare = await startToyRun(whole, { key: 'bare' })
    const before = [await train(whole, broken, 0, 6), await train(whole, bare, 0, 6)]
    await whole.database.transaction((tx) => pruneSnapshots(tx, bare, 0))
    const unreadable = new Uint8Array([1, 2, 3])
    await whole.database.transaction(async (tx) => {
      const { logSeq } = (await findRun(tx, bare)) ?? { logSeq: 0 }
      await putSnapshot(tx, bare, logSeq - 1, unreadable)
    })
    await whole.end()
    const fresh = await openTestRuntime(database.url, env)
    expect([...(before[0] ?? []), ...(await train(fresh, broken, 6, 10))]).toEqual(expected)
    expect([...(before[1] ?? []), ...(await train(fresh, bare, 6, 10))]).toEqual(expected)
    const states = await Promise.all(
      [control, broken, bare].map(async (run) => {
        await openRun(fresh, run)
        return Buffer.from(await fresh.engine.encode(run)).toString('base64')
      }),
    )
    expect(new Set(states).size).toBe(1)
    await fresh.end()
  })

  test('100 workers at once: no task is leased twice', async () => {
    const runtime = await openTestRuntime(database.url)
    const run = await startToyRun(runtime, { set: toyTaskSet(4, 40) })
    const batches = await Promise.all(
      Array.from({ length: 100 }, (_, k) =>
        requestBatch(runtime, run, { requestId: `w${k}`, size: 1, groupSize: 2, policyVersion: 0 }, START),
      ),
    )
    const picked = batches.flatMap((batch) => batch.picks.map((pick) => pick.id))
    expect(picked).toHaveLength(100)
    expect(new Set(picked).size).toBe(100)
    expect(batches.filter((batch) => batch.picks[0]?.slot === 'uniform')).toHaveLength(25)
    await runtime.end()
  })
})

describe.skipIf(!isAvailable('postgresql'))('two server processes on one run', () => {
  afterEach(stopPostgresql)

  test('never lease a task twice, and fold one log to one state', async () => {
    const database = await createTestDatabase('postgresql')
    const [a, b] = [await openTestRuntime(database.url), await openTestRuntime(database.url)]
    const run = await startToyRun(a, { set: toyTaskSet(4, 40) })
    const leased = new Set<string>()
    for (let step = 0; step < 4; step += 1) {
      const both = [a, b].map((runtime, side) =>
        requestBatch(
          runtime,
          run,
          { requestId: `${step} ${side}`, size: 6, groupSize: 2, policyVersion: step },
          START + step,
        ),
      )
      const [left, right] = await Promise.all(both)
      if (left === undefined || right === undefined) throw new Error('no batch')
      const ids = [...left.picks, ...right.picks].map((pick) => pick.lease)
      expect(new Set(ids).size).toBe(12)
      const tasks = [...left.picks, ...right.picks].map((pick) => pick.id)
      expect(new Set(tasks).size).toBe(12)
      for (const id of ids) expect(leased.has(id)).toBe(false)
      for (const id of ids) leased.add(id)
      await Promise.all([answer(a, run, step, right), answer(b, run, step, left)])
    }
    // a report to one server while the other chooses: both count
    const open = await requestBatch(a, run, { requestId: 'open', size: 6, groupSize: 2, policyVersion: 4 }, START + 5)
    const late = Array.from({ length: 12 }, (_, k) => ({
      id: `free-${k}`,
      environment: 'shop/1',
      task: `task/${k}`,
      policyVersion: 4,
      reward: k % 2,
    }))
    await Promise.all([
      ...late.map((rollout) => reportRollouts(b, run, [rollout], START + 6)),
      requestBatch(a, run, { requestId: 'meanwhile', size: 6, groupSize: 2, policyVersion: 5 }, START + 6),
      answer(b, run, 4, open),
    ])
    const { groupCount } = (await findRun(a.database.db, run)) ?? { groupCount: 0 }
    const groups = await groupsSince(a.database.db, run, 0)
    expect(groups.map((group) => group.number)).toEqual(groups.map((_, index) => index + 1))
    expect(groups).toHaveLength(groupCount)
    expect(groups.filter((group) => group.lease === null && group.returned === 1)).toHaveLength(12)
    expect(await ask(a, run, 9)).toEqual(await ask(b, run, 9))
    const entries = await readEntries(a.database.db, run, 0)
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1))
    await Promise.all([openRun(a, run), openRun(b, run)])
    const [one, two] = await Promise.all([a.engine.encode(run), b.engine.encode(run)])
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
    await Promise.all([a.end(), b.end()])
    await database.drop()
  })
})
