import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLOCKED, type SelectInput, select } from '@/lib/engine/select'
import { SCORE, type Scores } from '@/lib/engine/terms'
import { randomOf } from '@/tests/property/engine/random-run'

const shape = fc.record({
  tasks: fc.integer({ min: 0, max: 120 }),
  environments: fc.integer({ min: 1, max: 9 }),
  size: fc.integer({ min: 0, max: 40 }),
  seed: fc.integer({ min: 0, max: 1e9 }),
  /** few distinct scores make ties */
  levels: fc.constantFrom(1, 3, 1e6),
  quotas: fc.boolean(),
  crowded: fc.boolean(),
})

function inputOf(one: {
  tasks: number
  environments: number
  size: number
  seed: number
  levels: number
  quotas: boolean
  crowded: boolean
}): SelectInput {
  const random = randomOf(one.seed)
  const { tasks: n, environments: e, size } = one
  const below = (k: number) => Math.floor(random() * k)
  const column = (make: () => number) => Float64Array.from({ length: n }, make)
  const base = column(() => below(one.levels) / one.levels)
  const zero = column(() => 0)
  const trust = column(() => (random() < 0.7 ? 1 : random()))
  const scores: Scores = {
    exploitation: base,
    override: zero,
    coverage: zero,
    recency: zero,
    base,
    trust,
    // a relative cost may double a score or halve it
    worth: trust.map((share) => share * (0.5 + 1.5 * random())),
    similarity: random() < 0.2 ? 0 : random(),
  }
  const like = Array.from({ length: n }, () => Array.from({ length: n }, () => (random() < 0.3 ? random() : 0)))
  const allow = Int32Array.from({ length: e }, () => (one.quotas ? below(size + 1) : size))
  const uniform = Array.from({ length: n }, (_, i) => i).filter(() => random() < 0.5)
  return {
    size,
    environmentOf: Int32Array.from({ length: n }, () => below(e)),
    scores,
    tie: column(random),
    blocked: Uint8Array.from({ length: n }, () => (one.crowded || random() < 0.3 ? below(5) : BLOCKED.free)),
    room: Int32Array.from({ length: e }, () => (random() < 0.2 ? below(5) : 1 << 30)),
    allow,
    need: allow.map((most) => (one.quotas ? Math.min(most, below(3)) : 0)),
    environmentCap: 2 + below(6),
    pins: Array.from({ length: n }, (_, i) => i).filter(() => random() < 0.03),
    uniformCount: below(1 + Math.ceil(size / 3)),
    uniformAt: (k) => uniform.filter((i) => inputBlocked[i] === BLOCKED.free)[k] ?? -1,
    flight: Array.from({ length: n }, (_, i) => i).filter(() => random() < 0.02),
    similarity: (i, j) => like[Math.min(i, j)]![Math.max(i, j)]!,
  }
}
let inputBlocked: Uint8Array = new Uint8Array()

/** The same rules said slowly: at each step look at every task from scratch and take the best one that may be taken. */
function slowly(input: SelectInput): { task: number; slot: string; score: number }[] {
  const { environmentOf, scores, blocked } = input
  const n = environmentOf.length
  const out: { task: number; slot: string; score: number }[] = []
  const need = input.need.slice()
  const inBatch = (i: number) => out.some(({ task }) => task === i)
  const taken = (e: number) => out.filter(({ task }) => environmentOf[task] === e).length
  const open = (i: number) => !inBatch(i) && taken(environmentOf[i]!) < input.room[environmentOf[i]!]!
  const score = (i: number) => {
    let nearest = 0
    if (scores.similarity > 0)
      for (const j of [...input.flight, ...out.map(({ task }) => task)])
        if (j !== i) nearest = Math.max(nearest, input.similarity(i, j))
    const first = input.need[environmentOf[i]!]!
    const bonus = first > 0 ? (SCORE.quota * need[environmentOf[i]!]!) / first : 0
    return scores.base[i]! * (1 - scores.similarity * nearest) * scores.worth[i]! + bonus
  }
  const take = (i: number, slot: string) => {
    out.push({ task: i, slot, score: score(i) })
    const e = environmentOf[i]!
    if (need[e]! > 0) need[e]!--
  }
  for (const i of input.pins) if (out.length < input.size && blocked[i] === BLOCKED.free && open(i)) take(i, 'pin')
  let left = input.uniformCount
  for (let k = 0; left > 0 && out.length < input.size; k++) {
    const i = input.uniformAt(k)
    if (i < 0) break
    if (!open(i)) continue
    take(i, 'uniform')
    left--
  }
  const free = (e: number) =>
    Array.from({ length: n }, (_, i) => i).filter(
      (i) => environmentOf[i] === e && blocked[i] === BLOCKED.free && !inBatch(i),
    ).length
  let total = 0
  for (let e = 0; e < need.length; e++) {
    need[e] = Math.max(
      0,
      Math.min(need[e]!, free(e), input.room[e]! - taken(e), Math.max(0, input.allow[e]! - taken(e))),
    )
    total += need[e]!
  }
  if (total > input.size - out.length) return []
  const cap = Array.from(need, (owed, e) => Math.max(input.environmentCap, taken(e) + owed))
  let stage = 0
  let owed = total
  while (out.length < input.size) {
    let best = -1
    for (let i = 0; i < n; i++) {
      const e = environmentOf[i]!
      if (!open(i) || !(blocked[i] === BLOCKED.free || (stage >= 3 && blocked[i] === BLOCKED.waiting))) continue
      if (owed > 0 && owed >= input.size - out.length && need[e] === 0) continue
      if (stage < 2 && taken(e) >= input.allow[e]!) continue
      if (stage < 1 && taken(e) >= cap[e]!) continue
      if (best < 0 || score(i) > score(best) || (score(i) === score(best) && input.tie[i]! > input.tie[best]!)) best = i
    }
    if (best >= 0) {
      if (owed > 0 && need[environmentOf[best]!]! > 0) owed--
      take(best, 'score')
    } else if (owed > 0) owed = 0
    else if (stage < 3) stage++
    else break
  }
  return out
}

describe('the lazy greedy choice', () => {
  it('equals the argmax over all tasks from scratch', () => {
    let compared = 0
    fc.assert(
      fc.property(shape, (one) => {
        const input = inputOf(one)
        inputBlocked = input.blocked
        const expected = slowly(input)
        fc.pre(one.size === 0 || one.tasks === 0 || expected.length > 0)
        const { chosen } = select(input)
        expect(chosen.map(({ task, slot, score }) => ({ task, slot, score }))).toEqual(expected)
        compared += expected.length
      }),
      { numRuns: 300 },
    )
    expect(compared).toBeGreaterThan(1000)
  })
})
