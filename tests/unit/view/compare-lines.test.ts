import { describe, expect, it } from 'vitest'
import { commonRows, commonTwin } from '@/lib/view/compare-common'
import { configurationsOf, pairOf, seedWord } from '@/lib/view/compare-configurations'
import {
  differenceTicks,
  differenceTwin,
  measureLines,
  measureTicks,
  measureTwin,
  pairLines,
  placesOf,
} from '@/lib/view/compare-lines'
import { differenceSeries, meanAt, sharedScores, valueAt } from '@/lib/view/compare-measures'
import { scorePlaces } from '@/lib/view/compare-scores'
import { settingRows } from '@/lib/view/compare-settings'
import { aComparedRun, aComparison, SETTINGS } from './compare-fixture'

describe('configurations', () => {
  it('are runs alike but for the seed and for what the trainer asks', () => {
    const more = (value: string) => [...SETTINGS, { name: 'picks a batch', value }]
    const runs = [
      aComparedRun('a', { settings: more('64') }),
      aComparedRun('b', { seed: '1', settings: more('32') }),
      aComparedRun('c', { scheduler: 'uniform' }),
    ]
    expect(configurationsOf(runs).map(({ name, runs: of }) => [name, of.map(({ id }) => id)])).toEqual([
      ['EnvSched', ['a', 'b']],
      ['uniform', ['c']],
    ])
  })

  it('of one scheduler are told apart by what differs, or by a name', () => {
    const set = (value: string) => SETTINGS.map((one) => (one.name === 'coverage weight' ? { ...one, value } : one))
    const two = configurationsOf([
      aComparedRun('a', { settings: set('0.6') }),
      aComparedRun('b', { settings: set('1') }),
    ])
    expect(two.map(({ name }) => name)).toEqual(['EnvSched, coverage weight 0.6', 'EnvSched, coverage weight 1'])
    const sets = configurationsOf([aComparedRun('a'), aComparedRun('b', { taskSet: { id: 'x', name: 'other' } })])
    expect(sets.map(({ name }) => name)).toEqual(['EnvSched on tools-10', 'EnvSched on other'])
  })

  it('are set against uniform unless the address says otherwise', () => {
    const all = configurationsOf([
      aComparedRun('u', { scheduler: 'uniform' }),
      aComparedRun('b', { scheduler: 'env-bandit' }),
      aComparedRun('e'),
    ])
    const names = (of: string | null, minus: string | null) => pairOf(all, of, minus).pair?.map(({ name }) => name)
    expect(names(null, null)).toEqual(['EnvSched', 'uniform'])
    expect(names('b', null)).toEqual(['bandit', 'uniform'])
    expect(names(null, 'b')).toEqual(['EnvSched', 'bandit'])
    expect(names('e', 'e')).toEqual(['EnvSched', 'uniform'])
    expect(names('gone', 'gone')).toEqual(['EnvSched', 'uniform'])
    expect(pairOf(all, null, null).ordered.map(({ name }) => name)).toEqual(['EnvSched', 'uniform', 'bandit'])
    expect(pairOf([], null, null)).toEqual({ ordered: [], pair: null })
    expect(pairOf(all.slice(0, 1), null, null).pair).toBeNull()
  })

  it('call a run by its seed where that is short', () => {
    expect(seedWord({ seed: '0', name: 'run' })).toBe('s0')
    expect(seedWord({ seed: 'k3x9', name: 'run' })).toBe('run')
  })
})

