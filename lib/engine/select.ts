/**
 * The greedy choice of one batch: pins, uniform slots, then the best score under quotas, caps and similarity.
 * Owns: the precedence of rules and the lazy evaluation. Must never know: where scores come from, names.
 * Invariants: no duplicate; full whenever enough tasks are free; scores only fall while the batch fills, so a stale key
 * is an upper bound and the lazy choice equals the plain argmax. Total order: score, tie draw, index.
 * Cost: O(N) to start, then O(log N) and a few similarities a look.
 */
import { createHeap, heapLower, heapPop, heapTop } from './heap'
import type { Slot } from './log-entry'
import { largestRemainder } from './quota'
import { SCORE, type Scores, scoreOf } from './terms'

/** Why a task cannot be picked at all (waiting is relaxed when the batch would be short). */
export const BLOCKED = { free: 0, banned: 1, paused: 2, leased: 3, waiting: 4 } as const

export interface SelectInput {
  size: number
  environmentOf: Int32Array
  scores: Scores
  tie: Float64Array
  /** by task, a value of BLOCKED */
  blocked: Uint8Array
  /** by environment: picks until its concurrency limit */
  room: Int32Array
  /** by environment: picks that its quota allows, and owes */
  allow: Int32Array
  need: Int32Array
  environmentCap: number
  /** in the order they are taken */
  pins: number[]
  uniformCount: number
  /** the k-th task of the uniform order, -1 behind its end */
  uniformAt: (k: number) => number
  /** tasks out on lease that count for similarity */
  flight: number[]
  similarity: (i: number, j: number) => number
}

export interface Chosen {
  task: number
  slot: Slot
  score: number
  /** largest similarity to what was in the batch or in flight, and to which task (-1 = none) */
  similarity: number
  like: number
  quota: number
  /** picked because the rest of the batch was owed to lower quotas */
  owed: boolean
}

export interface Selection {
  chosen: Chosen[]
  inBatch: Uint8Array
  taken: Int32Array
  /** limits of the scored slots by environment, after lower quotas were heard */
  cap: Int32Array
  relaxed: { environmentCap: boolean; upperQuota: boolean; waiting: boolean }
  /** lowest score that was chosen for its score, null where none was */
  threshold: number | null
  similarityTo: (task: number) => { similarity: number; like: number }
}

type Parked = 'cap' | 'quota' | 'owed'

/** The batch while it fills. */
class Filling {
  readonly chosen: Chosen[] = []
  readonly inBatch: Uint8Array
  readonly taken: Int32Array
  readonly room: Int32Array
  readonly need: Int32Array
  readonly owedAtFirst: Int32Array
  private readonly members: number[]
  private readonly compared: Int32Array
  private readonly nearest: Float64Array
  private readonly like: Int32Array

  constructor(private readonly input: SelectInput) {
    const n = input.environmentOf.length
    this.inBatch = new Uint8Array(n)
    this.taken = new Int32Array(input.room.length)
    this.room = input.room.slice()
    this.need = input.need.slice()
    this.owedAtFirst = input.need
    this.members = [...input.flight]
    this.compared = new Int32Array(n)
    this.nearest = new Float64Array(n)
    this.like = new Int32Array(n).fill(-1)
  }

  nearestTo(i: number): { similarity: number; like: number } {
    if (this.input.scores.similarity > 0) this.compare(i)
    return { similarity: this.nearest[i]!, like: this.like[i]! }
  }

  private compare(i: number): void {
    for (let k = this.compared[i]!; k < this.members.length; k++) {
      const other = this.members[k]!
      if (other === i) continue
      const similarity = this.input.similarity(i, other)
      if (similarity > this.nearest[i]!) {
        this.nearest[i] = similarity
        this.like[i] = other
      }
    }
    this.compared[i] = this.members.length
  }

  bonus(i: number): number {
    const e = this.input.environmentOf[i]!
    const first = this.owedAtFirst[e]!
    return first > 0 ? (SCORE.quota * this.need[e]!) / first : 0
  }

  score(i: number): number {
    if (this.input.scores.similarity > 0) this.compare(i)
    return scoreOf(this.input.scores, i, this.nearest[i]!, this.bonus(i))
  }

  take(i: number, slot: Slot, owed = false): void {
    const e = this.input.environmentOf[i]!
    const score = this.score(i)
    const { similarity, like } = this.nearestTo(i)
    this.chosen.push({ task: i, slot, score, similarity, like, quota: this.bonus(i), owed })
    this.inBatch[i] = 1
    this.members.push(i)
    this.taken[e]!++
    this.room[e]!--
    if (this.need[e]! > 0) this.need[e]!--
  }

  full(): boolean {
    return this.chosen.length >= this.input.size
  }

  open(i: number): boolean {
    return this.inBatch[i] === 0 && this.room[this.input.environmentOf[i]!]! > 0
  }
}

