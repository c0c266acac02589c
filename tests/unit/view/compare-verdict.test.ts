import { describe, expect, it } from 'vitest'
import type { ComparedRun } from '@/lib/contract/comparison'
import { configurationsOf, pairOf } from '@/lib/view/compare-configurations'
import { bandWords, compareVerdict, intervalWords } from '@/lib/view/compare-verdict'
import { compareWarnings, placesLeft, placeWords } from '@/lib/view/compare-words'
import { aComparedRun, aComparison } from './compare-fixture'

function said(runs: ComparedRun[], changes: Parameters<typeof aComparison>[1] = {}) {
  const comparison = aComparison(runs, changes)
  const configurations = configurationsOf(runs)
  return compareVerdict(comparison, configurations, pairOf(configurations, null, null).pair)
}

const ours = (seed: string, share: number, reward: number | null, id = `e${seed}`) =>
  aComparedRun(id, { seed, share: [share], reward: [reward] })
const uniform = (seed: string, share: number, reward: number | null, id = `u${seed}`) =>
  aComparedRun(id, { seed, scheduler: 'uniform', share: [share], reward: [reward] })

describe('compareVerdict', () => {
  it('says first what is shown, then what is not, and what a third seed would make of it', () => {
    const { sentence, context } = said([
      ours('0', 0.69, 0.555),
      ours('1', 0.712, 0.575),
      uniform('0', 0.413, 0.465),
      uniform('1', 0.431, 0.455),
    ])
    expect(sentence).toBe(
      'EnvSched finds 28 points more informative groups than uniform. Whether reward follows, 2 seeds cannot say.',
    )
    expect(context).toBe(
      'At step 0, the last that all 4 runs reached: reward +0.105 over uniform, 95\u00a0% interval −0.09 to +0.30. A third seed with the same spread would narrow it to ±0.05.',
    )
  })

  it('names two seeds also where everything is shown', () => {
    const { sentence } = said([
      ours('0', 0.7, 0.6),
      ours('1', 0.7, 0.6),
      uniform('0', 0.4, 0.4),
      uniform('1', 0.4, 0.4),
    ])
    expect(sentence).toBe(
      'EnvSched finds 30 points more informative groups than uniform. Reward on the whole set is 0.200 higher, in 2 seeds.',
    )
  })

  it('has no interval with one pair, and says so', () => {
    const { sentence, context } = said([ours('0', 0.7, 0.6), uniform('0', 0.4, 0.5)])
    expect(sentence).toBe(
      'Not shown yet that EnvSched finds more informative groups than uniform: 30 points more in the one pair of seeds there is. Whether reward differs, one pair of seeds cannot say.',
    )
    expect(context).toBe(
      'At step 0, the last that both runs reached: reward +0.100 over uniform. One pair of seeds gives no interval; a second pair would.',
    )
  })

  it('says when it is behind, and when it is not known', () => {
    const behind = said([1, 2, 3].flatMap((seed) => [ours(`${seed}`, 0.3, 0.2), uniform(`${seed}`, 0.4, 0.4)]))
    expect(behind.sentence).toBe(
      'EnvSched finds 10 points fewer informative groups than uniform. Reward on the whole set is 0.200 lower.',
    )
    const unsure = said([ours('0', 0.7, 0.6), ours('1', 0.3, 0.4), uniform('0', 0.4, 0.4), uniform('1', 0.5, 0.5)])
    expect(unsure.sentence).toBe(
      'Whether EnvSched finds more informative groups than uniform, 2 seeds cannot say. Whether reward differs, 2 seeds cannot say.',
    )
  })

  it('keeps an equal share equal and a difference below two points exact', () => {
    expect(said([ours('0', 0, 0), uniform('0', 0, 0)]).sentence).toMatch(
      /^Not shown yet that EnvSched finds more informative groups than uniform: as many in the one pair/,
    )
    expect(said([ours('0', 0.415, 0), uniform('0', 0.4, 0)]).sentence).toContain(': 1.5 points more in')
  })

  it('says that runs share no seed', () => {
    const { sentence, context } = said([ours('a', 0.7, 0.6), uniform('b', 0.4, 0.5)])
    expect(sentence).toBe(
      'Not shown yet that EnvSched finds more informative groups than uniform: 30 points more in runs that share no seed. Whether reward differs, runs without a shared seed cannot say.',
    )
    expect(context).toContain('Without a shared seed an interval needs two runs on either side.')
  })

  it('never makes a reward of what is not measured', () => {
    const { sentence } = said([ours('0', 0.7, 0.6), uniform('0', 0.4, Number.NaN)])
    expect(sentence).toMatch(/Reward on the whole set is not measured in both\.$/)
  })

  it('takes no difference between task sets', () => {
    const other = { ...uniform('0', 0.4, 0.4), taskSet: { id: 'set2', name: 'small' } }
    expect(said([ours('0', 0.7, 0.6), other]).sentence).toBe(
      'EnvSched and uniform are on different task sets, so neither can be said to do better.',
    )
  })

  it('has words for one run, several seeds of one configuration, no step, and nothing', () => {
    expect(said([ours('0', 0.7, 0.6, 'run one')]).sentence).toBe(
      'run one finds 70.0\u00a0% informative groups; add a run of another configuration to compare it with.',
    )
    expect(said([ours('0', 0.7, 0.6), ours('1', 0.8, 0.6)]).sentence).toMatch(/^EnvSched, 2 seeds, finds 75\.0/)
    expect(said([aComparedRun('a', { share: [], reward: [] })]).sentence).toBe(
      'Nothing to compare yet: this run has no whole step.',
    )
    expect(said([aComparedRun('a', { share: [], reward: [] })], { axis: 'tokens' }).sentence).toBe(
      'None of these runs can be drawn over tokens.',
    )
    expect(said([]).sentence).toBe('None of these runs is here any more.')
    expect(
      said([ours('0', 0.7, 0.6), aComparedRun('u', { scheduler: 'uniform', share: [], reward: [] })]).sentence,
    ).toBe('Too early to say: uniform has no whole step with a trusted group yet.')
  })

  it('words intervals and bands', () => {
    expect(intervalWords(null, 1)).toBe('n/a')
    expect(bandWords(null)).toBe('')
    const one = {
      value: 1,
      low: null,
      high: null,
      pairs: 1,
      runs: [1, 1] as const,
      freedom: null,
      variance: null,
      halfWithOneMore: null,
    }
    expect(intervalWords(one, 1)).toBe('no interval')
    expect(bandWords(one)).toMatch(/^One pair of seeds/)
    expect(bandWords({ ...one, pairs: null })).toMatch(/share a seed/)
    expect(bandWords({ ...one, low: 0, high: 1, pairs: 3, freedom: 2 })).toContain(
      'over 3 seeds, paired by seed (t, 2 degrees',
    )
    expect(bandWords({ ...one, low: 0, high: 1, pairs: null, runs: [2, 3], freedom: 2.31 })).toContain(
      "Welch's t, 2.3 degrees",
    )
    expect(intervalWords({ ...one, low: -0.1, high: 0.254 }, 100)).toBe('−10.0 to +25.4')
  })
})