describe('lines', () => {
  const a = aComparedRun('a', { seed: '0', share: [0.5, 0.6, 0.7], reward: [0.1, 0.2, 0.3] })
  const b = aComparedRun('b', { seed: '1', share: [0.7, null, null], reward: [0.3, null, null] })
  const u = aComparedRun('u', { scheduler: 'uniform', seed: '0', share: [0.3, 0.3, 0.3], reward: [0, 0, 0] })
  const v = aComparedRun('v', { scheduler: 'uniform', seed: '1', share: [0.3, 0.4, 0.4], reward: [0, 0, 0] })
  const comparison = aComparison([a, b, u, v])
  const configurations = configurationsOf(comparison.runs)
  const { ordered, pair } = pairOf(configurations, null, null)
  if (pair === null) throw new Error('two configurations are a pair')

  it('go as far as all seeds reach, and never make 0 of unknown', () => {
    const first = ordered[0]
    if (first === undefined) throw new Error('a configuration')
    expect([0, 1, 2].map((at) => meanAt(first, 'informativeShare', at))).toEqual([0.6, null, null])
    expect(valueAt(aComparedRun('n', { share: [Number.NaN] }), 'informativeShare', 0)).toBeNull()
    expect(valueAt(a, 'informativeShare', 99)).toBeNull()
  })

  it('end with a label each, the run that goes furthest, or the mean of the common part', () => {
    const end = measureLines(comparison, ordered, 'informativeShare', 'end').flatMap((line) => line.end ?? [])
    expect(end.map(({ figure, word }) => `${figure} ${word}`)).toEqual([
      '70.0\u00a0% EnvSched s0',
      '30.0\u00a0% uniform s0',
    ])
    const common = measureLines(comparison, ordered, 'informativeShare', 'common').flatMap((line) => line.end ?? [])
    expect(common.map(({ figure, word }) => `${figure} ${word}`)).toEqual([
      '60.0\u00a0% EnvSched',
      '30.0\u00a0% uniform',
    ])
    expect(placesOf(comparison, 'common')).toEqual([{ x: 0, at: 0 }])
    expect(placesOf(comparison, 'end')).toHaveLength(3)
  })

  it('have ticks that hold them, zero among those of shares only', () => {
    const places = placesOf(comparison, 'end')
    const ticks = measureTicks(measureLines(comparison, ordered, 'informativeShare', 'end'), places, 'informativeShare')
    expect(ticks[0]).toBe(0)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(0.7)
    expect(measureTicks([], places, 'reward')).toEqual([0, 0.5, 1])
  })

  it('take the difference up to the common step, its band inside the plot', () => {
    const differences = differenceSeries(comparison, pair, 'informativeShare')
    expect(differences.map((difference) => difference?.value ?? null)).toEqual([expect.closeTo(0.3, 12), null, null])
    const places = placesOf(comparison, 'end')
    const ticks = differenceTicks(differences, pairLines(pair, 'informativeShare'), places, 0)
    expect(ticks.some((tick) => tick === 0)).toBe(true)
    // 12.7 standard errors on either side would hide the line itself
    expect(ticks.at(-1)).toBeLessThan(1.2)
    expect(differenceTwin(comparison, pair, 'informativeShare', differences).rows).toHaveLength(1)
  })

  it('average the spread of the seeds over places with the same pairs', () => {
    const run = (id: string, seed: string, share: number[], scheduler: 'envsched' | 'uniform' = 'envsched') =>
      aComparedRun(id, { seed, scheduler, share, reward: share })
    const runs = [
      run('e0', '0', [0.5, 0.5]),
      run('e1', '1', [0.7, 0.5]),
      run('u0', '0', [0, 0], 'uniform'),
      run('u1', '1', [0, 0], 'uniform'),
    ]
    const of = pairOf(configurationsOf(runs), null, null).pair
    if (of === null) throw new Error('two configurations are a pair')
    const [first, second] = differenceSeries(aComparison(runs), of, 'informativeShare')
    // variance .02 at the first place, 0 at the second: .01 there
    expect((first?.high ?? 0) - (first?.value ?? 0)).toBeCloseTo(12.7062047362 * Math.sqrt(0.02 / 2), 8)
    expect((second?.high ?? 0) - (second?.value ?? 0)).toBeCloseTo(12.7062047362 * Math.sqrt(0.01 / 2), 8)
  })

  it('stand in tables whose heads differ', () => {
    const same = aComparison([a, { ...b, name: 'a' }])
    expect(measureTwin(same, 'reward', placesOf(same, 'end')).columns).toEqual(['step', 'a (a)', 'a (b)'])
    const rows = commonRows(comparison, comparison.runs, pair)
    expect(rows.map(({ key, so }) => [key, so])).toEqual([
      ['informativeShare', 'not shown yet'],
      ['reward', 'not shown yet'],
      ['predictionError', 'n/a'],
      ['rolloutsPerInformative', 'n/a'],
    ])
    expect(rows[2]).toMatchObject({ written: 'n/a', interval: 'n/a', values: [null, null, null, null] })
    expect(commonTwin(rows, comparison.runs, pair).rows[0]?.at(-1)).toBe('not shown yet')
    expect(commonRows(aComparison([]), [], null)).toEqual([])
  })
})

describe('evaluations', () => {
  const points = (...at: [number, number][]) => [
    { name: 'held-out', points: at.map(([x, value]) => ({ x, step: x, value })) },
  ]
  it('are shared where two report them, and lie between a run’s own', () => {
    const a = aComparedRun('a', { scores: points([0, 0], [10, 1]) })
    const b = aComparedRun('b', { scores: points([5, 0.2]) })
    expect(sharedScores([a])).toEqual([])
    expect(sharedScores([a, b])).toEqual(['held-out'])
    expect(scorePlaces([a, b], 'held-out')).toEqual([
      { x: 0, values: { a: 0, b: null } },
      { x: 5, values: { a: 0.5, b: 0.2 } },
      { x: 10, values: { a: 1, b: null } },
    ])
  })
})

describe('settingRows', () => {
  it('tells a change with its batches, and leaves out what a scheduler does not use', () => {
    const change = (setting: string, value: string, from: number, until: number | null = null) => ({
      setting,
      value,
      from,
      until,
      author: 'mira',
    })
    const changed = aComparedRun('a', {
      changes: [
        change('coverage weight', '0.8', 18),
        change('paused', 'ACS', 47, 58),
        change('coverage weight', '0.8', 20),
      ],
    })
    const bandit = aComparedRun('b', {
      scheduler: 'env-bandit',
      settings: SETTINGS.map((one) => (one.name === 'coverage weight' ? { ...one, value: 'n/a' } : one)),
    })
    const texts = (rows: ReturnType<typeof settingRows>) =>
      Object.fromEntries(rows.map((row) => [row.name, row.cells.map(({ text }) => text)]))
    const rows = settingRows([changed, bandit])
    expect(texts(rows)).toMatchObject({
      'coverage weight': ['0.6, 0.8 from 18', 'n/a'],
      paused: ['ACS 47 to 57', 'never'],
    })
    expect(rows.filter(({ differs }) => differs).map(({ name }) => name)).toEqual(['paused'])
    expect(rows.find(({ name }) => name === 'paused')?.cells.map(({ changed: by }) => by)).toEqual([true, false])
    expect(settingRows([])).toEqual([])
  })
})
