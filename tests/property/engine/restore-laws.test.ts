import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SCHEDULERS } from '@/lib/engine/config'
import type { LogEntry, RestoreEntry } from '@/lib/engine/log-entry'
import { applyEntry, createScheduler, encodeScheduler, proposeBatch } from '@/lib/engine/scheduler'
import { type Carrying, carriedEntry } from '@/lib/service/restore/carry-entries'
import { entrySpans, type Fork, isIn } from '@/lib/store/line'
import { config, playRun, sameBytes, setShape, taskSetOf } from '@/tests/property/engine/random-run'

const run = fc.record({
  shape: setShape,
  scheduler: fc.constantFrom(...SCHEDULERS),
  seed: fc.integer({ min: 0, max: 1e6 }),
  size: fc.integer({ min: 1, max: 16 }),
  /** where it goes back to, and then once more, as parts of what there is */
  cuts: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
})

const restoreTo = (seq: number): RestoreEntry => ({
  kind: 'restore',
  at: 0,
  to: { seq, rollouts: 0, batch: 0 },
  from: { rollouts: 0, batch: 0 },
  fingerprint: '',
  requestId: null,
  author: 'trainer',
  source: null,
  carried: 0,
})

describe('restoring', () => {
  it('the line of a log with restores folds to what the log up to there folds to, and goes on alike', () => {
    fc.assert(
      fc.property(run, ({ shape, scheduler, seed, size, cuts }) => {
        const set = taskSetOf(shape)
        const make = () => createScheduler(set, config(shape.environments, { scheduler }), `seed ${seed}`)
        const log: LogEntry[] = playRun(make(), seed, { batches: 4, size: () => size, steering: 0.4, silent: 0.2 })
        const forks: Fork[] = []
        for (const [position, cut] of cuts.entries()) {
          const to = Math.floor(cut * log.length)
          const line = entrySpans(forks, to)
          const then = make()
          for (const [at, entry] of log.entries()) if (isIn(line, at + 1)) applyEntry(then, entry)

          log.push(restoreTo(to))
          forks.push({ seq: log.length, epoch: position + 2, rollouts: 0, to: { seq: to, rollouts: 0 } })
          const restored = make()
          const spans = entrySpans(forks, log.length)
          for (const [at, entry] of log.entries()) if (isIn(spans, at + 1)) applyEntry(restored, entry)
          expect(sameBytes(encodeScheduler(restored), encodeScheduler(then))).toBe(true)
          const request = { size, groupSize: 8, policyVersion: 9, at: 0 }
          expect(proposeBatch(restored, request, [], false)).toEqual(proposeBatch(then, request, [], false))
          log.push(...playRun(restored, seed + position, { batches: 2, size: () => size, silent: 0.2 }))
        }
      }),
      { numRuns: 12 },
    )
  })

  it('a history that is carried to the same task set folds to the same choice', () => {
    fc.assert(
      fc.property(run, ({ shape, scheduler, seed, size }) => {
        const set = taskSetOf(shape)
        const make = () => createScheduler(set, config(shape.environments, { scheduler }), `seed ${seed}`)
        const [here, there] = [make(), make()]
        const log = playRun(here, seed, { batches: 4, size: () => size, steering: 0.3, silent: 0.2 })
        const same: Carrying = {
          taskTo: (task) => task,
          environmentTo: (environment) => environment,
          isDeclared: () => false,
          leases: 1000,
          overrides: 50,
        }
        for (const entry of [...log, restoreTo(0)]) {
          const carried = carriedEntry(entry, same)
          if (carried !== null) applyEntry(there, carried)
        }
        const request = { size, groupSize: 8, policyVersion: 9, at: 0 }
        expect(proposeBatch(there, request, [], false).picks).toEqual(proposeBatch(here, request, [], false).picks)
      }),
      { numRuns: 10 },
    )
  })
})
