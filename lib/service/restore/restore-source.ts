/**
 * Which run a state is of, and whether it still fits that run's log.
 * Owns: what is said where it does not. Invariant: a state that passes names a place on the run's line, or on a line of the past
 * when it goes into another run.
 */
import type { RestoreInput } from '@/lib/contract/state'
import { missingRun, type OpenRun, requireRun } from '@/lib/service/open-run'
import type { Runtime } from '@/lib/service/runtime'
import { ServiceError } from '@/lib/service/service-error'
import { entrySpans, forksOf, isIn } from '@/lib/store/line'
import { runsWithEntry } from '@/lib/store/log'
import { findRun } from '@/lib/store/run'
import { fingerprintOf } from './scheduler-state'

/** Runs that are looked at for a state whose run is not here under its id, as after an import. */
const LOOKED_AT = 200

/** The run that the state is of; null = the run itself that it is restored into. */
export async function findSource(runtime: Runtime, opened: OpenRun, state: RestoreInput): Promise<OpenRun | null> {
  const { db } = runtime.database
  if (state.run === opened.run.id) return null
  if ((await findRun(db, state.run)) !== null) return requireRun(runtime, state.run)
  const candidates = state.seq === 0 ? [] : await runsWithEntry(db, state.seq)
  const ordered = candidates.sort((a, b) => Number(b === opened.run.id) - Number(a === opened.run.id))
  for (const id of ordered.slice(0, LOOKED_AT)) {
    const other = await requireRun(runtime, id)
    if ((await fingerprintOf(db, other, state)) === state.fingerprint) return id === opened.run.id ? null : other
  }
  const missing = await missingRun(runtime, state.run)
  if (missing.status === 410)
    throw new ServiceError(
      410,
      'state_deleted',
      `This state cannot be restored. ${missing.message} Go on without restoring, or import its archive first.`,
    )
  throw new ServiceError(
    404,
    'state_unknown',
    `This state is of the run "${state.run}", which this server does not have: import the archive of that run, then restore again.`,
  )
}

export async function refuseUnfit(runtime: Runtime, of: OpenRun, state: RestoreInput): Promise<void> {
  const { run } = of
  if (state.seq > run.logSeq || state.rollouts > run.rolloutCount)
    throw new ServiceError(
      409,
      'state_ahead',
      `This state is ahead of the run "${run.name}": it is of log number ${state.seq} with ${state.rollouts} rollouts, and the run has ${run.logSeq} with ${run.rolloutCount}. The server's data were set back: restore its newest backup, or an older checkpoint.`,
    )
  if ((await fingerprintOf(runtime.database.db, of, state)) !== state.fingerprint)
    throw new ServiceError(
      409,
      'state_mismatch',
      `This state does not fit the run "${run.name}": its fingerprint is of another log. Restore the state that this server gave for this run.`,
    )
}

/** A run goes back on its own line only: what was left behind is restored into a new run. */
export async function refuseLeftBehind(runtime: Runtime, { run }: OpenRun, state: RestoreInput): Promise<void> {
  const spans = entrySpans(await forksOf(runtime.database.db, run.id), run.logSeq)
  if (state.seq === 0 || isIn(spans, state.seq)) return
  throw new ServiceError(
    409,
    'state_superseded',
    `This state is of batch ${state.batch} in epoch ${state.epoch}, which an earlier restore left behind: start a new run with the same task set and restore it there.`,
  )
}
