import { describe, expect, it } from 'vitest'
import { byInformativeShare, keptOrder, liveFirst, startsOfNamesakes } from '@/lib/view/run-order'
import { besideStatus, hasUniformSlots, setupWords } from '@/lib/view/run-words'
import { aheadOfUniform, runsVerdict } from '@/lib/view/runs-verdict'
import { aRun } from './run-fixture'

const now = Date.parse('2026-11-29T14:11:00Z')

describe('runsVerdict', () => {
  it('says who is live and who is silent for how long', () => {
    const runs = [
      aRun(),
      aRun({ id: 'r2', name: '8b-uniform-s1', scheduler: 'uniform', informativeShare: 0.431 }),
      aRun({ id: 'r3', status: 'silent', informativeShare: 0.9 }),
    ]
    const { sentence, context } = runsVerdict(runs, now)
    expect(sentence).toBe('Two runs are live, one has been silent for 11\u00a0min.')
    expect(context).toBe(
      'Best of the live ones: 8b-envsched-s1 with 71.5\u00a0% informative groups, 28.7 points above what uniform choice gets on the same tasks.',
    )
  })

  it('says so when the scheduler does not pay', () => {
    const { context } = runsVerdict([aRun({ informativeShare: 0.4, uniformShareInformative: 0.431 })], now)
    expect(context).toBe(
      '8b-envsched-s1 has 40.0\u00a0% informative groups, 3.1 points below what uniform choice gets: it does not pay yet.',
    )
  })

  it('ranks no shadow run, whose trainer chose by itself', () => {
    const shadow = aRun({ id: 's', name: 'hist.jsonl', mode: 'shadow', status: 'finished', informativeShare: 0.8 })
    const done = aRun({ status: 'finished', uniformShareInformative: null })
    const other = aRun({ id: 'r2', name: 'second', status: 'finished', informativeShare: 0.5 })
    expect(runsVerdict([shadow, done, other], now).context).toBe(
      'Best of all: 8b-envsched-s1 with 71.5\u00a0% informative groups.',
    )
    expect(runsVerdict([shadow, done], now).context).toBe('8b-envsched-s1 has 71.5\u00a0% informative groups.')
    expect(runsVerdict([shadow], now).context).toBe(
      'hist.jsonl has 80.0\u00a0% informative groups, in tasks that its trainer chose.',
    )
  })

  it('says that nothing is live', () => {
    expect(runsVerdict([aRun({ status: 'finished' })], now).sentence).toBe('No run is live.')
    expect(runsVerdict([aRun({ status: 'silent' })], now).sentence).toBe(
      'No run is live: one has been silent for 11\u00a0min.',
    )
    expect(runsVerdict([aRun({ status: 'waiting' })], now).sentence).toContain('waits for the first request')
  })

  it('makes no number of an unknown share', () => {
    const run = aRun({ informativeShare: null, uniformShareInformative: null })
    expect(aheadOfUniform(run)).toBeNull()
    expect(runsVerdict([run], now).context).toBe('The newest, 8b-envsched-s1, has no trusted group yet.')
  })

  it('keeps a share of 0 a share', () => {
    expect(aheadOfUniform(aRun({ informativeShare: 0, uniformShareInformative: 0 }))).toBe(0)
  })
})

describe('orders', () => {
  it('puts unknown shares last on the rail and finished runs last in the table', () => {
    const runs = [
      aRun({ id: 'a', informativeShare: null }),
      aRun({ id: 'b', informativeShare: 0, status: 'finished' }),
      aRun({ id: 'c', informativeShare: 0.5, status: 'failed' }),
    ]
    expect(byInformativeShare(runs).map((run) => run.id)).toEqual(['c', 'b', 'a'])
    expect(liveFirst(runs).map((run) => run.id)).toEqual(['a', 'c', 'b'])
  })

  it('keeps the order of the rail while the same runs are there', () => {
    const a = aRun({ id: 'a', informativeShare: 0.4 })
    const b = aRun({ id: 'b', informativeShare: 0.6 })
    const order = keptOrder([], [a, b])
    expect(order).toEqual(['b', 'a'])
    const overtaken = { ...a, informativeShare: 0.9 }
    expect(keptOrder(order, [b, overtaken])).toBe(order)
    expect(keptOrder(order, [b, overtaken, aRun({ id: 'c', informativeShare: 0.7 })])).toEqual(['a', 'c', 'b'])
    expect(keptOrder(order, [overtaken])).toEqual(['a'])
    const none: string[] = []
    expect(keptOrder(none, [])).toBe(none)
  })

  it('tells runs of one name apart by their start, and no others', () => {
    const starts = startsOfNamesakes([
      aRun({ id: 'a', name: 'Demo', createdAt: '2026-11-30T00:31:00Z' }),
      aRun({ id: 'b', name: 'Demo', createdAt: '2026-11-30T00:52:00Z' }),
      aRun({ id: 'c', name: 'mine' }),
    ])
    expect([...starts]).toEqual([
      ['a', '00:31'],
      ['b', '00:52'],
    ])
    const days = startsOfNamesakes([
      aRun({ id: 'a', createdAt: '2026-11-29T00:31:00Z' }),
      aRun({ id: 'b', createdAt: '2026-11-30T00:52:00Z' }),
    ])
    expect(days.get('a')).toBe('29 Nov 00:31')
  })

  it('writes only what is known of the set-up', () => {
    expect(setupWords(aRun())).toBe('qwen3-8b, GRPO, 64 × 8 rollouts')
    expect(
      setupWords(aRun({ model: null, algorithm: null, batchSize: null, scheduler: 'uniform', mode: 'shadow' })),
    ).toBe('scheduler uniform, shadow mode: the trainer chooses')
  })

  it('says beside a status what is known, and who has uniform slots', () => {
    expect(besideStatus(aRun())).toBeNull()
    expect(besideStatus(aRun({ statusNote: 'by mira: verifier patch', status: 'paused' }))).toBe(
      'by mira: verifier patch',
    )
    expect(besideStatus(aRun({ status: 'failed', policyVersion: 0 }))).toBe('stopped at policy 0')
    expect(besideStatus(aRun({ status: 'failed', policyVersion: null }))).toBeNull()
    expect(besideStatus(aRun({ mode: 'shadow' }))).toBe('shadow mode')
    expect(hasUniformSlots(aRun())).toBe(true)
    expect(hasUniformSlots(aRun({ mode: 'shadow' }))).toBe(false)
    expect(hasUniformSlots(aRun({ scheduler: 'env-bandit' }))).toBe(false)
  })
})
