/**
 * The uniform slots: how many a batch has, and which tasks they draw, through shuffled epochs of all tasks.
 * Owns: the running deficit and the epochs. Must never know: scores, quotas.
 * Invariant: no task is drawn twice before every task that could be drawn was drawn once. Blocked ones keep their turn.
 * Source: decided point 12 of the design; order within an epoch is a hash of seed, epoch and task key.
 */
import { drawOf } from './draw'
import { createHeap, type Heap, heapPop } from './heap'
import type { State } from './state'

const STREAM = 0x756e6966

/** Uniform slots of the next batch of `size` picks at this share, 0 to size. */
export function uniformCount(credit: number, share: number, size: number): number {
  return Math.max(0, Math.min(size, Math.floor(credit + share * size + 1e-9)))
}

/** What is owed after a batch; kept within one batch, so that a shortage is not made up for in one go. */
export function uniformCredit(credit: number, share: number, picks: number, uniform: number): number {
  const owed = credit + share * picks - uniform
  const most = Math.max(1, share * picks)
  return Math.min(most, Math.max(-most, owed))
}

/** Draws in order, one task a call, -1 when none is left. `free[i]` = 1 where task i may be drawn. Cost: O(N), then O(log N). */
export function uniformOrder(state: State, keys: Uint32Array, free: Uint8Array): () => number {
  const { drawn } = state.tasks
  const epoch = state.totals.uniformEpoch
  const key = new Float64Array(drawn.length)
  const tie = new Float64Array(drawn.length)
  const ids: number[] = []
  for (let i = 0; i < drawn.length; i++) {
    if (free[i] !== 1) continue
    const turn = Math.max(drawn[i]!, epoch - 1)
    key[i] = -turn
    tie[i] = drawOf(state.seed ^ STREAM, turn, keys[i]!)
    ids.push(i)
  }
  const heap: Heap = createHeap(Int32Array.from(ids), key, tie)
  return () => heapPop(heap)
}

/** Folds the uniform draws of a batch; the epoch ends when no task is left that could still be drawn in it. */
export function foldUniform(state: State, drawnTasks: number[], excluded: (task: number) => boolean): void {
  const { tasks, totals } = state
  const { drawn } = tasks
  for (const i of drawnTasks) drawn[i] = Math.max(drawn[i]! + 1, totals.uniformEpoch)
  if (drawnTasks.length === 0) return
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < drawn.length; i++) if (!excluded(i) && drawn[i]! < least) least = drawn[i]!
  if (Number.isFinite(least) && least >= totals.uniformEpoch) totals.uniformEpoch = least + 1
}
