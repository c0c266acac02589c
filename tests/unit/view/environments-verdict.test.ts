import { describe, expect, it } from 'vitest'
import type { EnvironmentRow } from '@/lib/contract/environment'
import { environmentTotals } from '@/lib/view/environment-totals'
import { runningMean } from '@/lib/view/environment-twins'
import {
  failureWords,
  inOrder,
  quotaScale,
  stateOf,
  stateSentence,
  stateWords,
  troubledFirst,
  usedShare,
} from '@/lib/view/environment-words'
import { environmentsVerdict } from '@/lib/view/environments-verdict'
import { quotaState } from '@/lib/view/quota-state'

const names = ['airline', 'retail', 'travel', 'trading']

const row = (i: number, changes: Partial<EnvironmentRow> = {}): EnvironmentRow => {
  const ref = { id: `e${i}`, key: names[i]!, name: names[i]!, code: `E0${i}`, hue: i + 1 }
  return {
    ...ref,
    tasks: 50,
    seen: 40,
    tools: 4,
    quota: { environment: ref, lower: 0.05, upper: 0.4, used: 160, window: 640, picks: 16, state: 'ok' },
    quotaSet: null,
    state: 'ok',
    sentence: null,
    predictedVariance: 0.15,
    realisedVariance: 0.14,
    ability: 0.5,
    drift: 0.02,
    informativeShare: 0.7,
    statuses: { ok: 90, infra_error: 10 },
    failureShare: 0.1,
    errorShare: 0.1,
    seconds: 4,
    tokens: null,
    leased: 0,
    batchesSincePick: 0,
    paused: null,
    boost: 1,
    uniformReward: null,
    uniformPeak: null,
    uniformRollouts: 24,
    ...changes,
  }
}

describe('environmentsVerdict', () => {
  it('names the one that starves and says that the rest is well', () => {
    const rows = [row(0), row(1, { state: 'starved' }), row(2), row(3)]
    expect(environmentsVerdict(rows).sentence).toBe(
      'One environment starves: retail. The other three are inside their quotas.',
    )
  })

  it('does not call the rest well where it is not', () => {
    const over = row(2)
    const rows = [row(0), row(1, { state: 'contract' }), { ...over, quota: { ...over.quota, used: 300 } }]
    expect(environmentsVerdict(rows).sentence).toBe(
      'One environment hardly pays: retail. Above its upper quota: travel.',
    )
  })

  const used = (i: number, share: number, changes: Partial<EnvironmentRow> = {}) =>
    row(i, { ...changes, quota: { ...row(i).quota, lower: 0.12, upper: 0.12, used: share * 1000, window: 1000 } })

  it('says that one within a pick of its quota is, and leaves a paused one out', () => {
    expect(environmentsVerdict([row(0, { state: 'failing' }), used(1, 0.121), row(2)]).sentence).toBe(
      'One environment fails: airline. The other two are inside their quotas or within one pick of them.',
    )
    const paused = used(2, 0.044, { state: 'paused', paused: { mode: 'hold', batchesLeft: null } })
    expect(environmentsVerdict([row(0, { state: 'failing' }), row(1), paused, row(3)]).sentence).toBe(
      'One environment fails: airline. The other two that are not paused are inside their quotas.',
    )
    expect(environmentsVerdict([row(0), row(1), paused]).sentence).toBe(
      'No environment is in trouble: the two that are not paused are inside their quotas.',
    )
  })

  it('names one below its lower quota as such, also where it fails', () => {
    const failing = used(1, 0.044, { state: 'failing' })
    expect(environmentsVerdict([row(0), failing]).sentence).toBe(
      'One environment fails and starves, below its lower quota: retail. The other one is inside its quota.',
    )
    expect(environmentsVerdict([row(0, { state: 'contract' }), failing]).sentence).toBe(
      'Two environments are in trouble: airline and retail. retail starves, below its lower quota.',
    )
    expect(environmentsVerdict([row(0), used(1, 0.044), used(2, 0.2)]).sentence).toBe(
      'No environment is in trouble. Below its lower quota: retail. Above its upper quota: travel.',
    )
    expect(environmentsVerdict([row(0, { state: 'drifts' }), used(1, 0.044)]).sentence).toBe(
      'retail is below its lower quota, and predictions drift in airline.',
    )
  })

  it('tells failures from error texts, and a pause beside a worse state', () => {
    const texts = row(0, { statuses: { ok: 104 }, failureShare: 0, errorShare: 1 })
    expect(failureWords(texts)).toBe('0\u00a0% failed, 100\u00a0% carry an error text; by status: ok 100\u00a0%')
    expect(failureWords(row(0, { statuses: {}, failureShare: null, errorShare: null }))).toBeNull()
    const stopped = row(1, { state: 'paused', paused: { mode: 'hold', batchesLeft: null }, failureShare: 0.9 })
    expect(stateWords(stopped)).toBe('failing, paused')
    expect(stateWords({ ...stopped, failureShare: 0 })).toBe('paused, hold')
  })

  it('counts several, and says when none is in trouble', () => {
    expect(environmentsVerdict([row(0, { state: 'starved' }), row(1, { state: 'forgetting' })]).sentence).toBe(
      'Two environments are in trouble: airline and retail.',
    )
    expect(environmentsVerdict([row(0), row(1)]).sentence).toBe(
      'No environment is in trouble: both are inside their quotas.',
    )
    expect(environmentsVerdict([row(0, { state: 'drifts' }), row(1)]).sentence).toBe(
      'No environment starves, but predictions drift in airline.',
    )
  })

  it('calls an environment failing when most of its rollouts cannot be used', () => {
    const broken = row(1, {
      failureShare: 0.95,
      statuses: { ok: 5, verifier_error: 90, infra_error: 5, truncated: 200 },
    })
    expect(environmentsVerdict([row(0), broken, row(2)]).sentence).toBe(
      'One environment fails: retail. The other two are inside their quotas.',
    )
    expect(stateSentence(broken)).toBe(
      '95\u00a0% of its rollouts of the last 10 batches failed, most with verifier_error.',
    )
    expect(stateOf({ ...broken, state: 'starved' })).toBe('starved')
  })

  it('says that nothing was picked yet', () => {
    const fresh = [0, 1].map((i) => row(i, { seen: 0, quota: { ...row(i).quota, used: 0, window: 0 } }))
    expect(environmentsVerdict(fresh).sentence).toContain('No environment has been picked yet')
    expect(usedShare(fresh[0]!)).toBeNull()
  })
})

