/**
 * Applies a draft, undoes an override: entries of the log, written with their history rows in one transaction.
 * Invariant: undo is a new entry; what cannot be is refused whole, so nothing is applied by half.
 */
import type { Principal } from '@/lib/contract/access'
import { applyInput, type Override, type OverrideInput } from '@/lib/contract/steering'
import type { OverrideChange, OverrideEntry } from '@/lib/engine/log-entry'
import type { SchedulerView } from '@/lib/engine/view'
import { appendAudit } from '@/lib/store/audit'
import { insertOverrides, listOverrides, type OverrideRow } from '@/lib/store/override'
import { updateRun } from '@/lib/store/run'
import { commitEntries, untilWritten } from './absorb'
import { drainedLeases, endLeases, settleEnding } from './end-leases'
import { requireNumber } from './ids'
import { openRun } from './open-run'
import { beforeAndAfter, engineChange } from './override-change'
import { sift } from './preview-draft'
import { overrideView } from './read-overrides'
import type { Runtime } from './runtime'
import { invalid, notFound, ServiceError } from './service-error'

interface AppliedDraft {
  overrides: Override[]
  fromBatch: number
}

export async function applyDraft(
  runtime: Runtime,
  runId: string,
  body: unknown,
  who: Principal,
  now: number,
): Promise<AppliedDraft> {
  const parsed = applyInput.safeParse(body)
  if (!parsed.success) throw invalid('draft', parsed.error.issues)
  const { changes, note, cursor, anyway } = parsed.data
  const applied = await runtime.queue.run(runId, async () => {
    const { run } = await openRun(runtime, runId)
    if (run.logSeq !== cursor && !anyway) {
      throw new ServiceError(
        409,
        'log_moved',
        'The run moved since this preview: look at the new difference, then apply.',
      )
    }
    return write(runtime, runId, changes, note, who, now)
  })
  return applied
}

export async function undoOverride(
  runtime: Runtime,
  runId: string,
  id: string,
  note: string,
  who: Principal,
  now: number,
): Promise<Override> {
  const number = requireNumber('override', id)
  const rows = await listOverrides<OverrideChange>(runtime.database.db, runId)
  const row = rows.find((one) => one.number === number)
  if (row === undefined) throw notFound('override', id)
  if (row.undoneBy !== null)
    throw new ServiceError(409, 'already_undone', `This change was undone before, in batch ${row.fromBatch}.`)
  if (row.change.kind === 'lift')
    throw new ServiceError(409, 'is_undo', 'This entry is an undo: make the change again instead.')
  const applied = await runtime.queue.run(runId, () =>
    write(runtime, runId, [{ kind: 'lift', target: id }], note, who, now),
  )
  const made = applied.overrides[0]
  if (made === undefined) throw new Error(`undo of ${id} wrote nothing`)
  return made
}

async function write(
  runtime: Runtime,
  runId: string,
  changes: readonly OverrideInput[],
  note: string,
  who: Principal,
  now: number,
): Promise<AppliedDraft> {
  return untilWritten(runtime, runId, async (opened) => {
    const { run, catalog } = opened
    const before = await runtime.engine.view(runId)
    const { accepted, refused } = await sift(runtime, runId, changes, (input) => engineChange(catalog, input))
    const first = refused[0]
    if (first !== undefined) {
      const issues = refused.map((one) => ({ path: `changes.${one.index}`, message: one.message }))
      throw new ServiceError(422, 'refused', `Refused: ${first.message}`, issues)
    }
    const ending = await endLeases(runtime, opened, await drainedLeases(runtime, opened, accepted), 'drained', now)
    const entries = accepted.map(
      ({ change, batches }, index): OverrideEntry => ({
        kind: 'override',
        at: now,
        override: run.overrideCount + index + 1,
        change,
        batches,
      }),
    )
    const rows = entries.map((entry, index) =>
      rowOf(entry, before, {
        note,
        author: who.name,
        fromBatch: run.batchCount + 1,
        seq: run.logSeq + ending.entries.length + index + 1,
      }),
    )
    return commitEntries(
      runtime,
      opened,
      { entries: [...ending.entries, ...entries], closes: ending.closes },
      async (): Promise<{ entries: []; value: AppliedDraft }> => {
        const left = new Map((await runtime.engine.view(runId)).overrides.map((one) => [one.override, one.batchesLeft]))
        return {
          entries: [],
          value: { overrides: rows.map((row) => overrideView(catalog, row, left)), fromBatch: run.batchCount + 1 },
        }
      },
      async (committing) => {
        const { tx } = committing
        await settleEnding(tx, runId, ending, committing)
        await insertOverrides(tx, runId, rows)
        await updateRun(tx, runId, { overrideCount: run.overrideCount + rows.length })
        const detail = JSON.stringify({ note, changes: rows.map((row) => row.change) })
        await appendAudit(tx, { runId, at: now, actor: who.name, action: 'override.apply', detail })
      },
    )
  })
}

function rowOf(
  entry: OverrideEntry,
  view: SchedulerView,
  named: { note: string; author: string; fromBatch: number; seq: number },
): OverrideRow<OverrideChange> {
  return {
    number: entry.override,
    ...named,
    change: entry.change,
    batches: entry.batches,
    at: entry.at,
    ...beforeAndAfter(entry.change, view),
    lifts: entry.change.kind === 'lift' ? entry.change.override : null,
    undoneBy: null,
    superseded: false,
  }
}
