import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Quota } from '@/lib/engine/config'
import { configIssues } from '@/lib/engine/issues'
import { applyEntry, createScheduler, proposeBatch } from '@/lib/engine/scheduler'
import { config, groupEntry, playRun, randomOf, taskSetOf } from '@/tests/property/engine/random-run'

/** Random feasible quotas: lower ones under 1 in sum, upper ones over it. */
function quotasOf(environments: number, seed: number) {
  const random = randomOf(seed)
  const weights = Array.from({ length: environments }, () => 0.2 + random())
  const total = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => ({
    lower: 0.8 * random() * (weight / total),
    upper: Math.min(1, (weight / total) * (1.05 + random())),
  }))
}

/** Lower quotas that come to exactly 1, upper ones that hardly hold a batch, or both. */
function tightQuotas(environments: number, seed: number, kind: string): Quota[] {
  const random = randomOf(seed)
  const parts = Array.from({ length: environments }, () => 1 + Math.floor(8 * random()))
  const total = parts.reduce((a, b) => a + b, 0)
  return parts.map((part) => ({
    lower: kind === 'upper barely over 1' ? 0 : part / total,
    upper: kind === 'lower sum 1' ? 1 : Math.min(1, (1.0001 * part) / total),
  }))
}

describe('quotas', () => {
  it('hold over the window within one pick where everything comes back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 0, max: 1e6 }),
        (environments, size, seed) => {
          const set = taskSetOf({ tasks: 200, environments, seed }, false)
          const quotas = quotasOf(environments, seed)
          const settings = config(environments, { quotas, uniformShare: 0, windowPicks: 5 * size + 7 })
          expect(configIssues(settings)).toEqual([])
          const s = createScheduler(set, settings, `seed ${seed}`)
          const tasksOf = new Int32Array(environments)
          for (const { environment } of set.tasks) tasksOf[environment]!++
          fc.pre(tasksOf.every((count) => count >= size))
          playRun(s, seed, {
            batches: 16,
            losses: false,
            size: () => size,
            seen: (decision) => {
              for (const { used, picks, window, lower, upper, environment } of decision.quotas) {
                const share = used + picks
                const length = window + size
                expect(share, `upper of ${environment}`).toBeLessThan(upper * length + 1)
                expect(share, `lower of ${environment}`).toBeGreaterThan(lower * length - 1)
              }
            },
          })
        },
      ),
      { numRuns: 15 },
    )
  })

  it('never leave a batch short, and say what gave way, however tight they are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('lower sum 1', 'upper barely over 1', 'both'),
        fc.integer({ min: 0, max: 1e6 }),
        (environments, size, kind, seed) => {
          const set = taskSetOf({ tasks: 150, environments, seed }, false)
          const quotas = tightQuotas(environments, seed, kind)
          const random = randomOf(seed + 1)
          const windowPicks = random() < 0.5 ? null : 1 + Math.floor(12 * size * random())
          const settings = config(environments, { quotas, uniformShare: random() < 0.5 ? 0 : 0.25, windowPicks })
          expect(configIssues(settings)).toEqual([])
          const s = createScheduler(set, settings, `seed ${seed}`)
          playRun(s, seed, {
            batches: 10,
            size: () => size,
            silent: 0.1,
            steering: 0.3,
            seen: (decision) => {
              if (decision.eligible >= size) expect(decision.picks.length).toBe(size)
              const gaveWay = decision.quotas.some(({ state }) => state === 'relaxed' || state === 'under')
              if (gaveWay) expect(decision.notes.length).toBeGreaterThan(0)
            },
          })
        },
      ),
      { numRuns: 40 },
    )
  })
})

type Loss = 'rollouts' | 'groups' | 'leases'

/** Trusted rollouts of each environment over the last batches, as shares of all. */
function returnedShares(quotas: Quota[], accepted: number[], loss: Loss, seed: number): number[] {
  const environments = quotas.length
  const set = taskSetOf({ tasks: 60 * environments, environments, seed }, false)
  const settings = config(environments, { quotas, uniformShare: 0.25 })
  const s = createScheduler(set, settings, `seed ${seed}`)
  const random = randomOf(seed)
  const back = new Array<number>(environments).fill(0)
  for (let b = 1; b <= 90; b++) {
    const { picks } = proposeBatch(s, { size: 20, groupSize: 8, policyVersion: b, at: b }, [], false)
    expect(picks.length).toBe(20)
    const leased = picks.map(({ task, slot }, k) => ({ task, slot, lease: 100 * b + k }))
    applyEntry(s, { kind: 'batch', batch: b, at: b, policyVersion: b, groupSize: 8, picks: leased })
    for (const { task, lease } of leased) {
      const e = s.structure.environmentOf[task]!
      let usable = 0
      if (loss === 'rollouts') for (let k = 0; k < 8; k++) usable += random() < accepted[e]! ? 1 : 0
      else usable = random() < accepted[e]! ? 8 : 0
      if (loss === 'leases' && usable === 0) applyEntry(s, { kind: 'lease_end', at: b, lease, reason: 'expired' })
      else {
        const solved = Math.floor((usable + 1) * random())
        applyEntry(s, groupEntry(s, task, lease, usable, solved, { untrusted: 8 - usable }))
      }
      if (b > 40) back[e]! += usable
    }
  }
  const total = back.reduce((a, b) => a + b, 0)
  return back.map((count) => count / total)
}

describe('what comes back', () => {
  const accepted = [0.5, 0.9, 1]
  const cases: [string, Quota[]][] = [
    [
      'a lower quota of the flaky one',
      [
        { lower: 0.4, upper: 1 },
        { lower: 0, upper: 1 },
        { lower: 0, upper: 1 },
      ],
    ],
    [
      'an upper quota of the sound one',
      [
        { lower: 0, upper: 1 },
        { lower: 0, upper: 1 },
        { lower: 0, upper: 0.3 },
      ],
    ],
    [
      'shares for all',
      [
        { lower: 0.3, upper: 0.36 },
        { lower: 0.3, upper: 0.36 },
        { lower: 0.3, upper: 0.36 },
      ],
    ],
  ]
  for (const loss of ['rollouts', 'groups', 'leases'] as const)
    it.each(cases)(`lies inside %s, with lost ${loss}`, (_, quotas) => {
      const shares = returnedShares(quotas, accepted, loss, 5)
      quotas.forEach(({ lower, upper }, e) => {
        expect(shares[e]!, `${shares}`).toBeGreaterThan(lower - 0.03)
        expect(shares[e]!, `${shares}`).toBeLessThan(upper + 0.03)
      })
    })

  it('is corrected at most 1.5 times', () => {
    const quotas: Quota[] = [
      { lower: 0.3, upper: 1 },
      { lower: 0, upper: 1 },
    ]
    const [share] = returnedShares(quotas, [0.1, 1], 'rollouts', 3)
    expect(share!).toBeLessThan((0.3 * 1.5 * 0.1) / (0.3 * 1.5 * 0.1 + 0.55) + 0.04)
  })
})
