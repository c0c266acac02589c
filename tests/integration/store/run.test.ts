/**
 * Everything else of a run, written and read back as it was; and gone when the run or its task set is deleted.
 */
import { describe, expect, it } from 'vitest'
import { listAlarms, upsertAlarms } from '@/lib/store/alarm'
import { appendAudit, listAudit } from '@/lib/store/audit'
import {
  batchesBetween,
  findBatch,
  findBatchByRequest,
  insertBatch,
  picksBetween,
  picksOfTask,
} from '@/lib/store/batch'
import type { Database } from '@/lib/store/database'
import {
  completeGroups,
  groupsByLease,
  groupsSince,
  insertGroups,
  newestReported,
  openGroupsWithoutLease,
  upsertGroups,
} from '@/lib/store/group'
import { createImportJob, findImportJob, listImportJobs, updateImportJob } from '@/lib/store/import-job'
import { countOpenLeases, dueLeases, insertLeases, leasesByNumber, setLeaseState } from '@/lib/store/lease'
import { appendEntries } from '@/lib/store/log'
import { insertOverrides, listOverrides } from '@/lib/store/override'
import { predictionBatches, prunePredictions, putPredictions } from '@/lib/store/prediction-blob'
import { insertNewRollouts, insertTrajectories } from '@/lib/store/rollout'
import { createRun, deleteRun, findRun, findRunByKey, listRuns, type NewRun, updateRun } from '@/lib/store/run'
import { listScores, putScore } from '@/lib/store/score'
import { newestSnapshot, pruneSnapshots, putSnapshot } from '@/lib/store/snapshot'
import { deleteTaskSet } from '@/lib/store/task-set'
import { createToken, findTokenByHash, listTokens, revokeToken, touchToken } from '@/lib/store/token'
import { isAvailable, useDatabase } from '@/tests/support/database'
import { groupRow, leaseRow, NOW, rolloutRow, seedRun } from '@/tests/support/store-rows'

const batchRow = { epoch: 1, seq: 1, at: NOW, policyVersion: 0, size: 2, groupSize: 8 }
const override = {
  seq: 1,
  fromBatch: 1,
  batches: null,
  note: '',
  author: 'me',
  at: NOW,
  before: '',
  after: '',
  lifts: null,
}
const alarm = { kind: 'starved', environment: 0, severity: 'warn', title: 't', sentence: 's', acknowledgedBy: null }

/** One row at least in every table that belongs to a run. */
async function fill(database: Database, runId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await appendEntries(tx, runId, 0, 1, [{ kind: 'policy', at: NOW }])
    await putSnapshot(tx, runId, 1, new Uint8Array([1]))
    const picks = [{ position: 0, task: 0, slot: 'score', lease: 1, record: {} }]
    await insertBatch(tx, runId, { ...batchRow, index: 1, requestId: 'a', record: {} }, picks)
    await insertLeases(tx, runId, [leaseRow(1)])
    await insertGroups(tx, runId, [groupRow(1, { lease: 1 })])
    await insertNewRollouts(tx, runId, [rolloutRow('r')])
    await insertTrajectories(tx, runId, [{ rolloutId: 'r', messages: [] }])
    await putPredictions(tx, runId, 1, new Float32Array([0.25]))
    await insertOverrides(tx, runId, [{ ...override, number: 1, change: {} }])
    await upsertAlarms(tx, runId, [{ ...alarm, key: 'k', since: 1, snoozedUntil: null, endedAt: null }])
    await putScore(tx, runId, { name: 'dev', policyVersion: 0, value: 0, at: NOW })
    await appendAudit(tx, { runId, at: NOW, actor: 'me', action: 'start', detail: '' })
  })
}