describe('compareWarnings', () => {
  const words = (runs: ComparedRun[], changes: Parameters<typeof aComparison>[1] = {}) =>
    compareWarnings(aComparison(runs, changes), configurationsOf(runs)).map(({ text }) => text)

  it('has none where there is nothing to know', () => {
    expect(words([ours('0', 0.7, 0.6), uniform('0', 0.4, 0.4)])).toEqual([])
  })

  it('tells of task sets, hand steering, missing steps, tokens and uniform slots', () => {
    const steered = { ...ours('0', 0.7, 0.6), steered: 5 }
    expect(words([steered, ours('1', 0.7, 0.6)])).toEqual([
      'e0 was steered by hand 5 times, so the seeds of EnvSched differ in more than the seed.',
    ])
    expect(words([{ ...steered, steered: 1 }])).toEqual([
      'e0 was steered by hand once, so more than its configuration is at work.',
    ])
    const other = { ...uniform('0', 0.4, 0.4), taskSet: { id: 'set2', name: 'tools-10' } }
    expect(words([ours('0', 0.7, 0.6), other])[0]).toContain('2 task sets, tools-10 (set) and tools-10 (set2)')
    expect(words([aComparedRun('a', { share: [], reward: [] })])).toEqual([
      'a has no whole step yet and joins with the first.',
    ])
    expect(words([aComparedRun('a', { share: [], reward: [] })], { axis: 'tokens' })).toEqual([
      'a reports no tokens, so it is not on this axis.',
    ])
    expect(words([ours('0', 0.7, null)])).toEqual([
      'e0 has no uniform slots, so its reward on the whole set is not measured.',
    ])
    expect(words([{ ...ours('0', 0.7, null), mode: 'shadow' }])[0]).toContain('shadow mode: its trainer chooses')
  })
})

describe('places', () => {
  it('are written by their axis', () => {
    expect(placeWords('steps', 0)).toBe('step 0')
    expect(placeWords('rollouts', 31_744)).toBe('31\u00a0744 rollouts')
    expect(placeWords('tokens', 1_240_000)).toBe('1.24\u00a0M tokens')
    expect(placesLeft(5, 6)).toBe('1 place left')
    expect(placesLeft(6, 6)).toBe('no place left')
  })
})
