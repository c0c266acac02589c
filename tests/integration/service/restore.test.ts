/* Restoring a scheduler's state: into its own run, and into a run on a changed task set. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SchedulerState } from '@/lib/contract/state'
import { applyDraft } from '@/lib/service/apply-overrides'
import { deleteRun } from '@/lib/service/delete-run'
import { openRun, withRun } from '@/lib/service/open-run'
import { listBatches, readBatch } from '@/lib/service/read-batches'
import { readEvidence } from '@/lib/service/read-evidence'
import { readRollouts } from '@/lib/service/read-lists'
import { readOverview } from '@/lib/service/read-run-pages'
import { recordScore } from '@/lib/service/record-score'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { restoreRun } from '@/lib/service/restore/restore-run'
import { readState } from '@/lib/service/restore/scheduler-state'
import { changeRun, readRun, readRunDetail } from '@/lib/service/runs'
import { readSteering } from '@/lib/service/steering'
import { listScores } from '@/lib/store/score'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { answer, ask, OPERATOR, openTestRuntime, START, startToyRun, toyTaskSet, train } from '@/tests/support/toy-run'

type Opened = Awaited<ReturnType<typeof openTestRuntime>>

const LATER = START + 3_600_000
const picksOf = (batch: Awaited<ReturnType<typeof ask>>) =>
  batch.picks.map((pick) => `${pick.slot} ${pick.environment} ${pick.task}`)

/** The engine's state of a run as bytes. */
const bytesOf = (runtime: Opened, run: string) => withRun(runtime, run, async () => runtime.engine.encode(run))

