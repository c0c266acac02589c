import { describe, expect, it } from 'vitest'
import type { ProposedBatch } from '@/lib/contract/batch'
import { batchVerdict, middleRange } from '@/lib/view/batch-verdict'
import { batchDetail, group, pick, prediction } from '@/tests/support/view-fixtures'

const half = prediction({ ability: 0.5, informative: 0.75 })

describe('batchVerdict', () => {
  it('says what is expected while groups are out, and what came back beside it', () => {
    const picks = [
      pick(1, 'a', 'AIR', { prediction: half, result: group('10101010') }),
      pick(2, 'b', 'AIR', { prediction: half, result: group('00000000') }),
      pick(3, 'c', 'AIR', { prediction: prediction({ ability: 0.95, informative: 0.1 }), slot: 'uniform' }),
    ]
    const { answer, context } = batchVerdict(
      batchDetail(picks, { back: 2, trusted: 2, informative: 1, expectedInformative: 1.6 }),
    )
    expect(answer).toBe('These 3 picks should give 2 informative groups.')
    expect(context).toBe(
      '2 of 2 chosen by score sit where the policy solves 2 to 6 of 8; 1 is drawn uniformly. ' +
        'Chosen at policy 64 from 741 eligible of 883 tasks. 2 are back: 1 informative, 2 expected.',
    )
  })

  it('compares when all are back, also when it is unfavourable', () => {
    const picks = [pick(1, 'a', 'AIR', { prediction: half, result: group('00000000') })]
    const { answer } = batchVerdict(
      batchDetail(picks, { back: 1, trusted: 1, informative: 0, expectedInformative: 0.75 }),
    )
    expect(answer).toBe('This 1 pick gave 0 informative groups; 1 was expected.')
  })

  it('counts groups without a trusted rollout and names the rung that chose', () => {
    const picks = [pick(1, 'a', 'AIR', { result: group('xxxxxxxx') }), pick(2, 'b', 'AIR')]
    const { context } = batchVerdict(
      batchDetail(picks, {
        back: 1,
        trusted: 0,
        informative: 0,
        fallback: { rung: 'uniform', why: 'The worker did not answer.' },
      }),
    )
    expect(context).toContain('1 without a trusted rollout')
    expect(context).toContain('Chosen uniformly, without predictions: The worker did not answer.')
  })

  it('never lets a proposal sound issued', () => {
    const { id: _id, ...rest } = batchDetail([pick(1, 'a', 'AIR'), pick(2, 'b', 'AIR')])
    const { answer, context } = batchVerdict(rest as ProposedBatch)
    expect(answer).toBe('The next 2 picks should give 2 informative groups.')
    expect(context).toContain('Nothing is written and no lease is given.')
    expect(context).not.toContain('back')
  })

  it('says that only the prior holds before any evidence, and counts scored picks alone', () => {
    const prior = prediction({ ability: 0.5, shares: { own: 0, within: 0, cross: 0, prior: 0.2 } })
    const picks = [
      pick(1, 'a', 'AIR', { prediction: prior }),
      pick(2, 'b', 'AIR', { prediction: prior, slot: 'uniform' }),
    ]
    expect(batchVerdict(batchDetail(picks)).context).toMatch(
      /^No evidence yet: the prior holds for all; 1 is drawn uniformly\./,
    )
    const drawn = [pick(1, 'a', 'AIR', { prediction: half, slot: 'uniform' })]
    expect(batchVerdict(batchDetail(drawn)).context).toMatch(/^1 is drawn uniformly\./)
  })

  it('answers for a batch without picks', () => {
    expect(batchVerdict(batchDetail([])).answer).toBe('Batch 65 has no picks: nothing was eligible.')
  })
})

describe('middleRange', () => {
  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [4, 1, 3],
    [8, 2, 6],
    [16, 4, 12],
  ])('of %i is %i to %i', (size, low, high) => {
    expect(middleRange(size)).toEqual({ low, high })
  })
})
