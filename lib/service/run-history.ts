/**
 * The groups and batches of a run in memory, for everything that pages add up.
 * Owns: keeping them current by reading only what can have changed. Invariant: an absorbed group never changes again,
 * so what is kept is right; every sum of a page is over these rows and nothing else.
 */
import { type BatchRow, batchesBetween } from '@/lib/store/batch'
import { type GroupRow, groupsSince } from '@/lib/store/group'
import type { BatchRecord } from './batch-record'
import type { Runtime } from './runtime'

/** An index that no batch reaches. */
const LAST = 2 ** 31 - 1

export interface RunHistory {
  /** by group number */
  groups: Map<number, GroupRow>
  /** in order of their index, from 1 */
  batches: BatchRow<BatchRecord>[]
  /** log number up to which absorbed groups were read */
  seq: number
  /** rollouts and log number when it was last read: unchanged = nothing to read */
  mark: string
}

/** Before a first batch has told it. */
const FIRST_GROUP_SIZE = 8

/** Rollouts of the next group, as far as is known: those of the newest batch's. */
export const groupSizeOf = (history: Pick<RunHistory, 'batches'>) =>
  history.batches.at(-1)?.groupSize ?? FIRST_GROUP_SIZE

export async function historyOf(
  runtime: Runtime,
  run: { id: string; logSeq: number; rolloutCount: number },
): Promise<RunHistory> {
  return runtime.queue.run(`history of ${run.id}`, async () => {
    const history = runtime.histories.get(run.id) ?? {
      groups: new Map<number, GroupRow>(),
      batches: [],
      seq: 0,
      mark: '',
    }
    const mark = `${run.logSeq}:${run.rolloutCount}`
    if (history.mark === mark) return history
    const { db } = runtime.database
    for (const group of await groupsSince(db, run.id, history.seq)) history.groups.set(group.number, group)
    history.batches.push(
      ...(await batchesBetween<BatchRecord>(db, run.id, (history.batches.at(-1)?.index ?? 0) + 1, LAST)),
    )
    history.seq = run.logSeq
    history.mark = mark
    runtime.histories.set(run.id, history)
    return history
  })
}

const byBatch = new WeakMap<RunHistory, { mark: string; groups: Map<number, GroupRow[]> }>()
const byTask = new WeakMap<RunHistory, { mark: string; groups: Map<number, GroupRow[]> }>()

/** Groups that were picked in a batch, by batch index. Gathered once for a state of the history. */
export function groupsByBatch(history: RunHistory): Map<number, GroupRow[]> {
  return gathered(byBatch, history, (group) => group.batch)
}

/** Groups by task, in the order of their numbers. Gathered once for a state of the history. */
export function groupsByTask(history: RunHistory): Map<number, GroupRow[]> {
  return gathered(byTask, history, (group) => group.task)
}

function gathered(
  kept: typeof byBatch,
  history: RunHistory,
  keyOf: (group: GroupRow) => number | null,
): Map<number, GroupRow[]> {
  const known = kept.get(history)
  if (known !== undefined && known.mark === history.mark) return known.groups
  const groups = new Map<number, GroupRow[]>()
  for (const group of history.groups.values()) {
    const key = keyOf(group)
    if (key === null) continue
    const list = groups.get(key)
    if (list === undefined) groups.set(key, [group])
    else list.push(group)
  }
  kept.set(history, { mark: history.mark, groups })
  return groups
}