const restore = (runtime: Opened, run: string, state: SchedulerState, more: object = {}) =>
  restoreRun(runtime, run, { ...state, ...more }, OPERATOR, LATER)

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`restoring on ${provider}`, () => {
    let database: TestDatabase
    let runtime: Opened
    beforeEach(async () => {
      database = await createTestDatabase(provider)
      runtime = await openTestRuntime(database.url, { ENVSCHED_SNAPSHOT_EVERY: '20' })
    })
    afterEach(async () => {
      await runtime.end()
      await database.drop()
    })
    if (provider === 'postgresql') afterAll(stopPostgresql)

    test('a run goes back to a checkpoint and does again what it did then, to the bit', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 3)
      const before = await bytesOf(runtime, run)
      const state = await readState(runtime, run, START + 200_000)
      expect(JSON.stringify(state).length).toBeLessThan(600)
      await recordScore(runtime, run, { policyVersion: 5, name: 'eval', value: 0.5 }, LATER - 1)
      const first = await train(runtime, run, 3, 3)
      const then = await bytesOf(runtime, run)
      const lost = await ask(runtime, run, 6)

      const done = await restore(runtime, run, state)
      expect(done).toMatchObject({
        repeated: false,
        epoch: 2,
        batch: 3,
        policyVersion: 2,
        superseded: { batches: 4, rollouts: 96, overrides: 0 },
        taskSet: { same: 48, changed: 0, added: 0, removed: 0 },
      })
      expect(done.sentence).toBe(
        'Went back to batch 3. 4 batches and 96 rollouts of this run no longer count; they stay visible.',
      )
      expect(await bytesOf(runtime, run)).toEqual(before)
      const summary = await readRun(runtime, run, LATER)
      expect(summary).toMatchObject({ epoch: 2, batch: 3, rollouts: 96, policyVersion: 2, leasesOpen: 0 })
      expect(await listScores(runtime.database.db, run)).toEqual([])

      // the same ids under other leases: the trainer rolls out again, and nothing is taken for a duplicate
      const second: string[][] = []
      for (const step of [3, 4, 5]) {
        const batch = await ask(runtime, run, step)
        second.push(picksOf(batch))
        const old = first[step - 3]
        expect(picksOf(batch)).toEqual(old)
        await answer(runtime, run, step, batch)
      }
      expect(second).toEqual(first)
      const again = await openRun(runtime, run)
      expect(again.run).toMatchObject({ epoch: 2, batchCount: 10, rolloutCount: 288 })
      // leases have other numbers, so bytes differ only there: the next batch is the same
      expect(then.length).toBe((await bytesOf(runtime, run)).length)
      expect(picksOf(await ask(runtime, run, 6))).toEqual(picksOf(lost))

      const batches = await listBatches(runtime, run, { limit: 20, format: 'json' })
      expect(batches.items.map(({ index, superseded }) => [index, superseded])).toEqual([
        [11, false],
        [10, false],
        [9, false],
        [8, false],
        [7, true],
        [6, true],
        [5, true],
        [4, true],
        [3, false],
        [2, false],
        [1, false],
      ])
      const old = await readBatch(runtime, run, 4)
      expect(old.superseded).toBe(true)
      expect(old.pickList.every(({ result }) => result.squares.length === 4)).toBe(true)
      const task = old.pickList[0]?.task.id ?? ''
      expect((await readEvidence(runtime, run, task, 5)).batch).toBe(5)
      expect((await readOverview(runtime, run)).yield).toMatchObject({ statuses: {} })
    })

    test('reports that were due at the checkpoint are due again, split where some came later', async () => {
      const run = await startToyRun(runtime)
      const batch = await ask(runtime, run, 0)
      const rollouts = batch.picks.flatMap((pick) =>
        [0, 1, 2, 3].map((k) => ({ id: `${pick.lease}-${k}`, lease: pick.lease, policyVersion: 0, reward: k % 2 })),
      )
      // two groups whole, one by half, the others not at all
      await reportRollouts(runtime, run, rollouts.slice(0, 10), START)
      const state = await readState(runtime, run, START)
      await reportRollouts(runtime, run, rollouts.slice(10), START + 1)
      const full = await ask(runtime, run, 1)
      expect(full.picks).toHaveLength(8)
      await restore(runtime, run, state)
      const { rollouts: count, leasesOpen } = await readRun(runtime, run, LATER)
      expect([count, leasesOpen]).toEqual([10, 6])
      // what a worker still sends of a batch that was left behind is kept and counts nowhere
      const [stray] = full.picks
      const late = [{ id: 'stray', lease: stray?.lease, policyVersion: 1, reward: 1 }]
      expect(await reportRollouts(runtime, run, late, LATER)).toMatchObject({ accepted: 1, superseded: 1 })
      expect(await reportRollouts(runtime, run, late, LATER)).toMatchObject({ accepted: 0, duplicates: 1 })
      const resent = await reportRollouts(runtime, run, rollouts, LATER)
      expect(resent).toMatchObject({ accepted: 22, duplicates: 10 })
      expect((await readRun(runtime, run, LATER)).rollouts).toBe(32)
      const next = await ask(runtime, run, 1)
      expect(picksOf(next)).toEqual(picksOf(full))
      const rows = await readRollouts(runtime, run, {}, { limit: 100, format: 'json' })
      expect(rows.items.filter((row) => row.superseded)).toHaveLength(23)
      expect(rows.items.find((row) => row.id === 'stray (epoch 1)')?.superseded).toBe(true)
      const refused = await reportRollouts(runtime, run, [{ ...late[0], id: 'x (epoch 1)' }], LATER)
      expect(refused.rejected[0]?.reason).toContain('superseded')
    })

    test('the same call restores once, overrides that came later hold no more, and unfit states are refused', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 2)
      const old = await readState(runtime, run, START)
      await train(runtime, run, 2, 1)
      const state = await readState(runtime, run, START)
      const { cursor } = await readRun(runtime, run, LATER)
      const change = { kind: 'ban', target: 't5' } as const
      await applyDraft(runtime, run, { changes: [change], note: 'odd', cursor }, OPERATOR, START)
      expect(await restore(runtime, run, state, { requestId: 'a' })).toMatchObject({
        epoch: 2,
        superseded: { overrides: 1 },
      })
      expect((await readRunDetail(runtime, run, LATER)).restores).toMatchObject([
        { epoch: 2, from: 3, to: 3, author: 'mira', source: null },
      ])
      const steering = await readSteering(runtime, run)
      expect(steering.history.map(({ inForce, superseded }) => [inForce, superseded])).toEqual([[false, true]])
      expect(await restore(runtime, run, state)).toMatchObject({ repeated: true, epoch: 2 })
      await train(runtime, run, 3, 1)
      expect(await restore(runtime, run, state, { requestId: 'a' })).toMatchObject({ repeated: true, epoch: 2 })
      expect(await restore(runtime, run, state)).toMatchObject({ repeated: false, epoch: 3 })
      // further back, and then into what that left behind
      const lost = await readState(runtime, run, START)
      expect(await restore(runtime, run, old)).toMatchObject({ epoch: 4, batch: 2 })
      await expect(restore(runtime, run, lost)).rejects.toMatchObject({ status: 409, code: 'state_superseded' })
      await expect(restore(runtime, run, { ...old, seq: 9999 })).rejects.toMatchObject({ code: 'state_ahead' })
      const wrong = { ...old, fingerprint: '0'.repeat(32) }
      await expect(restore(runtime, run, wrong)).rejects.toMatchObject({ status: 409, code: 'state_mismatch' })
      const unknown = { ...wrong, run: 'nowhere' }
      await expect(restore(runtime, run, unknown)).rejects.toMatchObject({ status: 404, code: 'state_unknown' })
      await expect(restore(runtime, run, { ...old, version: 2 } as never)).rejects.toMatchObject({ status: 422 })
      await changeRun(runtime, run, { status: 'finished' }, OPERATOR, LATER)
      await expect(restore(runtime, run, old)).rejects.toMatchObject({ status: 409, code: 'run_over' })
    })

    test('a run that only reports goes back, too, and counts the same ids again', async () => {
      const run = await startToyRun(runtime, { mode: 'shadow' })
      const report = (policyVersion: number, from: number) =>
        reportRollouts(
          runtime,
          run,
          [0, 1, 2, 3].flatMap((task) =>
            [0, 1].map((k) => ({
              id: `${policyVersion}-${task}-${k}`,
              environment: 'shop/0',
              task: `task/${task}`,
              policyVersion,
              reward: (k + task + from) % 2,
            })),
          ),
          START + policyVersion * 1000,
        )
      for (const version of [0, 1, 2, 3]) await report(version, 0)
      const state = await readState(runtime, run, START)
      const before = await bytesOf(runtime, run)
      for (const version of [4, 5]) await report(version, 0)
      const then = await bytesOf(runtime, run)
      expect(await restore(runtime, run, state)).toMatchObject({
        batch: 0,
        policyVersion: state.policyVersion,
        superseded: { batches: 0, rollouts: 16 },
      })
      expect(await bytesOf(runtime, run)).toEqual(before)
      for (const version of [4, 5]) expect(await report(version, 0)).toMatchObject({ accepted: 8, duplicates: 0 })
      expect(await bytesOf(runtime, run)).toEqual(then)
      expect((await readRun(runtime, run, LATER)).rollouts).toBe(48)
    })

    test('a two-stage batch goes back between its reports: later purchases are taken back and made again', async () => {
      const run = await startToyRun(runtime)
      const request = { requestId: 'staged', size: 6, groupSize: 8, policyVersion: 0, stages: [4, 4] }
      const batch = await requestBatch(runtime, run, request as never, START)
      // every other group differs, the others stop and pay for further picks
      const first = (picks: typeof batch.picks, name: string) =>
        picks.flatMap((pick, place) =>
          [0, 1, 2, 3].map((k) => ({
            id: `${name}-${place}-${k}`,
            lease: pick.lease,
            policyVersion: 0,
            reward: place % 2 === 0 ? k % 2 : 1,
          })),
        )
      const rows = first(batch.picks, 'first')
      await reportRollouts(runtime, run, rows.slice(0, 8), START)
      const state = await readState(runtime, run, START)
      const before = await bytesOf(runtime, run)
      const told = await reportRollouts(runtime, run, rows.slice(8), START)
      expect(told.more?.length).toBeGreaterThan(0)
      await restore(runtime, run, state)
      expect(await bytesOf(runtime, run)).toEqual(before)
      const again = await reportRollouts(runtime, run, rows.slice(8), START)
      expect(again.accepted).toBe(16)
      const named = (answered: typeof told) => [
        answered.continue,
        answered.more?.map(({ environment, task, groupSize }) => [environment, task, groupSize]),
      ]
      expect(named(again)).toEqual(named(told))
      const shown = await readBatch(runtime, run, 1)
      expect(shown.pickList).toHaveLength(6 + (told.more?.length ?? 0))
    })

    test('a run on a changed task set takes the history over, and on the same one goes on alike', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 3)
      const state = await readState(runtime, run, START)
      const set = toyTaskSet()
      const twin = await startToyRun(runtime, { key: 'twin' })
      const alike = await restore(runtime, twin, state)
      expect(alike).toMatchObject({ epoch: 2, batch: 0, taskSet: { same: 48, changed: 0, added: 0, removed: 0 } })
      expect(alike.sentence).toContain('Took over the history of "toy run" up to batch 3: 48 tasks are the same')
      const next = await ask(runtime, run, 3)
      const taken = await ask(runtime, twin, 3)
      expect(picksOf(taken)).toEqual(picksOf(next))
      expect(taken.index).toBe(1)
      expect(await restore(runtime, twin, state)).toMatchObject({ repeated: false, epoch: 3 })
      expect(await restore(runtime, twin, state)).toMatchObject({ repeated: true, epoch: 3 })

      const [one, two, ...rest] = set.tasks
      if (one === undefined || two === undefined) throw new Error('no tasks')
      const moved = {
        ...set,
        name: 'moved',
        tasks: [{ ...two, key: 'renamed' }, ...rest.slice(4), { ...one, text: 'new' }],
      }
      const environments = [{ key: 'new', rewardRange: [0, 1] as [number, number] }, ...set.environments]
      const other = await startToyRun(runtime, {
        set: { ...moved, environments, tasks: [...moved.tasks, { environment: 'new', key: 'fresh' }] },
      })
      const changed = await restore(runtime, other, state)
      expect(changed.taskSet).toMatchObject({ same: 43, changed: 1, added: 1, removed: 4 })
      expect(changed.taskSet.examples.added).toEqual([{ environment: 'new', task: 'fresh' }])
      const view = await withRun(runtime, other, () => runtime.engine.view(other))
      const theirs = await withRun(runtime, run, () => runtime.engine.view(run))
      // "task/5" of the first environment is the 21st task there and, without its four neighbours, the 17th here
      const place = 20 - 5
      expect(view.tasks.groups[place]).toBe(theirs.tasks.groups[20])
      expect(view.batch).toBe(3)
      // pages tell where it came from, and count what was observed there
      const { restores } = await readRunDetail(runtime, other, LATER)
      expect(restores[0]?.tasks).toEqual({ same: 43, changed: 1, added: 1, removed: 4 })
      const observed = view.tasks.groups.filter((groups) => groups > 0).length
      expect((await readOverview(runtime, other)).coverage.tasks.seen).toBe(observed)
      expect(observed).toBeGreaterThan(0)
      await train(runtime, other, 3, 2)
      expect(await readRun(runtime, other, LATER)).toMatchObject({ batch: 2, rollouts: 64, epoch: 2 })

      await deleteRun(runtime, run, null, OPERATOR, LATER)
      await expect(restore(runtime, other, state)).rejects.toMatchObject({ status: 410, code: 'state_deleted' })
      // its own history is its own now
      expect((await ask(runtime, other, 9)).picks).toHaveLength(8)
    })
  })
}

test('two workers with a server each: one restores, the other goes on in the new epoch', async () => {
  if (!isAvailable('postgresql')) return
  const database = await createTestDatabase('postgresql')
  const a = await openTestRuntime(database.url)
  const b = await openTestRuntime(database.url)
  try {
    const run = await startToyRun(a)
    await train(a, run, 0, 2)
    const state = await readState(b, run, START)
    const lost = await train(a, run, 2, 1)
    await train(b, run, 3, 2)
    await restore(a, run, state)
    // the other process still has the state of the part that was left behind
    const next = await ask(b, run, 2)
    expect([picksOf(next)]).toEqual(lost)
    expect(await bytesOf(b, run)).toEqual(await bytesOf(a, run))
    expect(await readRun(b, run, LATER)).toMatchObject({ epoch: 2, batch: 6, rollouts: 64 })
  } finally {
    await a.end()
    await b.end()
    await database.drop()
    await stopPostgresql()
  }
})