export function select(input: SelectInput): Selection {
  const filling = new Filling(input)
  for (const i of input.pins) {
    if (filling.full()) break
    if (input.blocked[i] === BLOCKED.free && filling.open(i)) filling.take(i, 'pin')
  }
  takeUniform(input, filling)
  const { cap, relaxed } = takeByScore(input, filling)
  let threshold: number | null = null
  for (const { slot, owed, score } of filling.chosen)
    if (slot === 'score' && !owed && (threshold === null || score < threshold)) threshold = score
  return {
    chosen: filling.chosen,
    inBatch: filling.inBatch,
    taken: filling.taken,
    cap,
    relaxed,
    threshold,
    similarityTo: (task) => filling.nearestTo(task),
  }
}

function takeUniform(input: SelectInput, filling: Filling): void {
  let left = input.uniformCount
  for (let k = 0; left > 0 && !filling.full(); k++) {
    const i = input.uniformAt(k)
    if (i < 0) return
    if (!filling.open(i)) continue
    filling.take(i, 'uniform')
    left--
  }
}

/** What lower quotas are owed in the slots that are left, and can be given. */
function feasibleNeeds(input: SelectInput, filling: Filling): number {
  const free = new Int32Array(filling.need.length)
  for (let i = 0; i < input.environmentOf.length; i++)
    if (input.blocked[i] === BLOCKED.free && filling.inBatch[i] === 0) free[input.environmentOf[i]!]!++
  let total = 0
  for (let e = 0; e < free.length; e++) {
    const most = Math.min(free[e]!, filling.room[e]!, Math.max(0, input.allow[e]! - filling.taken[e]!))
    filling.need[e] = Math.max(0, Math.min(filling.need[e]!, most))
    total += filling.need[e]!
  }
  const slots = input.size - filling.chosen.length
  if (total <= slots) return total
  filling.need.set(largestRemainder(Float64Array.from(filling.need), filling.need.slice(), slots))
  return slots
}

function takeByScore(input: SelectInput, filling: Filling): { cap: Int32Array; relaxed: Selection['relaxed'] } {
  const n = input.environmentOf.length
  let owed = feasibleNeeds(input, filling)
  const cap = filling.taken.map((taken, e) => Math.max(input.environmentCap, taken + filling.need[e]!))
  const relaxed = { environmentCap: false, upperQuota: false, waiting: false }
  const off = { cap: false, quota: false }
  const parked: Record<Parked, number[]> = { cap: [], quota: [], owed: [] }
  const key = new Float64Array(n)
  const start: number[] = []
  for (let i = 0; i < n; i++) {
    if (input.blocked[i] !== BLOCKED.free || !filling.open(i)) continue
    key[i] = scoreOf(input.scores, i, 0, filling.bonus(i))
    start.push(i)
  }
  let heap = createHeap(Int32Array.from(start), key, input.tie)
  const allOwed = () => owed > 0 && owed >= input.size - filling.chosen.length
  const place = (i: number): Parked | null => {
    const e = input.environmentOf[i]!
    if (allOwed() && filling.need[e] === 0) return 'owed'
    if (!off.quota && filling.taken[e]! >= input.allow[e]!) return 'quota'
    return !off.cap && filling.taken[e]! >= cap[e]! ? 'cap' : null
  }
  const pick = (i: number): void => {
    const e = input.environmentOf[i]!
    if (filling.taken[e]! >= input.allow[e]!) relaxed.upperQuota = true
    else if (filling.taken[e]! >= cap[e]!) relaxed.environmentCap = true
    if (input.blocked[i] === BLOCKED.waiting) relaxed.waiting = true
    const due = owed > 0 && filling.need[e]! > 0
    filling.take(i, 'score', due && allOwed())
    if (due) owed--
  }
  const step = (): void => {
    const i = heapTop(heap)
    const where = place(i)
    if (!filling.open(i)) heapPop(heap)
    else if (where !== null) parked[where].push(heapPop(heap))
    else {
      const score = filling.score(i)
      if (score < key[i]!) {
        key[i] = score
        heapLower(heap)
      } else pick(heapPop(heap))
    }
  }
  const next = reliefs(input, filling, off, parked)
  while (!filling.full()) {
    if (heap.length > 0) step()
    else {
      const more = next()
      if (more === null) break
      owed = 0
      for (const i of more) key[i] = filling.score(i)
      heap = createHeap(Int32Array.from(more), key, input.tie)
    }
  }
  return { cap, relaxed }
}

/** What is looked at when nothing is left and the batch is short: rules give way in the reverse order of their precedence. */
function reliefs(
  input: SelectInput,
  filling: Filling,
  off: { cap: boolean; quota: boolean },
  parked: Record<Parked, number[]>,
): () => number[] | null {
  const again = (name: Parked) => parked[name].splice(0)
  const rounds = [
    () => again('owed'),
    () => {
      off.cap = true
      return again('cap')
    },
    () => {
      off.quota = true
      return again('quota')
    },
    () => {
      const waiting: number[] = []
      for (let i = 0; i < input.blocked.length; i++) if (input.blocked[i] === BLOCKED.waiting) waiting.push(i)
      return waiting
    },
  ]
  let at = 0
  return () => {
    while (at < rounds.length) {
      const ids = rounds[at]!().filter((i) => filling.open(i))
      at++
      if (ids.length > 0) return ids
    }
    return null
  }
}
