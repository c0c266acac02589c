/**
 * The restores of a run as pages mark them. Reads only where there are any.
 */
import type { RestorePoint } from '@/lib/contract/state'
import type { RestoreEntry } from '@/lib/engine/log-entry'
import { entriesOfKind } from '@/lib/store/log'
import type { OpenRun } from './open-run'
import type { Runtime } from './runtime'

/** Oldest first. */
export async function restorePoints(runtime: Runtime, { run }: OpenRun): Promise<RestorePoint[]> {
  if (run.epoch === 1) return []
  const found = await entriesOfKind<RestoreEntry>(runtime.database.db, run.id, 'restore')
  return found.map(({ epoch, at, payload }) => ({
    epoch,
    at: new Date(at).toISOString(),
    author: payload.author,
    from: payload.from.batch,
    to: payload.to.batch,
    source:
      payload.source === null
        ? null
        : { run: payload.source.run, name: payload.source.name, batch: payload.source.batch },
  }))
}
