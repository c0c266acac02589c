/**
 * A trainer asks for a batch: absorb what came back, choose on the new state, write all of it at once, lease the picks.
 * Owns: the order of these steps, and that the same request id gives the same batch. Must never know: HTTP.
 * Invariant: one transaction; the decision record is stored with each pick when it is made.
 */
import type { BatchAnswer, BatchRequestInput } from '@/lib/contract/batch'
import type { BatchDecision } from '@/lib/engine/decision'
import type { BatchEntry } from '@/lib/engine/log-entry'
import { findBatch, findBatchByRequest, insertBatch, picksBetween } from '@/lib/store/batch'
import type { Tx } from '@/lib/store/database'
import { insertGroups } from '@/lib/store/group'
import { insertLeases } from '@/lib/store/lease'
import { prunePredictions, putPredictions } from '@/lib/store/prediction-blob'
import { type RunRow, updateRun } from '@/lib/store/run'
import { tasksByOrdinal } from '@/lib/store/task'
import { collectDue, commitEntries, settleDue, untilWritten } from './absorb'
import { evaluateAlarms } from './alarms'
import { type BatchRecord, batchRecord, type PickRecord, pickRecord, slotOf } from './batch-record'
import { type Catalog, taskAt } from './catalog'
import { emptyGroup } from './group-book'
import { batchId, leaseId } from './ids'
import { leaseSeconds } from './lease-time'
import { type OpenRun, requireRun } from './open-run'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'
import { sharesOf } from './told'

export async function requestBatch(
  runtime: Runtime,
  runId: string,
  input: BatchRequestInput,
  now: number,
): Promise<BatchAnswer> {
  const index = await runtime.queue.run(runId, async () => {
    const { run } = await requireRun(runtime, runId)
    const known = await findBatchByRequest(runtime.database.db, runId, run.epoch, input.requestId)
    if (known !== null) return known.index
    refuseUnlessOpen(run)
    return untilWritten(runtime, runId, (opened) => issue(runtime, opened, input, now))
  })
  void evaluateAlarms(runtime, runId)
  return answerOf(runtime, runId, index)
}

function refuseUnlessOpen(run: RunRow): void {
  if (run.mode === 'shadow')
    throw new ServiceError(
      409,
      'run_shadow',
      `The run "${run.name}" is in shadow mode: its trainer chooses by itself and only reports.`,
    )
  if (run.status === 'paused')
    throw new ServiceError(409, 'run_paused', `The run "${run.name}" is paused: ask again until it is resumed.`)
  if (run.status === 'finished' || run.status === 'failed')
    throw new ServiceError(409, 'run_over', `The run "${run.name}" is ${run.status}: start a new one.`)
}

async function issue(
  runtime: Runtime,
  opened: OpenRun,
  input: BatchRequestInput,
  now: number,
): Promise<number | 'moved'> {
  const { run, catalog } = opened
  const due = await collectDue(runtime, opened, now, input.policyVersion)
  const index = run.batchCount + 1
  const written = await commitEntries(
    runtime,
    opened,
    due,
    async () => {
      const { size, groupSize, policyVersion } = input
      const decision = await runtime.engine.propose(run.id, { size, groupSize, policyVersion, at: now }, [], [])
      return { entries: [entryOf(decision, run, index, input, now)], value: decision }
    },
    async ({ tx, seq, predictions, value: decision, run: fresh }) => {
      await settleDue(tx, run.id, due, seq, predictions)
      await writeBatch(tx, { run: fresh, catalog, decision, input, index, seq: seq + due.entries.length + 1, now })
    },
  )
  return written === 'moved' ? 'moved' : index
}

function entryOf(
  decision: BatchDecision,
  run: RunRow,
  batch: number,
  input: BatchRequestInput,
  at: number,
): BatchEntry {
  return {
    kind: 'batch',
    batch,
    at,
    policyVersion: input.policyVersion,
    groupSize: input.groupSize,
    picks: decision.picks.map(({ task, slot, groupSize }, position) => {
      const pick = { task, slot, lease: run.leaseCount + position + 1 }
      return groupSize === input.groupSize ? pick : { ...pick, groupSize }
    }),
  }
}

interface Writing {
  run: RunRow
  catalog: Catalog
  decision: BatchDecision
  input: BatchRequestInput
  index: number
  seq: number
  now: number
}

async function writeBatch(tx: Tx, { run, decision, input, index, seq, now }: Writing): Promise<void> {
  const { groupSize, policyVersion, size, requestId } = input
  const base = { batch: index, policyVersion }
  const numbered = decision.picks.map((pick, position) => ({ pick, position, lease: run.leaseCount + position + 1 }))
  await insertBatch(
    tx,
    run.id,
    { index, epoch: run.epoch, requestId, seq, at: now, policyVersion, size, groupSize, record: batchRecord(decision) },
    numbered.map(({ pick, position, lease }) => ({
      position,
      task: pick.task,
      slot: pick.slot,
      lease,
      record: pickRecord(pick, decision),
    })),
  )
  const expiresAt = now + leaseSeconds(run) * 1000
  await insertLeases(
    tx,
    run.id,
    numbered.map(({ pick, lease }) => ({
      ...base,
      number: lease,
      task: pick.task,
      slot: pick.slot,
      groupSize: pick.groupSize,
      issuedAt: now,
      expiresAt,
      state: 'open' as const,
    })),
  )
  await insertGroups(
    tx,
    run.id,
    numbered.map(({ pick, position, lease }) => ({
      ...emptyGroup({
        number: run.groupCount + position + 1,
        lease,
        batch: index,
        slot: pick.slot,
        task: pick.task,
        policyVersion,
      }),
      shares: sharesOf(decision.fallback.rung === 'full' ? pick.shares : null),
    })),
  )
  await putPredictions(tx, run.id, index, decision.predictedVariance)
  await prunePredictions(tx, run.id)
  await updateRun(tx, run.id, {
    batchCount: index,
    leaseCount: run.leaseCount + numbered.length,
    groupCount: run.groupCount + numbered.length,
    policyVersion: Math.max(policyVersion, run.policyVersion ?? -1),
  })
}

/** The stored batch as a trainer reads it: the same whether it was made now or asked for again. */
async function answerOf(runtime: Runtime, runId: string, index: number): Promise<BatchAnswer> {
  const { run, catalog } = await requireRun(runtime, runId)
  const { db } = runtime.database
  const stored = await findBatch<BatchRecord>(db, runId, index)
  if (stored === null) throw new Error(`batch ${index} of ${runId} is not stored`)
  const picks = await picksBetween<PickRecord>(db, runId, index, index)
  const tasks = await tasksByOrdinal<unknown>(
    db,
    run.taskSetId,
    picks.map((pick) => pick.task),
  )
  const payloads = new Map(tasks.map((task) => [task.ordinal, task.payload]))
  return {
    batch: batchId(index),
    index,
    fallback: stored.record.fallback,
    notes: stored.record.notes,
    picks: picks.map(({ task, lease, slot, record }) => {
      const { id, key, environment } = taskAt(catalog, task)
      return {
        lease: leaseId(lease),
        environment: environment.key,
        task: key,
        id,
        groupSize: record.groupSize ?? stored.groupSize,
        slot: slotOf(slot),
        payload: payloads.get(task) ?? null,
        reason: record.reason,
      }
    }),
  }
}
