/* Two runs from one state and seed are identical bytes: decisions with all their reasons, and the state after each batch. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SCHEDULERS } from '@/lib/engine/config'
import {
  applyEntry,
  createScheduler,
  decodeScheduler,
  encodeScheduler,
  proposeBatch,
  type Scheduler,
} from '@/lib/engine/scheduler'
import { config, playRun, sameBytes, setShape, taskSetOf } from '@/tests/property/engine/random-run'

const run = fc.record({
  shape: setShape,
  scheduler: fc.constantFrom('envsched', 'envsched', 'envsched', ...SCHEDULERS),
  seed: fc.integer({ min: 0, max: 1e6 }),
  size: fc.integer({ min: 1, max: 24 }),
})

const bytesOf = (decision: object) =>
  Buffer.from(JSON.stringify(decision, (_key, value) => (ArrayBuffer.isView(value) ? [...(value as never)] : value)))

/** Twenty batches with a person steering, expiries and lost groups; every decision as bytes, with the state after all. */
function twenty(s: Scheduler, seed: number, size: number): Buffer {
  const seen: Buffer[] = []
  playRun(s, seed, {
    batches: 20,
    size: () => size,
    steering: 0.6,
    silent: 0.15,
    explain: true,
    seen: (decision) => seen.push(bytesOf(decision)),
  })
  return Buffer.concat([...seen, encodeScheduler(s)])
}

describe('one state and one seed', () => {
  it('give the same twenty batches to the byte, overrides and all', () => {
    fc.assert(
      fc.property(run, ({ shape, scheduler, seed, size }) => {
        const set = taskSetOf(shape)
        const s = createScheduler(set, config(shape.environments, { scheduler }), `seed ${seed}`)
        playRun(s, seed, { batches: 4, size: () => size, steering: 0.5, silent: 0.2 })
        const bytes = encodeScheduler(s)
        const [a, b] = [decodeScheduler(set, bytes), decodeScheduler(taskSetOf(shape), bytes)]
        expect(sameBytes(twenty(a, seed + 1, size), twenty(b, seed + 1, size))).toBe(true)
      }),
      { numRuns: 10 },
    )
  })

  it('and another seed gives another batch where scores are all alike', () => {
    const make = (seed: string) => createScheduler(taskSetOf({ tasks: 120, environments: 3, seed: 4 }), config(3), seed)
    const request = { size: 12, groupSize: 8, policyVersion: 0, at: 0 }
    const picks = (seed: string) => proposeBatch(make(seed), request, [], false).picks.map(({ task }) => task)
    expect(picks('a')).toEqual(picks('a'))
    expect(picks('a')).not.toEqual(picks('b'))
  })

  it('whether the batch was looked at before, or explained, or not', () => {
    fc.assert(
      fc.property(run, ({ shape, scheduler, seed, size }) => {
        const s = createScheduler(taskSetOf(shape), config(shape.environments, { scheduler }), `seed ${seed}`)
        playRun(s, seed, { batches: 3, size: () => size, steering: 0.4 })
        const request = { size, groupSize: 8, policyVersion: 9, at: 0 }
        const bare = proposeBatch(s, request, [], false).picks.map(({ task, slot }) => ({ task, slot }))
        proposeBatch(s, { ...request, size: size + 5 })
        expect(proposeBatch(s, request).picks.map(({ task, slot }) => ({ task, slot }))).toEqual(bare)
        applyEntry(s, { kind: 'policy', at: 0, policyVersion: 9 })
        expect(proposeBatch(s, request).picks.length).toBe(bare.length)
      }),
      { numRuns: 15 },
    )
  })
})
