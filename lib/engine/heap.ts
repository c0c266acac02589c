/**
 * A binary heap of task indices whose keys may only fall: the lazy half of the greedy choice.
 * Owns: order by key, then tie draw, then index: total, so the same input pops in the same order.
 * Invariant: `key` and `tie` are indexed by task and owned by the caller. Cost: O(n) to build, O(log n) a pop.
 */
export interface Heap {
  ids: Int32Array
  length: number
  key: Float64Array
  tie: Float64Array
}

function before(heap: Heap, a: number, b: number): boolean {
  const ka = heap.key[a]!
  const kb = heap.key[b]!
  if (ka !== kb) return ka > kb
  const ta = heap.tie[a]!
  const tb = heap.tie[b]!
  if (ta !== tb) return ta > tb
  return a < b
}

function sink(heap: Heap, start: number): void {
  const { ids, length } = heap
  let at = start
  const id = ids[at]!
  for (;;) {
    let child = 2 * at + 1
    if (child >= length) break
    if (child + 1 < length && before(heap, ids[child + 1]!, ids[child]!)) child++
    if (!before(heap, ids[child]!, id)) break
    ids[at] = ids[child]!
    at = child
  }
  ids[at] = id
}

/** Takes over `ids`. */
export function createHeap(ids: Int32Array, key: Float64Array, tie: Float64Array): Heap {
  const heap = { ids, length: ids.length, key, tie }
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at)
  return heap
}

/** The first task, or -1 where the heap is empty. */
export function heapTop(heap: Heap): number {
  return heap.length > 0 ? heap.ids[0]! : -1
}

export function heapPop(heap: Heap): number {
  if (heap.length === 0) return -1
  const top = heap.ids[0]!
  heap.length--
  if (heap.length > 0) {
    heap.ids[0] = heap.ids[heap.length]!
    sink(heap, 0)
  }
  return top
}

/** The top's key has fallen: put it where it belongs. */
export function heapLower(heap: Heap): void {
  if (heap.length > 1) sink(heap, 0)
}

/** The `count` first of the tasks, in order. Cost: O(n + count log n). */
export function heapFirst(ids: Int32Array, key: Float64Array, tie: Float64Array, count: number): number[] {
  const heap = createHeap(ids, key, tie)
  const first: number[] = []
  while (first.length < count && heap.length > 0) first.push(heapPop(heap))
  return first
}
