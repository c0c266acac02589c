/**
 * The restores of a run as pages mark them. Reads only where there are any.
 */
import type { RestorePoint } from '@/lib/contract/state'
import type { LogEntry, RestoreEntry } from '@/lib/engine/log-entry'
import type { OpenRun } from '@/lib/service/open-run'
import { historyOf, type RunHistory } from '@/lib/service/run-history'
import type { Runtime } from '@/lib/service/runtime'
import { entriesOfKind, readEntries } from '@/lib/store/log'

/** By history, which each epoch begins anew: pages ask every second, and the log has no order by kind. */
const known = new WeakMap<RunHistory, Promise<RestorePoint[]>>()

/** Oldest first. */
export async function restorePoints(runtime: Runtime, opened: OpenRun): Promise<RestorePoint[]> {
  if (opened.run.epoch === 1) return []
  const history = await historyOf(runtime, opened.run)
  const points = known.get(history) ?? readPoints(runtime, opened)
  known.set(history, points)
  points.catch(() => known.delete(history))
  return points
}

async function readPoints(runtime: Runtime, { run }: OpenRun): Promise<RestorePoint[]> {
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
    ...(payload.tasks === undefined ? {} : { tasks: payload.tasks }),
  }))
}

const inherited = new WeakMap<RunHistory, Promise<number[]>>()

/** Tasks with a trusted group that came with the history of another run; these groups are in the log alone. */
export async function inheritedTasks(runtime: Runtime, opened: OpenRun): Promise<number[]> {
  if (opened.run.epoch === 1) return []
  const history = await historyOf(runtime, opened.run)
  const tasks = inherited.get(history) ?? readInherited(runtime, opened)
  inherited.set(history, tasks)
  tasks.catch(() => inherited.delete(history))
  return tasks
}

async function readInherited(runtime: Runtime, { run }: OpenRun): Promise<number[]> {
  const { db } = runtime.database
  const seen = new Set<number>()
  for (const { seq, payload } of await entriesOfKind<RestoreEntry>(db, run.id, 'restore')) {
    if (payload.source === null) continue
    // what a later restore left behind is not read
    const entries = await readEntries<LogEntry>(db, run.id, seq, seq + payload.carried)
    for (const { payload: entry } of entries) if (entry.kind === 'group' && entry.trusted > 0) seen.add(entry.task)
  }
  return [...seen]
}
