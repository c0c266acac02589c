import { describe, expect, it } from 'vitest'
import type { Overview } from '@/lib/contract/overview'
import { informativeTwin } from '@/lib/view/overview-twins'
import { learning, overviewVerdict, rolloutsSaved, shareDifference } from '@/lib/view/overview-verdict'
import { distrustWords } from '@/lib/view/status-words'
import { aRun } from './run-fixture'

const interval = (value: number, half: number) => ({ value, low: value - half, high: value + half, groups: 160 })

const anOverview = (changes: Partial<Overview> = {}): Overview => ({
  batch: 65,
  byShares: false,
  series: [],
  chosen: interval(0.715, 0.03),
  uniform: interval(0.428, 0.06),
  rewardChosen: interval(0.46, 0.01),
  rewardWhole: interval(0.58, 0.02),
  rewardWholeFirst: 0.31,
  target: 0.6,
  yield: {
    batches: 10,
    stages: null,
    groupSize: 8,
    asked: 640,
    returned: 631,
    trusted: 611,
    informative: 437,
    allSolved: 97,
    allFailed: 77,
    allEqual: 0,
    single: 0,
    expired: 9,
    released: 0,
    untrusted: 0,
    statuses: {},
  },
  coverage: {
    environments: { seen: 10, all: 10, series: [] },
    tasks: { seen: 796, all: 883, series: [] },
    patterns: { seen: 31, all: 34, series: [] },
    newTasks: 12,
  },
  overrides: [],
  scores: [],
  predictionError: null,
  ...changes,
})

describe('overviewVerdict', () => {
  it('says under shares that the trainer chose', () => {
    const shares = anOverview({
      byShares: true,
      uniform: null,
      rewardWhole: null,
      chosen: { ...interval(0.917, 0.1), groups: 12 },
    })
    expect(overviewVerdict(shares, aRun()).sentence.replaceAll('\u00a0', ' ')).toBe(
      '91.7 % of the 12 groups that the trainer chose by shares are informative.',
    )
    expect(overviewVerdict({ ...shares, chosen: null }, aRun()).sentence).toContain(
      'the trainer chooses its tasks by shares',
    )
  })

  it('says that it learns and how far it is ahead', () => {
    const { sentence, context } = overviewVerdict(anOverview(), aRun())
    expect(sentence).toBe(
      'Learning: 71.5\u00a0% of chosen groups are informative, 28.7 points more than uniform choice.',
    )
    expect(context).toContain('Reward on the whole task set rose from 0.31 to 0.58.')
    expect(context).toContain('about 3\u00a0300 more rollouts for the last 10 batches')
  })

  it('does not claim a difference whose interval holds zero', () => {
    const { sentence } = overviewVerdict(anOverview({ chosen: interval(0.45, 0.05) }), aRun())
    expect(sentence).toContain('the difference is not clear yet')
    expect(sentence).not.toContain('more than uniform')
  })

  it('says so when it is behind and loses ground', () => {
    const { sentence } = overviewVerdict(
      anOverview({ chosen: interval(0.2, 0.03), rewardWhole: interval(0.2, 0.02), rewardWholeFirst: 0.31 }),
      aRun(),
    )
    expect(sentence).toBe(
      'Losing ground: 20.0\u00a0% of chosen groups are informative, 22.8 points fewer than uniform choice.',
    )
  })

  it('waits with figures while the first batch is out', () => {
    const early = anOverview({ batch: 1, chosen: null, uniform: null, rewardWhole: null, rewardWholeFirst: null })
    expect(overviewVerdict(early, aRun({ picksBack: 3 })).sentence).toBe(
      'Too early to say: 3 of the first 64 picks are back.',
    )
    expect(overviewVerdict({ ...early, batch: 0 }, aRun()).sentence).toContain('No batch yet')
    expect(overviewVerdict(early, aRun()).context).toBeNull()
  })

  it('claims nothing for a run whose trainer chose', () => {
    const chosen = { ...interval(0.5, 0.2), groups: 10 }
    const { sentence, context } = overviewVerdict(anOverview({ chosen, uniform: null }), aRun({ mode: 'shadow' }))
    expect(sentence).toBe('50.0\u00a0% of the 10 groups that the trainer chose are informative.')
    expect(context).toContain('chooses nothing')
  })

  it('calls a uniform run uniform', () => {
    expect(overviewVerdict(anOverview(), aRun({ scheduler: 'uniform' })).sentence).toBe(
      'Learning: 42.8\u00a0% of groups are informative, by uniform choice.',
    )
  })
})

describe('its parts', () => {
  it('widens the interval of a difference by both means', () => {
    const difference = shareDifference(interval(0.7, 0.03), interval(0.4, 0.04))
    expect(difference.value).toBeCloseTo(0.3)
    expect(difference.low).toBeCloseTo(0.25)
    expect(difference.high).toBeCloseTo(0.35)
  })

  it('calls a reward flat while the first value lies in its interval', () => {
    expect(learning(anOverview({ rewardWholeFirst: 0.57 }))).toBe('flat')
    expect(learning(anOverview({ rewardWhole: null }))).toBe('unknown')
  })

  it('saves nothing that it cannot compute', () => {
    expect(rolloutsSaved(anOverview({ uniform: interval(0.02, 0.05) }))).toBeNull()
    expect(rolloutsSaved(anOverview({ uniform: null }))).toBeNull()
  })

  it('counts what kept rollouts out, but not what is trusted', () => {
    expect(distrustWords({ ok: 5, infra_error: 12, verifier_error: 8, truncated: 3 }, 20)).toBe(
      '12 infra, 8 verifier errors',
    )
    expect(distrustWords({ verifier_error: 1, cancelled: 2 }, 3)).toBe('1 verifier error, 2 cancelled')
    expect(distrustWords({ ok: 5, truncated: 3 }, 0)).toBe('no rollout was refused')
  })

  it('counts rollouts that came back ok without a reward', () => {
    expect(distrustWords({ truncated: 3 }, 2)).toBe('2 without a usable reward')
    expect(distrustWords({ infra_error: 4 }, 5)).toBe('4 infra errors, 1 without a usable reward')
  })

  it('writes the letter of an override into its batch', () => {
    const point = {
      batch: 3,
      policyVersion: 2,
      informativeShare: 0,
      informativeMean: null,
      uniformMean: null,
      uniformLow: null,
      uniformHigh: null,
      rewardChosen: null,
      rewardWhole: null,
    }
    const override = {
      id: 'o',
      letter: 'A',
      batch: 3,
      sentence: 's',
      before: '1',
      after: '2',
      author: 'mira',
      note: null,
    }
    expect(informativeTwin(anOverview({ series: [point], overrides: [override] })).rows).toEqual([
      [3, 2, 0, null, null, null, null, 'A'],
    ])
  })
})
