/**
 * The groups and batches of a run in memory, for everything that pages add up.
 * Owns: keeping them current by reading only what can have changed. Invariant: within an epoch an absorbed group never changes
 * again, so what is kept is right; every sum of a page is over these rows and nothing else, and none is superseded.
 */
import { type BatchRow, batchesBetween } from '@/lib/store/batch'
import { type GroupRow, groupsSince } from '@/lib/store/group'
import { type BatchRecord, judgedSize } from './batch-record'
import type { Runtime } from './runtime'

/** An index that no batch reaches. */
const LAST = 2 ** 31 - 1

export interface RunHistory {
  /** a restore raises it, and then the history is read anew */
  epoch: number
  /** by group number */
  groups: Map<number, GroupRow>
  /** in order of their index */
  batches: BatchRow<BatchRecord>[]
  /** numbers of the groups of each batch, late ones too, and of those absorbed, in the order they were */
  ofBatch: Map<number, number[]>
  absorbed: number[]
  /** what restores took out of the run's line: shown, never added up */
  superseded: { groups: Map<number, GroupRow>; batches: BatchRow<BatchRecord>[] }
  /** log number up to which absorbed groups were read */
  seq: number
  /** rollouts and log number when it was last read: unchanged = nothing to read */
  mark: string
}

/** Before a first batch has told it. */
const FIRST_GROUP_SIZE = 8

/** Rollouts that tell of the next group whether it is informative, as far as is known: those of the newest batch's. */
export function groupSizeOf(history: Pick<RunHistory, 'batches'>): number {
  const newest = history.batches.at(-1)
  return newest === undefined ? FIRST_GROUP_SIZE : judgedSize(newest)
}

/** The next look reads the run again: something changed that neither its log nor its rollouts tell. */
export function outdate(runtime: Runtime, run: string): void {
  const history = runtime.histories.get(run)
  if (history !== undefined) history.mark = ''
}

/** Index of the newest batch of the run's line, 0 = none yet. */
export const newestBatch = (history: Pick<RunHistory, 'batches'>) => history.batches.at(-1)?.index ?? 0

export async function historyOf(
  runtime: Runtime,
  run: { id: string; epoch: number; logSeq: number; rolloutCount: number },
): Promise<RunHistory> {
  return runtime.queue.run(`history of ${run.id}`, async () => {
    const kept = runtime.histories.get(run.id)
    const history = kept?.epoch === run.epoch ? kept : emptyHistory(run.epoch)
    const mark = `${run.logSeq}:${run.rolloutCount}`
    if (history.mark === mark) return history
    const { db } = runtime.database
    takeGroups(history, await groupsSince(db, run.id, history.seq))
    const known = Math.max(newestBatch(history), newestBatch(history.superseded))
    for (const batch of await batchesBetween<BatchRecord>(db, run.id, known + 1, LAST))
      (batch.superseded ? history.superseded : history).batches.push(batch)
    history.seq = run.logSeq
    history.mark = mark
    runtime.histories.set(run.id, history)
    return history
  })
}

export const emptyHistory = (epoch = 1): RunHistory => ({
  epoch,
  groups: new Map(),
  batches: [],
  ofBatch: new Map(),
  absorbed: [],
  superseded: { groups: new Map(), batches: [] },
  seq: 0,
  mark: '',
})

/** Takes in what was read: new groups, and those that changed. One that was absorbed before is left as it is. */
export function takeGroups(history: RunHistory, groups: readonly GroupRow[]): void {
  const absorbed: GroupRow[] = []
  for (const group of groups) {
    if (group.superseded) {
      history.superseded.groups.set(group.number, group)
      continue
    }
    const before = history.groups.get(group.number)
    if (before?.logSeq != null) continue
    history.groups.set(group.number, group)
    if (before === undefined && group.batch !== null) {
      const numbers = history.ofBatch.get(group.batch)
      if (numbers === undefined) history.ofBatch.set(group.batch, [group.number])
      else numbers.push(group.number)
    }
    if (group.logSeq !== null) absorbed.push(group)
  }
  // one by one: an argument each is too many for a long run that is read at once
  for (const group of absorbed.sort(asAbsorbed)) history.absorbed.push(group.number)
}

/** The order in which the run took them in. */
export function asAbsorbed(a: GroupRow, b: GroupRow): number {
  if (a.logSeq !== b.logSeq) return (a.logSeq ?? 0) - (b.logSeq ?? 0)
  if (a.completedOrder !== b.completedOrder) return (a.completedOrder ?? 0) - (b.completedOrder ?? 0)
  return a.number - b.number
}

/** Groups of the last `batches` batches, oldest batch first. Cost: O(those). */
export function recentGroups(history: RunHistory, batches: number): GroupRow[] {
  return history.batches
    .slice(-batches)
    .flatMap((batch) => (history.ofBatch.get(batch.index) ?? []).flatMap((number) => history.groups.get(number) ?? []))
}

const byBatch = new WeakMap<RunHistory, { mark: string; groups: Map<number, GroupRow[]> }>()
const byTask = new WeakMap<RunHistory, { mark: string; groups: Map<number, GroupRow[]> }>()

/** Groups that were picked in a batch, by batch index. Gathered once for a state of the history. */
export function groupsByBatch(history: RunHistory): Map<number, GroupRow[]> {
  return gathered(byBatch, history, (group) => group.batch)
}

/** Groups that were picked in a batch, superseded or not. */
export function groupsOfBatch(history: RunHistory, batch: Pick<BatchRow, 'index' | 'superseded'>): GroupRow[] {
  if (!batch.superseded) return groupsByBatch(history).get(batch.index) ?? []
  return [...history.superseded.groups.values()].filter((group) => group.batch === batch.index)
}

/** Rollouts that restores took out of the run's line. */
export function supersededRollouts(history: RunHistory): number {
  let count = 0
  for (const group of history.superseded.groups.values()) count += group.returned
  return count
}

/** Index of the batch that the engine knows by a number; null where it is of a history that was taken over. */
export function indexOfNumber(history: RunHistory, number: number, newest: number): number | null {
  return history.batches[history.batches.length - 1 - (newest - number)]?.index ?? null
}

/** All groups, superseded ones too, in no order. */
export const everyGroup = (history: RunHistory) => [...history.groups.values(), ...history.superseded.groups.values()]

/** A group, superseded or not. */
export const groupOf = (history: RunHistory, number: number) =>
  history.groups.get(number) ?? history.superseded.groups.get(number)

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