describe('quotaState', () => {
  const at = (used: number, paused = false) => quotaState(used, 0.05, 0.12, { paused, onePick: 1 / 320 })

  it('allows one pick either way, and no more', () => {
    expect(at(39 / 320)).toBe('near')
    expect(at(40 / 320)).toBe('over')
    expect(at(15 / 320)).toBe('inside')
    expect(at(14 / 320)).toBe('under')
    expect(at(0, true)).toBe('inside')
    expect(at(0.08)).toBe('inside')
  })
})

describe('context', () => {
  it('keeps nearly solved and saturating apart', () => {
    const rows = [row(0, { state: 'nearly_solved' }), row(1, { state: 'saturating' })]
    expect(environmentsVerdict(rows).context).toBe('airline is nearly solved. retail is saturating.')
  })
})

describe('rows', () => {
  it('puts trouble first and keeps equals in the order of the task set', () => {
    const rows = [row(0), row(1), row(2, { state: 'starved' }), row(3, { state: 'drifts' })]
    expect(troubledFirst(rows).map((one) => one.id)).toEqual(['e2', 'e3', 'e0', 'e1'])
  })

  it('moves no row on a refresh; new ones come last', () => {
    expect(inOrder([row(0), row(1), row(2)], ['e1', 'e0']).map((one) => one.id)).toEqual(['e1', 'e0', 'e2'])
  })

  it('sums only what can be summed', () => {
    const totals = environmentTotals([row(0), row(1, { tasks: 150, ability: 0.9, statuses: {} })], 0.715)
    expect(totals).toEqual({ seen: 80, tasks: 200, used: 0.5, ability: 0.8, informative: 0.715, failures: 0.1 })
    expect(environmentTotals([], null).ability).toBeNull()
  })

  it('scales all meters by the largest upper quota that is set', () => {
    expect(quotaScale([row(0), row(1)])).toBeCloseTo(0.44)
    expect(quotaScale([row(0, { quota: { ...row(0).quota, upper: 1, used: 0 } })])).toBeCloseTo(0.11)
  })

  it('averages known values only', () => {
    expect(runningMean([null, 0, 1, null, null, null], 3)).toEqual([null, 0, 0.5, 0.5, 1, null])
  })
})