async function countOfRun(database: Database): Promise<Record<string, number>> {
  const { client } = database.db
  return {
    entries: await client.logEntry.count(),
    snapshots: await client.snapshot.count(),
    batches: await client.batch.count(),
    picks: await client.batchPick.count(),
    leases: await client.lease.count(),
    groups: await client.group.count(),
    rollouts: await client.rollout.count(),
    trajectories: await client.trajectory.count(),
    predictions: await client.predictionBlob.count(),
    overrides: await client.override.count(),
    alarms: await client.alarm.count(),
    scores: await client.score.count(),
    runs: await client.run.count(),
  }
}

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`run on ${provider}`, () => {
    const database = useDatabase(provider)

    it('is found again by its key, and patched field by field', async () => {
      const run = await seedRun(database(), { key: 'trainer', config: { uniformShare: 0, quotas: {} } })
      const { id: _, ...rest } = run
      const again = { ...rest, name: 'second', config: {} } as NewRun
      const second = await database().transaction((tx) => createRun(tx, again))
      expect(second).toEqual({ run, created: false })
      const free = await database().transaction((tx) => createRun(tx, { ...again, key: null }))
      expect(free.created).toBe(true)
      expect(await findRunByKey(database().db, run.taskSetId, 'trainer')).toEqual(run)
      expect(await findRunByKey(database().db, run.taskSetId, 'other')).toBeNull()

      const patch = { policyVersion: 0, statusNote: '', reportGaps: [0, 1.5], lastReportAt: NOW + 0.5, status: 'live' }
      await database().transaction((tx) => updateRun(tx, run.id, patch))
      expect(await findRun(database().db, run.id)).toEqual({ ...run, ...patch })
      await database().transaction((tx) => updateRun(tx, run.id, { policyVersion: null, statusNote: null }))
      expect(await findRun(database().db, run.id)).toMatchObject({
        policyVersion: null,
        statusNote: null,
        status: 'live',
      })

      const page = await listRuns(database().db, { limit: 1 })
      expect([page.items.length, page.next, page.total]).toEqual([1, 1, 2])
      expect((await listRuns(database().db, { limit: 9 }, { statuses: ['live'] })).items.map((row) => row.id)).toEqual([
        run.id,
      ])
    })

    it('takes two starts with one key at once as one run', async () => {
      const { taskSetId } = await seedRun(database())
      const input = { key: 'k', name: 'n', taskSetId, mode: 'choose', status: 'waiting', seed: '0', config: {} }
      const rest = { plannedSteps: null, model: null, algorithm: null, createdAt: NOW }
      const start = () => database().transaction((tx) => createRun(tx, { ...input, ...rest }))
      const results = await Promise.all([start(), start(), start()])
      expect(new Set(results.map((result) => result.run.id)).size).toBe(1)
      expect(results.filter((result) => result.created)).toHaveLength(1)
    })

    it('keeps batches and picks as they were chosen', async () => {
      const run = await seedRun(database())
      const record = { fallback: { rung: 'full', why: null }, notes: [], eligible: 0, expectedInformative: 1 / 3 }
      const picks = [1, 0].map((task, position) => ({
        position,
        task,
        slot: 'uniform',
        lease: position,
        record: { s: 0 },
      }))
      await database().transaction(async (tx) => {
        for (const index of [1, 2, 3]) {
          await insertBatch(tx, run.id, { ...batchRow, index, requestId: `q${index}`, record }, picks)
        }
      })
      const { db } = database()
      const batch = { ...batchRow, index: 2, requestId: 'q2', record, superseded: false }
      expect(await findBatch(db, run.id, 2)).toEqual(batch)
      expect(await findBatchByRequest(db, run.id, 1, 'q2')).toEqual(batch)
      expect(await findBatchByRequest(db, run.id, 2, 'q2')).toBeNull()
      expect((await batchesBetween(db, run.id, 2, 3)).map((row) => row.index)).toEqual([2, 3])
      expect(await picksBetween(db, run.id, 2, 2)).toEqual(picks.map((pick) => ({ ...pick, batch: 2 })))
      expect(await picksBetween(db, run.id, 1, 3)).toHaveLength(6)
      expect((await picksOfTask(db, run.id, 1, 2)).map((pick) => pick.batch)).toEqual([3, 2])
      const same = { ...batchRow, index: 4, requestId: 'q2', record }
      await expect(database().transaction((tx) => insertBatch(tx, run.id, same, []))).rejects.toThrow()
    })

    it('finds leases that are open, due, ended', async () => {
      const run = await seedRun(database())
      const leases = [leaseRow(1, { expiresAt: NOW }), leaseRow(2, { expiresAt: NOW + 1 }), leaseRow(3, { batch: 2 })]
      await database().transaction((tx) => insertLeases(tx, run.id, leases))
      const { db } = database()
      expect(await leasesByNumber(db, run.id, [2, 9])).toEqual([leases[1]])
      expect((await dueLeases(db, run.id, NOW)).map((lease) => lease.number)).toEqual([1])
      expect(await database().transaction((tx) => setLeaseState(tx, run.id, [1, 2], 'expired'))).toBe(2)
      expect(await database().transaction((tx) => setLeaseState(tx, run.id, [1, 2], 'expired'))).toBe(0)
      expect(await dueLeases(db, run.id, NOW * 2)).toEqual([leases[2]])
      expect((await leasesByNumber(db, run.id, [1, 2])).map((lease) => lease.state)).toEqual(['expired', 'expired'])
      expect(await countOpenLeases(db, run.id)).toBe(1)
    })

    it('keeps groups from open to absorbed', async () => {
      const run = await seedRun(database())
      const three = { task: 3, returned: 1 }
      const groups = [
        groupRow(1, { lease: 4, batch: 1, slot: 'uniform', late: false }),
        groupRow(2, { ...three, policyVersion: 5 }),
        groupRow(3, { ...three, policyVersion: 6, state: 'complete', completedOrder: 2, informative: false, mean: 0 }),
        groupRow(4, { lease: 4, late: true, state: 'complete', completedOrder: 1, statuses: { ok: 0 } }),
      ]
      await database().transaction((tx) => insertGroups(tx, run.id, groups))
      const { db } = database()
      expect(await groupsByLease(db, run.id, [4])).toEqual([groups[0], groups[3]])
      const asked = { task: 3, policyVersion: 5 }
      expect(await openGroupsWithoutLease(db, run.id, [])).toEqual([])
      expect(await openGroupsWithoutLease(db, run.id, [{ ...asked, policyVersion: 4 }])).toEqual([])
      expect(await openGroupsWithoutLease(db, run.id, [{ ...asked, task: 2 }])).toEqual([])
      // its complete neighbour of the next version is none
      expect(await openGroupsWithoutLease(db, run.id, [{ ...asked, policyVersion: 6 }, asked])).toEqual([groups[1]])
      expect([await newestReported(db, run.id), await newestReported(db, 'no run')]).toEqual([6, null])
      expect((await completeGroups(db, run.id)).map((group) => group.number)).toEqual([4, 3])
      const done = { ...groups[3]!, state: 'absorbed' as const, logSeq: 9, sum: 0.1 + 0.2, predictedVariance: 0 }
      await database().transaction((tx) => upsertGroups(tx, run.id, [done, groupRow(5, { batch: 1 })]))
      expect(await completeGroups(db, run.id)).toEqual([groups[2]])
      expect((await groupsSince(db, run.id, 8)).find((group) => group.number === 4)).toEqual(done)
      expect((await groupsSince(db, run.id, 9)).map((group) => group.number)).toEqual([1, 2, 3, 5])
    })

    it('keeps snapshots and predictions as bytes, and prunes them', async () => {
      const run = await seedRun(database())
      const { db } = database()
      await database().transaction(async (tx) => {
        for (const seq of [5, 10, 15]) await putSnapshot(tx, run.id, seq, new Uint8Array([0, 255, seq]))
        await putSnapshot(tx, run.id, 15, new Uint8Array([7]))
        for (let batch = 1; batch <= 215; batch++)
          await putPredictions(tx, run.id, batch, new Float32Array([0, batch / 3]))
      })
      const newest = await newestSnapshot(db, run.id, 14)
      expect([newest?.seq, Array.from(newest?.bytes ?? [])]).toEqual([10, [0, 255, 10]])
      expect((await newestSnapshot(db, run.id))?.seq).toBe(15)
      expect(await newestSnapshot(db, run.id, 4)).toBeNull()
      await database().transaction((tx) => pruneSnapshots(tx, run.id, 2))
      expect(await newestSnapshot(db, run.id, 9)).toBeNull()
      expect((await newestSnapshot(db, run.id, 14))?.seq).toBe(10)
      await database().transaction((tx) => pruneSnapshots(tx, run.id, 0))
      expect(await newestSnapshot(db, run.id)).toBeNull()

      const stored = async (batch: number) => {
        const found = await db.client.predictionBlob.findUnique({ where: { runId_batch: { runId: run.id, batch } } })
        return found === null ? null : new Float32Array(new Uint8Array(found.bytes).buffer)
      }
      expect(await stored(200)).toEqual(new Float32Array([0, 200 / 3]))
      await database().transaction((tx) => prunePredictions(tx, run.id))
      expect((await predictionBatches(db, run.id)).slice(0, 3)).toEqual([10, 16, 17])
      expect(await predictionBatches(db, run.id)).toHaveLength(201)
      expect(await stored(5)).toBeNull()
    })

    it('keeps overrides, alarms, scores, audit, tokens and import jobs', async () => {
      const run = await seedRun(database())
      const { db } = database()
      const change = { kind: 'quota', environment: 0, lower: 0, upper: 0.1 + 0.2 }
      await database().transaction(async (tx) => {
        await insertOverrides(tx, run.id, [{ ...override, number: 1, change }])
        await insertOverrides(tx, run.id, [{ ...override, number: 2, change: { kind: 'lift', override: 1 }, lifts: 1 }])
        const ended = { ...alarm, key: 'b', since: 0, snoozedUntil: 0, endedAt: 0 }
        await upsertAlarms(tx, run.id, [{ ...alarm, key: 'a', since: 3, snoozedUntil: null, endedAt: null }, ended])
        await putScore(tx, run.id, { name: 'dev', policyVersion: 0, value: 0.5, at: NOW })
        await putScore(tx, run.id, { name: 'dev', policyVersion: 0, value: 0, at: NOW })
        for (const action of ['first', 'second', 'third']) {
          await appendAudit(tx, { runId: run.id, at: NOW, actor: 'me', action, detail: 'a\0b' })
        }
      })
      expect((await listOverrides(db, run.id)).map((row) => [row.change, row.undoneBy])).toEqual([
        [change, 2],
        [{ kind: 'lift', override: 1 }, null],
      ])
      expect((await listAlarms(db, run.id)).map((row) => row.key)).toEqual(['a'])
      expect((await listAlarms(db, run.id, { ended: true }))[1]).toMatchObject({
        since: 0,
        snoozedUntil: 0,
        endedAt: 0,
      })
      const again = { ...alarm, key: 'a', since: 3, snoozedUntil: null, endedAt: null, acknowledgedBy: 'me' }
      await database().transaction((tx) => upsertAlarms(tx, run.id, [again]))
      expect(await listAlarms(db, run.id)).toEqual([again])
      expect(await listScores(db, run.id)).toEqual([{ name: 'dev', policyVersion: 0, value: 0, at: NOW }])
      const audit = await listAudit(db, { limit: 2 }, run.id)
      expect([audit.items.map((event) => event.action), audit.total]).toEqual([['third', 'second'], 3])
      expect((await listAudit(db, { limit: 2, cursor: audit.next })).items.map((event) => event.action)).toEqual([
        'first',
      ])

      const token = await database().transaction((tx) =>
        createToken(tx, { hash: 'h', name: 'ci', scope: 'report', createdAt: NOW }),
      )
      await database().transaction((tx) => touchToken(tx, token.id, 0))
      expect(await findTokenByHash(db, 'h')).toEqual({ ...token, lastUsedAt: 0, revokedAt: null })
      expect(await database().transaction((tx) => revokeToken(tx, token.id, NOW))).toBe(true)
      expect(await database().transaction((tx) => revokeToken(tx, token.id, NOW + 1))).toBe(false)
      expect((await listTokens(db)).map((row) => row.revokedAt)).toEqual([NOW])

      const plain = {
        name: 'f',
        state: 'reading',
        format: null,
        unit: 'bytes',
        startedAt: NOW,
        updatedAt: NOW,
        error: null,
      }
      const job = await database().transaction((tx) =>
        createImportJob(tx, { ...plain, done: 0, total: null, report: { skipped: [] }, taskSetId: null, runId: null }),
      )
      await database().transaction((tx) => updateImportJob(tx, job.id, { done: 3e12, total: 3e12, report: { n: 0 } }))
      expect(await findImportJob(db, job.id)).toEqual({ ...job, done: 3e12, total: 3e12, report: { n: 0 } })
      expect((await listImportJobs(db, { limit: 1 })).total).toBe(1)
    })

    it('takes everything along when it is deleted, but the audit', async () => {
      const run = await seedRun(database())
      await fill(database(), run.id)
      expect(Object.values(await countOfRun(database())).every((count) => count === 1)).toBe(true)
      expect(await database().transaction((tx) => deleteRun(tx, run.id))).toBe(true)
      expect(Object.values(await countOfRun(database())).every((count) => count === 0)).toBe(true)
      expect(await database().transaction((tx) => deleteRun(tx, run.id))).toBe(false)
      expect((await listAudit(database().db, { limit: 9 })).items.map((event) => event.runId)).toEqual([null])
      expect(await database().db.client.task.count()).toBe(4)
    })

    it('goes with its task set', async () => {
      const run = await seedRun(database())
      await fill(database(), run.id)
      expect(await database().transaction((tx) => deleteTaskSet(tx, run.taskSetId))).toBe(true)
      expect(Object.values(await countOfRun(database())).every((count) => count === 0)).toBe(true)
      expect(await database().db.client.task.count()).toBe(0)
      expect(await database().db.client.environment.count()).toBe(0)
    })
  })
}
