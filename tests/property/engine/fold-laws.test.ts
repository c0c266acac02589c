import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SCHEDULERS } from '@/lib/engine/config'
import type { LogEntry, OverrideChange } from '@/lib/engine/log-entry'
import {
  applyEntry,
  cloneScheduler,
  createScheduler,
  decodeScheduler,
  encodeScheduler,
  proposeBatch,
  type Scheduler,
} from '@/lib/engine/scheduler'
import { config, playRun, sameBytes, setShape, taskSetOf } from '@/tests/property/engine/random-run'

const run = fc.record({
  shape: setShape,
  scheduler: fc.constantFrom(...SCHEDULERS),
  seed: fc.integer({ min: 0, max: 1e6 }),
  size: fc.integer({ min: 1, max: 24 }),
})

function played({
  shape,
  scheduler,
  seed,
  size,
}: {
  shape: Parameters<typeof taskSetOf>[0]
  scheduler: (typeof SCHEDULERS)[number]
  seed: number
  size: number
}) {
  const set = taskSetOf(shape)
  const make = () => createScheduler(set, config(shape.environments, { scheduler }), `seed ${seed}`)
  const s = make()
  const log = playRun(s, seed, { batches: 6, size: () => size, steering: 0.4, silent: 0.2 })
  return { set, make, s, log }
}

/** The picks of the next batches, each applied, with the rest of the world held still. */
function nextBatches(s: Scheduler, count: number, size: number): unknown[] {
  const seen: unknown[] = []
  playRun(s, 77, { batches: count, size: () => size, silent: 0.1, seen: ({ picks }) => seen.push(picks) })
  return seen
}

describe('the fold', () => {
  it('gives the same bytes twice', () => {
    fc.assert(
      fc.property(run, (one) => {
        const { make, s, log } = played(one)
        const again = make()
        for (const entry of log) applyEntry(again, entry)
        expect(sameBytes(encodeScheduler(again), encodeScheduler(s))).toBe(true)
      }),
      { numRuns: 15 },
    )
  })

  it('goes on from bytes as it would have gone on: ten batches', () => {
    fc.assert(
      fc.property(run, (one) => {
        const { set, s } = played(one)
        const bytes = encodeScheduler(s)
        const restored = decodeScheduler(set, bytes)
        expect(sameBytes(encodeScheduler(restored), bytes)).toBe(true)
        expect(nextBatches(restored, 10, one.size)).toEqual(nextBatches(s, 10, one.size))
        expect(sameBytes(encodeScheduler(restored), encodeScheduler(s))).toBe(true)
      }),
      { numRuns: 15 },
    )
  })

  it('leaves a clone alone', () => {
    fc.assert(
      fc.property(run, (one) => {
        const { s } = played(one)
        const copy = cloneScheduler(s)
        const before = encodeScheduler(copy)
        playRun(s, 5, { batches: 2, size: () => one.size })
        expect(sameBytes(encodeScheduler(copy), before)).toBe(true)
      }),
      { numRuns: 10 },
    )
  })

  it('passes over entries that make no sense', () => {
    const index = fc.oneof(
      fc.integer({ min: -3, max: 400 }),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0.5, -0),
    )
    const number = fc.oneof(fc.double(), fc.integer({ min: -5, max: 20 }))
    const change: fc.Arbitrary<OverrideChange> = fc.oneof(
      fc.record({ kind: fc.constant('ban' as const), task: index }),
      fc.record({ kind: fc.constant('pin' as const), task: index }),
      fc.record({ kind: fc.constant('quota' as const), environment: index, lower: number, upper: number }),
      fc.record({ kind: fc.constant('boost' as const), task: index, environment: fc.constant(null), factor: number }),
      fc.record({ kind: fc.constant('lift' as const), override: index }),
      fc.record({ kind: fc.constant('resume' as const), environment: index }),
    )
    const entry: fc.Arbitrary<LogEntry> = fc.oneof(
      fc.record({
        kind: fc.constant('lease_end' as const),
        at: number,
        lease: index,
        reason: fc.constantFrom('expired' as const, 'drained' as const),
      }),
      fc.record({ kind: fc.constant('range' as const), at: number, environment: index, low: number, high: number }),
      fc.record({ kind: fc.constant('policy' as const), at: number, policyVersion: index }),
      fc.record({
        kind: fc.constant('override' as const),
        at: number,
        override: index,
        change,
        batches: fc.option(number),
      }),
      fc.record({
        kind: fc.constant('group' as const),
        at: number,
        task: index,
        policyVersion: index,
        lease: fc.option(index),
        slot: fc.constant(null),
        trusted: index,
        sum: number,
        sumSquares: number,
        low: index,
        high: index,
        untrusted: index,
        verifierErrors: index,
        seconds: fc.constant(null),
        turns: fc.constant(null),
        late: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('batch' as const),
        batch: index,
        at: number,
        policyVersion: index,
        groupSize: index,
        picks: fc.array(
          fc.record({ task: index, slot: fc.constantFrom('score' as const, 'uniform' as const), lease: index }),
          { maxLength: 4 },
        ),
      }),
    )
    fc.assert(
      fc.property(setShape, fc.array(entry, { maxLength: 30 }), (shape, entries) => {
        const s = createScheduler(taskSetOf(shape), config(shape.environments), 'seed')
        for (const one of entries) applyEntry(s, one)
        const { picks } = proposeBatch(s, { size: 8, groupSize: 8, policyVersion: 1, at: 0 })
        for (const { score, prediction } of picks) {
          expect(Number.isFinite(score)).toBe(true)
          expect(Number.isFinite(prediction.predictedVariance)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('previews a draft as it will be after applying it', () => {
    const draftOf = (n: number, e: number): OverrideChange[] => [
      { kind: 'ban', task: 0 },
      { kind: 'pin', task: n - 1 },
      { kind: 'weight', name: 'similarity', value: 0.9 },
      { kind: 'quota', environment: e - 1, lower: 0.1, upper: 0.4 },
      { kind: 'boost', task: null, environment: 0, factor: 3 },
      { kind: 'pause', environment: 0, mode: 'hold' },
    ]
    fc.assert(
      fc.property(run, fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 }), (one, which) => {
        fc.pre(one.shape.tasks > 0)
        const { s } = played(one)
        const all = draftOf(one.shape.tasks, one.shape.environments)
        const draft = which.map((k) => ({ change: all[k]!, batches: k % 2 === 0 ? null : 3 }))
        const request = { size: one.size, groupSize: 8, policyVersion: 9, at: 0 }
        const preview = proposeBatch(s, request, draft)
        draft.forEach(({ change, batches }, k) => {
          applyEntry(s, { kind: 'override', at: 0, override: 5000 + k, change, batches })
        })
        expect(proposeBatch(s, request)).toEqual(preview)
      }),
      { numRuns: 20 },
    )
  })
})
