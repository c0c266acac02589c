import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { evaluateAlarms, listAlarms } from '@/lib/service/alarms'
import { applyDraft, undoOverride } from '@/lib/service/apply-overrides'
import { createRun } from '@/lib/service/create-run'
import { readDiskUse } from '@/lib/service/disk-use'
import { readExports } from '@/lib/service/exports/export-run'
import { proposeNext } from '@/lib/service/next-batch'
import { previewDraft } from '@/lib/service/preview-draft'
import { readBatch } from '@/lib/service/read-batches'
import { readEvidence } from '@/lib/service/read-evidence'
import { readGraph } from '@/lib/service/read-graph'
import { readPredictions, readRollouts } from '@/lib/service/read-lists'
import { readEnvironments, readOverview } from '@/lib/service/read-run-pages'
import { readTask } from '@/lib/service/read-task'
import { releaseLease } from '@/lib/service/release-lease'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { restoreRun } from '@/lib/service/restore/restore-run'
import { readState } from '@/lib/service/restore/scheduler-state'
import { changeRun, readChanges, readRun } from '@/lib/service/runs'
import { readSteering } from '@/lib/service/steering'
import { listAudit } from '@/lib/store/audit'
import { updateRun } from '@/lib/store/run'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { answer, ask, OPERATOR, openTestRuntime, START, startToyRun, toyTaskSet, train } from '@/tests/support/toy-run'

