/**
 * Applies a draft, undoes an override: entries of the log, written with their history rows in one transaction.
 * Invariant: undo is a new entry; what cannot be is refused whole, so nothing is applied by half.
 */
import type { Principal } from '@/lib/contract/access'
import { applyInput, type Override } from '@/lib/contract/steering'
import type { OverrideChange, OverrideEntry } from '@/lib/engine/log-entry'
import type { DraftChange } from '@/lib/engine/scheduler'
import type { SchedulerView } from '@/lib/engine/view'
import { appendAudit } from '@/lib/store/audit'
import { insertOverrides, listOverrides } from '@/lib/store/override'
import { updateRun } from '@/lib/store/run'
import { commitEntries, untilWritten } from './absorb'
import { drainedLeases, endLeases, settleEnding } from './end-leases'
import { letterOf, requireNumber } from './ids'
import { movedSince } from './moved-since'
import { openRun } from './open-run'
import { beforeAndAfter, engineChange } from './override-change'
import { beside, type Row, resumedPause } from './override-span'
import { overrideView } from './read-overrides'
import type { Runtime } from './runtime'
import { invalid, notFound, ServiceError } from './service-error'
import { sift } from './sift-draft'

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
  const { changes, note, cursor, anyway, newestOverride } = parsed.data
  return runtime.queue.run(runId, async () => {
    const opened = await openRun(runtime, runId)
    const seen = anyway ? newestOverride : null
    if (opened.run.logSeq !== cursor && (!anyway || (seen !== null && opened.run.overrideCount > seen))) {
      throw new ServiceError(
        409,
        'log_moved',
        'The run moved since this preview: look at the new difference, then apply.',
        await movedSince(runtime, opened, cursor),
      )
    }
    return write(
      runtime,
      runId,
      changes,
      (input) => engineChange(opened.catalog, input),
      { note, undoes: null },
      who,
      now,
    )
  })
}

/** Undo is a new entry: it lifts a change, or puts one in force again that an undo or a resume took out. */
export async function undoOverride(
  runtime: Runtime,
  runId: string,
  id: string,
  why: string,
  who: Principal,
  now: number,
): Promise<Override> {
  const number = requireNumber('override', id)
  const parsed = applyInput.shape.note.safeParse(why)
  if (!parsed.success) throw invalid('note', parsed.error.issues)
  const note = parsed.data
  const applied = await runtime.queue.run(runId, async () => {
    const rows = await listOverrides<OverrideChange>(runtime.database.db, runId)
    const row = rows.find((one) => one.number === number)
    if (row === undefined) throw notFound('override', id)
    if (row.undoneBy !== null) {
      const by = rows.find((one) => one.number === row.undoneBy)
      const where = by === undefined ? '' : ` from batch ${by.fromBatch}, by ${by.author}`
      throw new ServiceError(409, 'already_undone', `This change was undone before${where}.`)
    }
    const again = againOf(rows, row)
    const change: DraftChange = again ?? { change: { kind: 'lift', override: number }, batches: null }
    return write(runtime, runId, [change], (one) => one, { note, undoes: again === null ? null : number }, who, now)
  })
  const made = applied.overrides[0]
  if (made === undefined) throw new Error(`undo of ${id} wrote nothing`)
  return made
}

/** What an entry that took another out of force is undone by: that other, for the batches it had left; null for any other entry. */
function againOf(rows: readonly Row[], row: Row): DraftChange | null {
  const { change } = row
  if (change.kind !== 'lift' && change.kind !== 'resume') return null
  const ended = change.kind === 'lift' ? rows.find((one) => one.number === change.override) : resumedPause(rows, row)
  if (ended === undefined || ended === null)
    throw new ServiceError(
      409,
      'nothing_ended',
      'This entry took nothing out of force, so there is nothing to put back.',
    )
  const batches = ended.batches === null ? null : Math.max(1, ended.batches - (row.fromBatch - ended.fromBatch))
  return { change: ended.change, batches }
}

async function write<Input>(
  runtime: Runtime,
  runId: string,
  changes: readonly Input[],
  translate: (input: Input) => DraftChange,
  { note, undoes }: { note: string; undoes: number | null },
  who: Principal,
  now: number,
): Promise<AppliedDraft> {
  return untilWritten(runtime, runId, async (opened) => {
    const { run, catalog } = opened
    const before = await runtime.engine.view(runId)
    const earlier = await listOverrides<OverrideChange>(runtime.database.db, runId)
    const { accepted, refused } = await sift(runtime, runId, changes, translate)
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
      rowOf(entry, before, earlier, {
        undoes,
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
        const all = [...earlier, ...rows]
        return {
          entries: [],
          value: { overrides: rows.map((row) => overrideView(catalog, row, all, left)), fromBatch: run.batchCount + 1 },
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
  earlier: readonly Row[],
  { undoes, ...named }: { undoes: number | null; note: string; author: string; fromBatch: number; seq: number },
): Row {
  const { change } = entry
  const lifted = change.kind === 'lift' ? earlier.find((row) => row.number === change.override) : undefined
  return {
    number: entry.override,
    ...named,
    change,
    batches: entry.batches,
    at: entry.at,
    ...(lifted === undefined ? beforeAndAfter(change, view) : lifting(lifted, earlier, view)),
    lifts: change.kind === 'lift' ? change.override : undoes,
    undoneBy: null,
    superseded: false,
  }
}

/** What an undo changes: from the value of the undone change to what held without it, or nothing where a later one rules. */
function lifting(lifted: Row, earlier: readonly Row[], view: SchedulerView): { before: string; after: string } {
  const held = new Set(view.overrides.map(({ override }) => override))
  const { later, backTo } = beside(earlier, lifted, (number) => held.has(number))
  return later === null
    ? { before: lifted.after, after: backTo }
    : { before: later.after, after: `${later.after}, held by ${letterOf(later.number)}` }
}
