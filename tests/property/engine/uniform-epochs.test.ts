import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEntry, createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import { config, groupEntry, randomOf, taskSetOf } from '@/tests/property/engine/random-run'

describe('uniform slots', () => {
  it('visit every task once an epoch, leases and a passing ban notwithstanding', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 1e6 }),
        (tasks, size, seed) => {
          const set = taskSetOf({ tasks, environments: 3, seed }, false)
          const s = createScheduler(set, config(3, { uniformShare: 0.5 }), `seed ${seed}`)
          const random = randomOf(seed)
          applyEntry(s, { kind: 'override', at: 0, override: 1, change: { kind: 'ban', task: 0 }, batches: 3 })
          const drawn = new Int32Array(tasks)
          for (let b = 1; s.state.totals.uniformEpoch <= 3 && b < 4000; b++) {
            const out = new Set([...s.state.leases.values()].map(({ task }) => task))
            const { picks } = proposeBatch(s, { size, groupSize: 4, policyVersion: b, at: 0 }, [], false)
            applyEntry(s, {
              kind: 'batch',
              batch: b,
              at: 0,
              policyVersion: 1,
              groupSize: 4,
              picks: picks.map(({ task, slot }, k) => ({ task, slot, lease: 1000 * b + k })),
            })
            const uniform = picks.filter(({ slot }) => slot === 'uniform').map(({ task }) => task)
            const most = Math.max(0, ...uniform.map((task) => drawn[task]!))
            // whoever could have been drawn and was not has been drawn as often as those who were
            drawn.forEach((count, i) => {
              if (i > 0 && !out.has(i) && !picks.some(({ task }) => task === i))
                expect(count).toBeGreaterThanOrEqual(most)
            })
            for (const task of uniform) drawn[task]!++
            for (const { lease, task } of [...s.state.leases.values()])
              if (random() < 0.6) applyEntry(s, groupEntry(s, task, lease, 4, 2))
          }
          expect(s.state.totals.uniformEpoch).toBe(4)
          drawn.forEach((count, i) => {
            expect(count).toBeGreaterThanOrEqual(i === 0 ? 2 : 3)
          })
        },
      ),
      { numRuns: 15 },
    )
  })

  it('draws all tasks exactly once each epoch where nothing is out or banned', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 1e6 }),
        (tasks, size, seed) => {
          const s = createScheduler(
            taskSetOf({ tasks, environments: 4, seed }, false),
            config(4, { scheduler: 'uniform' }),
            'seed',
          )
          const drawn: number[] = []
          for (let b = 1; drawn.length < 3 * tasks; b++) {
            const { picks } = proposeBatch(s, { size, groupSize: 4, policyVersion: b, at: 0 }, [], false)
            expect(picks.length).toBe(Math.min(size, tasks))
            expect(picks.every(({ slot }) => slot === 'uniform')).toBe(true)
            const leased = picks.map(({ task, slot }, k) => ({ task, slot, lease: 1000 * b + k }))
            applyEntry(s, { kind: 'batch', batch: b, at: 0, policyVersion: 1, groupSize: 4, picks: leased })
            for (const { task, lease } of leased) applyEntry(s, groupEntry(s, task, lease, 4, 2))
            drawn.push(...picks.map(({ task }) => task))
          }
          const epochs = [0, 1, 2].map((k) => drawn.slice(k * tasks, (k + 1) * tasks))
          for (const epoch of epochs) expect(new Set(epoch).size).toBe(tasks)
          if (tasks > 8) expect(epochs[0]).not.toEqual(epochs[1])
        },
      ),
      { numRuns: 25 },
    )
  })

  it('takes every fourth pick of a trainer that asks one at a time', () => {
    const s = createScheduler(taskSetOf({ tasks: 50, environments: 4, seed: 3 }, false), config(4), 'seed')
    const slots: string[] = []
    for (let b = 1; b <= 40; b++) {
      const [pick] = proposeBatch(s, { size: 1, groupSize: 8, policyVersion: 1, at: 0 }).picks
      slots.push(pick!.slot)
      applyEntry(s, {
        kind: 'batch',
        batch: b,
        at: 0,
        policyVersion: 1,
        groupSize: 8,
        picks: [{ task: pick!.task, slot: pick!.slot, lease: b }],
      })
      applyEntry(s, groupEntry(s, pick!.task, b, 8, b % 9))
    }
    expect(slots.map((slot, k) => (slot === 'uniform' ? k + 1 : 0)).filter((k) => k > 0)).toEqual([
      4, 8, 12, 16, 20, 24, 28, 32, 36, 40,
    ])
  })
})