const sum = (parts: object) => Object.values(parts).reduce((total: number, part: number) => total + part, 0)

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`a run on ${provider}`, () => {
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

    test('the same request gives the same batch, and the same key the same run', async () => {
      const run = await startToyRun(runtime, { key: 'k' })
      expect(await startToyRun(runtime, { key: 'k' })).toBe(run)
      const first = await ask(runtime, run, 0)
      expect(first.picks).toHaveLength(8)
      expect(await ask(runtime, run, 0)).toEqual(first)
      const second = await requestBatch(
        runtime,
        run,
        { requestId: 'other', size: 8, groupSize: 4, policyVersion: 0 },
        START,
      )
      const leased = new Set(first.picks.map((pick) => pick.id))
      expect(second.picks.filter((pick) => leased.has(pick.id))).toEqual([])
      expect(first.picks[0]?.payload).toMatchObject({ prompt: expect.stringContaining('do ') })
    })

    test('the key of a run that was over opens it again, and a state goes back into it; an import opens nothing', async () => {
      const run = await startToyRun(runtime, { key: 'k' })
      await train(runtime, run, 0, 1)
      const state = await readState(runtime, run, START)
      await train(runtime, run, 1, 1)
      const { taskSet } = await readRun(runtime, run, START)
      const body = { taskSet: taskSet.id, name: 'again', key: 'k', plannedSteps: 6 }
      for (const status of ['finished', 'failed']) {
        await changeRun(runtime, run, { status }, OPERATOR, START)
        await createRun(runtime, body, OPERATOR, START, 'import')
        expect(await readRun(runtime, run, START)).toMatchObject({ status })
        expect(await createRun(runtime, body, OPERATOR, START)).toMatchObject({ id: run, finishedAt: null })
        expect(await readRun(runtime, run, START + 90_000)).toMatchObject({
          status: 'live',
          statusNote: 'opened again by mira',
          plannedSteps: 6,
        })
      }
      expect((await ask(runtime, run, 2)).index).toBe(3)
      const back = { ...state, requestId: 'back' }
      expect(await restoreRun(runtime, run, back, OPERATOR, START)).toMatchObject({ restored: true, batch: 1 })
      const { items } = await listAudit(runtime.database.db, { limit: 20 }, run)
      expect(items.filter(({ action }) => action === 'run.reopen')).toHaveLength(2)
      const key = 'history'
      const imported = await createRun(runtime, { ...body, key, mode: 'shadow' }, OPERATOR, START, 'import')
      await runtime.database.transaction((tx) => updateRun(tx, imported.id, { status: 'finished' }))
      expect(await createRun(runtime, { ...body, key }, OPERATOR, START)).toMatchObject({ status: 'finished' })
    })

    test('one bad rollout is refused with its reason and the rest are kept; null and NaN are never 0', async () => {
      const run = await startToyRun(runtime)
      const batch = await ask(runtime, run, 0)
      const [pick] = batch.picks
      if (pick === undefined) throw new Error('no pick')
      const base = { lease: pick.lease, policyVersion: 0 }
      const report = [
        { ...base, id: 'a', reward: 1 },
        { ...base, id: 'b', reward: null },
        { ...base, id: 'c', reward: 'NaN' },
        { ...base, id: 'd', reward: 1.5 },
        { ...base, reward: 1 },
        { ...base, id: 'e', lease: 'l999', reward: 1 },
        { id: 'f', environment: 'shop/0', task: 'none', policyVersion: 0, reward: 1 },
        { ...base, id: 'a', reward: 0 },
        'no object',
      ]
      const first = await reportRollouts(runtime, run, report, START)
      expect(first.accepted).toBe(4)
      expect(first.duplicates).toBe(1)
      expect(first.untrusted).toEqual({ reward_missing: 1, reward_invalid: 1, out_of_range: 1 })
      expect(first.rejected.map(({ index }) => index).sort()).toEqual([4, 5, 6, 8])
      expect(first.rejected.find(({ index }) => index === 6)?.reason).toContain('"none"')
      const again = await reportRollouts(runtime, run, report.slice(0, 4), START)
      expect(again).toMatchObject({ accepted: 0, duplicates: 4 })
      const rows = await readRollouts(runtime, run, { task: pick.id }, { limit: 10, format: 'json' })
      expect(rows.items.map(({ id, reward, trusted }) => [id, reward, trusted]).sort()).toEqual([
        ['a', 1, true],
        ['b', null, false],
        ['c', null, false],
        ['d', 1.5, false],
      ])
      expect((await readOverview(runtime, run)).yield).toMatchObject({ untrusted: 3, statuses: {} })
      await ask(runtime, run, 1)
      const task = await readTask(runtime, run, pick.id)
      expect(task.groups.find((group) => group.batch === 1)?.result).toMatchObject({
        state: 'complete',
        trusted: 1,
        returned: 4,
        mean: 1,
        variance: null,
      })
    })

    test('terms sum to scores, shares and contributions to predictions, and pages agree', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 6)
      const batch = await readBatch(runtime, run, 6)
      for (const pick of batch.pickList) {
        expect(sum(pick.terms)).toBeCloseTo(pick.score, 6)
        expect(sum(pick.prediction.shares)).toBeCloseTo(pick.prediction.predictedVariance, 6)
        expect(pick.reason.length).toBeLessThanOrEqual(66)
        expect(pick.result.squares).toHaveLength(4)
      }
      await ask(runtime, run, 6)
      const picked = batch.pickList[0]
      if (picked === undefined) throw new Error('no pick')
      const evidence = await readEvidence(runtime, run, picked.task.id, null)
      for (const kind of ['own', 'within', 'cross'] as const) {
        const parts = evidence.contributions
          .filter((one) => one.kind === kind)
          .reduce((total, one) => total + one.share, 0)
        expect(parts + evidence.rest[kind]).toBeCloseTo(evidence.shares[kind], 6)
      }
      expect(sum(evidence.shares)).toBeCloseTo(evidence.prediction.predictedVariance, 6)
      const own = evidence.contributions.find((one) => one.kind === 'own')
      expect(own?.groups[0]?.outcomes).toHaveLength(4)
      const then = await readEvidence(runtime, run, picked.task.id, 6)
      expect(then.prediction.predictedVariance).toBeCloseTo(picked.prediction.predictedVariance, 9)
      const graph = await readGraph(runtime, run)
      expect(graph.nodes.id).toHaveLength(48)
      expect(graph.environments.reduce((total, one) => total + one.held, 0)).toBeCloseTo(1, 9)
      const overview = await readOverview(runtime, run)
      expect(overview.series).toHaveLength(7)
      expect(overview.yield).toMatchObject({ asked: 56, returned: 48, trusted: 48 })
      const rows = await readEnvironments(runtime, run)
      expect(rows.map((row) => row.code)).toEqual([...new Set(rows.map((row) => row.code))])
    })

    test('a draft is previewed, applied, obeyed, marked and undone', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 4)
      const now = START + 10 * 60_000
      const before = await readSteering(runtime, run)
      const target = (await readEnvironments(runtime, run)).sort((a, b) => b.quota.used - a.quota.used)[0]
      if (target === undefined) throw new Error('no environment')
      const changes = [
        { kind: 'quota' as const, target: target.id, lower: 0, upper: 0.05 },
        { kind: 'weight' as const, target: 'coverage' as const, value: 1.5 },
      ]
      const impossible = { kind: 'quota' as const, target: 'e1', lower: 0.9, upper: 0.1 }
      const preview = await previewDraft(runtime, run, { changes: [...changes, impossible] }, now)
      expect(preview.refused).toHaveLength(1)
      expect(preview.refused[0]?.index).toBe(2)
      expect(preview.stays + preview.enters.length).toBe(preview.size)
      expect(await previewDraft(runtime, run, { changes: [...changes, impossible] }, now)).toEqual(preview)
      const cursor = preview.cursor
      expect((await readRun(runtime, run, now)).cursor).toBe(cursor)
      await expect(applyDraft(runtime, run, { changes, cursor: cursor - 1 }, OPERATOR, now)).rejects.toMatchObject({
        code: 'log_moved',
      })
      await expect(applyDraft(runtime, run, { changes: [impossible], cursor }, OPERATOR, now)).rejects.toMatchObject({
        code: 'refused',
      })
      const applied = await applyDraft(runtime, run, { changes, cursor, note: 'too much of it' }, OPERATOR, now)
      expect(applied.fromBatch).toBe(5)
      const next = await ask(runtime, run, 4)
      expect(next.picks.map((pick) => pick.id)).toEqual(preview.draft.pickList.map((pick) => pick.task.id))
      const batch = await readBatch(runtime, run, 5)
      expect(batch.overrides.map(({ letter }) => letter)).toEqual(['A', 'B'])
      const scored = batch.pickList.filter((pick) => pick.slot === 'score' && pick.environment.id === target.id)
      expect(scored.length).toBeLessThanOrEqual(1)
      const undone = await undoOverride(runtime, run, 'o2', 'as it was', OPERATOR, now)
      expect(undone.kind).toBe('lift')
      await expect(undoOverride(runtime, run, 'o2', '', OPERATOR, now)).rejects.toMatchObject({
        code: 'already_undone',
      })
      const after = await readSteering(runtime, run)
      expect(after.weights).toEqual(before.weights)
      expect(after.history.map(({ number, inForce }) => [number, inForce])).toEqual([
        [3, false],
        [2, false],
        [1, true],
      ])
    })

    test('pause, resume, release, expiry and finish', async () => {
      const run = await startToyRun(runtime, { config: { leaseSeconds: 60 } })
      const batch = await ask(runtime, run, 0)
      const [pick, other] = batch.picks
      if (pick === undefined || other === undefined) throw new Error('no pick')
      expect(await releaseLease(runtime, run, pick.lease, START)).toMatchObject({ state: 'released' })
      expect(await releaseLease(runtime, run, pick.lease, START)).toMatchObject({ state: 'released' })
      await changeRun(runtime, run, { status: 'paused', note: 'verifier patch' }, OPERATOR, START)
      await expect(ask(runtime, run, 1)).rejects.toMatchObject({ code: 'run_paused', status: 409 })
      expect((await readRun(runtime, run, START)).statusNote).toBe('by mira: verifier patch')
      await changeRun(runtime, run, { status: 'live' }, OPERATOR, START)
      const late = await ask(runtime, run, 5)
      expect(late.picks).toHaveLength(8)
      const ended = new Map((await readBatch(runtime, run, 1)).pickList.map((one) => [one.lease, one.result.state]))
      expect(ended.get(pick.lease)).toBe('released')
      expect([...ended.values()].filter((state) => state === 'expired')).toHaveLength(7)
      await reportRollouts(runtime, run, [{ id: 'late', lease: other.lease, policyVersion: 0, reward: 1 }], START)
      expect((await readRollouts(runtime, run, { lease: other.lease }, { limit: 5, format: 'json' })).total).toBe(1)
      await answer(runtime, run, 5, late)
      await changeRun(runtime, run, { status: 'finished' }, OPERATOR, START)
      expect((await readBatch(runtime, run, 2)).pickList.every((one) => one.result.informative !== null)).toBe(true)
      await expect(ask(runtime, run, 6)).rejects.toMatchObject({ code: 'run_over' })
      const changes = await readChanges(runtime, run, 0, START)
      expect(changes.entries.map((entry) => entry.kind)).toContain('lease_end')
    })

    test('a proposal writes nothing, and equals the batch that comes', async () => {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 2)
      await proposeNext(runtime, run, null, START)
      const cursor = (await readRun(runtime, run, START)).cursor
      const proposed = await proposeNext(runtime, run, null, START)
      expect((await readRun(runtime, run, START)).cursor).toBe(cursor)
      const came = await ask(runtime, run, 2)
      expect(proposed.pickList.map((pick) => pick.task.id)).toEqual(came.picks.map((pick) => pick.id))
    })

    test('what is given back or drained is told from what expired, and frees its tasks', async () => {
      const run = await startToyRun(runtime, { config: { leaseSeconds: 60 } })
      const batch = await ask(runtime, run, 0, 16)
      const [pick] = batch.picks
      if (pick === undefined) throw new Error('no pick')
      const drained = batch.picks.filter((one) => one.environment === 'shop/2')
      const [half] = drained
      if (half === undefined) throw new Error('nothing of shop/2')
      await reportRollouts(runtime, run, [{ id: 'half', lease: half.lease, policyVersion: 0, reward: 1 }], START)
      const cursor = (await readRun(runtime, run, START)).cursor
      const pause = { kind: 'pause' as const, target: 'e2', mode: 'drain' as const }
      const previewed = await previewDraft(runtime, run, { changes: [pause], size: 8 }, START)
      await applyDraft(runtime, run, { changes: [pause], cursor }, OPERATOR, START)
      const proposed = await proposeNext(runtime, run, 8, START)
      expect(previewed.draft.pickList.map((one) => one.task.id)).toEqual(proposed.pickList.map((one) => one.task.id))
      const other = batch.picks.find((one) => one.environment !== 'shop/2')
      if (other === undefined) throw new Error('only shop/2')
      await releaseLease(runtime, run, other.lease, START)
      const view = await readBatch(runtime, run, 1)
      const states = new Map(view.pickList.map((one) => [one.lease, one.result.state]))
      expect(drained.map((one) => states.get(one.lease))).toEqual(
        drained.map((one) => (one === half ? 'complete' : 'released')),
      )
      expect(states.get(other.lease)).toBe('released')
      expect((await readEnvironments(runtime, run))[2]).toMatchObject({ leased: 0, state: 'paused' })
      const late = await ask(runtime, run, 5, 8)
      expect(late.picks.filter((one) => one.environment === 'shop/2')).toEqual([])
      const { released, expired } = (await readOverview(runtime, run)).yield
      expect(released).toBe(drained.length)
      expect(released + expired).toBe(15)
    })

    test('a run whose every task is out says so, and no environment starves', async () => {
      const run = await startToyRun(runtime)
      for (let step = 0; step < 9; step += 1) await ask(runtime, run, step, 16)
      await evaluateAlarms(runtime, run)
      const alarms = await listAlarms(runtime, run)
      expect(alarms.map((alarm) => alarm.title)).toEqual(['No task is free.'])
      expect(alarms[0]?.sentence).toContain('All 48 leases are out')
    })

    test('in shadow mode a complete group is predicted, then absorbed', async () => {
      const run = await startToyRun(runtime, { mode: 'shadow' })
      await expect(ask(runtime, run, 0)).rejects.toMatchObject({ code: 'run_shadow' })
      const rollouts = Array.from({ length: 4 }, (_, k) => ({
        id: `r${k}`,
        environment: 'shop/1',
        task: 'task/3',
        policyVersion: 2,
        reward: k % 2,
      }))
      await reportRollouts(runtime, run, rollouts, START, { wholeGroups: true })
      const summary = await readRun(runtime, run, START)
      expect(summary).toMatchObject({ rollouts: 4, policyVersion: 2, informativeShare: 1 })
      const task = await readTask(runtime, run, 't13')
      expect(task.history).toHaveLength(1)
      expect(task.history[0]?.predictedVariance).toBeGreaterThan(0)
      expect(task.history[0]?.realisedVariance).toBeCloseTo(1 / 3, 9)
      // the disk counts the predictions that the export writes
      expect((await readDiskUse(runtime, run, START)).counts.predictions).toBe(1)
      const exports = await readExports(runtime, run, START)
      expect(exports.items.find(({ name }) => name === 'predictions')?.rows).toBe(1)
    })

    test('in shadow mode the second next policy version closes a group, and the end of the run the rest', async () => {
      const run = await startToyRun(runtime, { mode: 'shadow' })
      for (let step = 0; step < 5; step += 1) {
        const rollouts = Array.from({ length: 4 }, (_, k) => ({
          id: `${step}-${k}`,
          environment: 'shop/1',
          task: `task/${step}`,
          policyVersion: step,
          reward: k % 2,
        }))
        await reportRollouts(runtime, run, rollouts, START + step)
      }
      const query = { limit: 10, format: 'json' } as const
      expect((await readPredictions(runtime, run, query)).items.map((row) => row.policyVersion)).toEqual([2, 1, 0])
      expect(await readRun(runtime, run, START)).toMatchObject({ rollouts: 20, policyVersion: 4 })
      await changeRun(runtime, run, { status: 'finished' }, OPERATOR, START + 9)
      expect((await readPredictions(runtime, run, query)).total).toBe(5)
    })

    test('an undeclared reward range widens by an entry, and what was absorbed is read again', async () => {
      const set = toyTaskSet(2, 6)
      const wide = { ...set, environments: set.environments.map(({ rewardRange: _range, ...rest }) => rest) }
      const run = await startToyRun(runtime, { set: wide })
      const batch = await ask(runtime, run, 0)
      const [pick] = batch.picks
      if (pick === undefined) throw new Error('no pick')
      const rewards = [-1, 3, 3, -1]
      await reportRollouts(
        runtime,
        run,
        rewards.map((reward, k) => ({ id: `w${k}`, lease: pick.lease, policyVersion: 0, reward })),
        START,
      )
      await answer(runtime, run, 0, { ...batch, picks: batch.picks.slice(1) })
      await ask(runtime, run, 1)
      const changes = await readChanges(runtime, run, 0, START)
      expect(changes.entries.filter((entry) => entry.kind === 'range')).toHaveLength(1)
      const task = await readTask(runtime, run, pick.id)
      expect(task.structure.rewardRange).toEqual([-1, 3])
      const shown = (await readBatch(runtime, run, 1)).pickList.find((one) => one.lease === pick.lease)
      expect(shown?.result.squares.map((square) => square.fill)).toEqual([0, 1, 1, 0])
      expect(task.groups[0]?.result.variance).toBeCloseTo(1 / 3, 9)
    })
  })
}
