import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PickFacts, Shares, Terms } from '@/lib/engine/decision'
import { REASON_LENGTH, reasonOf } from '@/lib/engine/reason'

const names = { task: 'airline_27', environment: 'airline', pattern: 'move, diff, sort', neighbour: 'retail_41' }
const facts: PickFacts = {
  lastGroup: { policyVersion: 41, mean: 0.5, size: 8, solved: 4, binary: true },
  groups: 3,
  batchesSincePick: 2,
  neighbour: { task: 4, kind: 'within', share: 0.03, ability: 0.52 },
  largestTerm: 'exploitation',
  pattern: 0,
  batchesSincePattern: 1,
  owed: false,
  relativeCost: null,
}

const within: Shares = { own: 0.05, within: 0.1, cross: 0, prior: 0.02 }
const holding = (kind: keyof Shares): Shares => ({ own: 0.01, within: 0.01, cross: 0.01, prior: 0.01, [kind]: 0.2 })

describe('the sentence of a pick', () => {
  it('tells the one thing that mattered', () => {
    const cold = { ...facts, groups: 0, lastGroup: null, batchesSincePick: null }
    expect(reasonOf('score', facts, names, within)).toBe(
      'Solved 4 of 8 at policy 41; retail_41 near it stands at 52 %.',
    )
    expect(reasonOf('score', { ...facts, batchesSincePick: 9, largestTerm: 'coverage' }, names, within)).toBe(
      'Solved 4 of 8 at policy 41, not picked for 9 batches.',
    )
    expect(reasonOf('score', cold, names, within)).toBe('No group yet; retail_41, its nearest, stands at 52 %.')
    expect(reasonOf('score', { ...cold, largestTerm: 'coverage', batchesSincePattern: 14 }, names, within)).toBe(
      'First task of the pattern move, diff, sort in 14 batches.',
    )
    expect(
      reasonOf(
        'uniform',
        { ...facts, lastGroup: { policyVersion: 41, mean: 1, size: 8, solved: 8, binary: true } },
        names,
        within,
      ),
    ).toBe('Drawn uniformly: it was solved 8 of 8 at policy 41; still so?')
    expect(reasonOf('pin', facts, names, within)).toBe('Pinned by hand; last solved 4 of 8.')
    expect(reasonOf('score', { ...facts, owed: true }, names, within)).toBe(
      'airline is below its lower quota; this is its best free task.',
    )
  })

  it('follows the largest share of the prediction', () => {
    const said = (shares: Shares | null, more: Partial<PickFacts> = {}) =>
      reasonOf('score', { ...facts, ...more }, names, shares)
    expect(said(holding('own'))).toBe('Solved 4 of 8 at policy 41: the policy is split on it.')
    expect(said(holding('prior'))).toBe('The prior still says most; solved 4 of 8 at policy 41.')
    expect(said(holding('cross'))).toBe('Tasks alike elsewhere speak for it; solved 4 of 8 at policy 41.')
    expect(said(holding('prior'), { groups: 0, lastGroup: null })).toBe('No group yet; the prior still says most.')
    expect(said(holding('within'), { groups: 0, lastGroup: null, neighbour: null })).toBe(
      'No group yet, and none near it in airline.',
    )
    expect(said(null)).toBe('Solved 4 of 8 at policy 41: the policy is split on it.')
  })

  it('names no neighbour that lowers the prediction or is of another kind, and no wait that did not decide', () => {
    const lowers = { ...facts, neighbour: { task: 4, kind: 'within' as const, share: -0.004, ability: 0.88 } }
    expect(reasonOf('score', lowers, names, holding('within'))).toBe(
      'What airline showed speaks for it; solved 4 of 8 at policy 41.',
    )
    expect(reasonOf('score', { ...lowers, groups: 0, lastGroup: null }, names, holding('within'))).toBe(
      'No group yet; what airline showed speaks for it.',
    )
    expect(reasonOf('score', facts, names, holding('cross'))).not.toContain('retail_41')
    expect(reasonOf('score', { ...facts, batchesSincePick: 9 }, names, holding('own'))).not.toContain('not picked')
    expect(reasonOf('score', { ...facts, batchesSincePick: 9, largestTerm: 'recency' }, names, within)).not.toContain(
      'not picked',
    )
  })

  it('does not claim the field for what a control or an average chose', () => {
    expect(reasonOf('score', facts, names, within, 'env-then-task')).toBe(
      'Best average of airline and the task; last solved 4 of 8.',
    )
    expect(reasonOf('score', facts, names, within, 'env-bandit')).toBe(
      'Drawn in airline by its informative share; last solved 4 of 8.',
    )
    expect(reasonOf('score', facts, names, within, 'averages')).toBe('Chosen by averages; last solved 4 of 8.')
  })

  it('is one line of at most 66 characters for any names', () => {
    const terms: (keyof Terms)[] = ['exploitation', 'coverage', 'recency', 'similarity', 'quota', 'override', 'cost']
    const any: fc.Arbitrary<PickFacts> = fc.record({
      lastGroup: fc.option(
        fc.record({
          policyVersion: fc.nat(),
          mean: fc.double({ min: 0, max: 1, noNaN: true }),
          size: fc.integer({ min: 1, max: 4096 }),
          solved: fc.nat({ max: 4096 }),
          binary: fc.boolean(),
        }),
      ),
      groups: fc.nat({ max: 3 }),
      batchesSincePick: fc.option(fc.nat()),
      neighbour: fc.option(
        fc.record({
          task: fc.nat(),
          kind: fc.constantFrom('within' as const, 'cross' as const),
          share: fc.double({ noNaN: true }),
          ability: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
      ),
      largestTerm: fc.constantFrom(...terms),
      pattern: fc.nat(),
      batchesSincePattern: fc.option(fc.nat()),
      owed: fc.boolean(),
      relativeCost: fc.option(fc.double({ min: 1 / 16, max: 16, noNaN: true })),
    })
    const share = fc.double({ min: -0.25, max: 0.25, noNaN: true })
    const name = fc.string({ minLength: 1, maxLength: 90 })
    fc.assert(
      fc.property(
        fc.constantFrom('score' as const, 'uniform' as const, 'pin' as const),
        fc.constantFrom('field' as const, 'averages' as const, 'env-then-task' as const, 'env-bandit' as const),
        any,
        fc.record({ task: name, environment: name, pattern: name, neighbour: fc.option(name) }),
        fc.option(fc.record({ own: share, within: share, cross: share, prior: share })),
        (slot, basis, one, called, shares) => {
          const reason = reasonOf(slot, one, called, shares, basis)
          expect(reason.length).toBeGreaterThan(0)
          expect(reason.length).toBeLessThanOrEqual(REASON_LENGTH)
        },
      ),
      { numRuns: 500 },
    )
  })
})
