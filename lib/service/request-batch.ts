/**
 * A trainer asks for a batch: absorb what came back, choose on the new state, write all of it at once, lease the picks.
 * Owns: the order of these steps, and that the same request id gives the same batch. Must never know: HTTP.
 * Invariant: one transaction; the decision record is stored with each pick when it is made.
 */
import type { BatchAnswer, BatchRequestInput } from '@/lib/contract/batch'
import type { BatchDecision } from '@/lib/engine/decision'
import type { BatchEntry, SharesEntry } from '@/lib/engine/log-entry'
import { findBatch, findBatchByRequest, insertBatch, picksBetween } from '@/lib/store/batch'
import type { Tx } from '@/lib/store/database'
import { prunePredictions, putPredictions } from '@/lib/store/prediction-blob'
import { type RunRow, updateRun } from '@/lib/store/run'
import { collectDue, commitEntries, settleDue, untilWritten } from './absorb'
import { evaluateAlarms } from './alarms'
import { type BatchRecord, batchRecord, type PickRecord, type Stages } from './batch-record'
import { environmentAt, environmentOf } from './catalog'
import { environmentShares } from './environment-shares'
import { batchId } from './ids'
import { entryPicks, issuePicks, ONE_SIZE } from './issue-picks'
import { boughtLeases, issuedPicks } from './issued-picks'
import { type OpenRun, requireRun } from './open-run'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'

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
    throw new ServiceError(
      409,
      'run_over',
      `The run "${run.name}" is ${run.status}: start it again by its key to go on with it.`,
    )
}

const stagesOf = ({ stages }: BatchRequestInput): Stages | null => {
  const [first, second] = stages ?? []
  return first === undefined || second === undefined ? null : [first, second]
}

async function issue(
  runtime: Runtime,
  opened: OpenRun,
  input: BatchRequestInput,
  now: number,
): Promise<number | 'moved'> {
  const { run } = opened
  const due = await collectDue(runtime, opened, now, input.policyVersion)
  const index = run.batchCount + 1
  const stages = stagesOf(input)
  const written = await commitEntries(
    runtime,
    opened,
    due,
    async () => {
      const { size, policyVersion } = input
      const request = { size, groupSize: stages?.[0] ?? input.groupSize, policyVersion, at: now }
      const decision = await runtime.engine.propose(run.id, request, stages === null ? [] : [ONE_SIZE], [])
      return {
        entries: [entryOf(decision, run, index - run.batchShift, input, request.groupSize, now)],
        value: decision,
      }
    },
    async ({ tx, seq, predictions, value: decision, run: fresh }) => {
      await settleDue(tx, run.id, due, seq, predictions)
      await writeBatch(tx, opened, { run: fresh, decision, input, index, seq: seq + due.entries.length + 1, now })
    },
  )
  return written === 'moved' ? 'moved' : index
}

function entryOf(
  decision: BatchDecision,
  run: RunRow,
  batch: number,
  input: BatchRequestInput,
  groupSize: number,
  at: number,
): BatchEntry | SharesEntry {
  const { size, policyVersion } = input
  if (input.mode === 'shares') {
    const uniform = decision.picks.filter(({ slot }) => slot === 'uniform').map(({ task }) => task)
    return { kind: 'shares', batch, at, policyVersion, groupSize, size, uniform }
  }
  return { kind: 'batch', batch, at, policyVersion, groupSize, picks: entryPicks(decision, run, groupSize) }
}

interface Writing {
  run: RunRow
  decision: BatchDecision
  input: BatchRequestInput
  index: number
  seq: number
  now: number
}

async function writeBatch(tx: Tx, { catalog }: OpenRun, writing: Writing): Promise<void> {
  const { run, decision, input, index, seq, now } = writing
  const { groupSize, policyVersion, size, requestId } = input
  const stages = stagesOf(input)
  const record: BatchRecord = batchRecord(decision)
  if (stages !== null) record.stages = stages
  if (input.mode === 'shares')
    record.shares = environmentShares(
      decision.picks.map(({ task }) => environmentOf(catalog, task)),
      size,
    )
  await insertBatch(
    tx,
    run.id,
    { index, epoch: run.epoch, requestId, seq, at: now, policyVersion, size, groupSize, record },
    [],
  )
  if (input.mode !== 'shares')
    await issuePicks(tx, {
      run,
      decision,
      batch: index,
      policyVersion,
      from: 0,
      restStage: stages?.[1] ?? null,
      boughtBy: null,
      now,
    })
  await putPredictions(tx, run.id, index, decision.predictedVariance)
  await prunePredictions(tx, run.id)
  await updateRun(tx, run.id, {
    batchCount: index,
    policyVersion: Math.max(policyVersion, run.policyVersion ?? -1),
  })
}

/** The stored batch as a trainer reads it: the same whether it was made now or asked for again. */
async function answerOf(runtime: Runtime, runId: string, index: number): Promise<BatchAnswer> {
  const { run, catalog } = await requireRun(runtime, runId)
  const { db } = runtime.database
  const stored = await findBatch<BatchRecord>(db, runId, index)
  if (stored === null) throw new Error(`batch ${index} of ${runId} is not stored`)
  const { fallback, notes, shares, stages } = stored.record
  const picks = await picksBetween<PickRecord>(db, runId, index, index)
  // picks that reports bought are told in the answers to those
  const bought = stages === undefined ? new Set<number>() : await boughtLeases(db, runId, index)
  const first = picks.filter(({ lease }) => !bought.has(lease))
  return {
    batch: batchId(index),
    index,
    fallback,
    notes,
    picks: await issuedPicks(runtime, { run, catalog }, stored, first),
    ...(shares === undefined
      ? {}
      : {
          shares: shares.map(({ environment, picks: count }) => ({
            environment: environmentAt(catalog, environment).key,
            picks: count,
          })),
        }),
  }
}
