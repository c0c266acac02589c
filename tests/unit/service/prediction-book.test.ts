import { describe, expect, test } from 'vitest'
import type { BatchRecord } from '@/lib/service/batch-record'
import { type CalibrationGround, calibrationOf, ofCeiling } from '@/lib/service/calibration'
import { countInBlocks, newBlocks } from '@/lib/service/group-blocks'
import { emptyGroup } from '@/lib/service/group-book'
import { bookOf, mainKind } from '@/lib/service/prediction-book'
import { errorsOver, stepsOf, thinned } from '@/lib/service/prediction-series'
import { countInBin, emptyBins, reliabilityOf, studentQuantile } from '@/lib/service/reliability'
import { emptyHistory, type RunHistory, takeGroups } from '@/lib/service/run-history'
import type { BatchRow } from '@/lib/store/batch'
import type { GroupRow } from '@/lib/store/group'
import { seededRandom } from '@/lib/testbed/random'

const told = (variance: (number | null)[], loss = [4, 4.2, 4.4]) => ({
  variance,
  rollouts: 8,
  loss,
  weights: [1, 0, 0, 0],
})

function group(number: number, patch: Partial<GroupRow> = {}): GroupRow {
  return {
    ...emptyGroup({ number, lease: null, batch: null, slot: null, task: 0, policyVersion: 0 }),
    state: 'absorbed',
    logSeq: number,
    completedOrder: number,
    trusted: 8,
    returned: 8,
    predictedVariance: 0.1,
    realisedVariance: 0.1,
    varianceNoise: 0.001,
    shares: [0.1, 0, 0, 0],
    told: told([0.1, 0.1, 0.1, 0.1, 0.1]),
    ...patch,
  }
}

function historyWith(groups: GroupRow[], batches = 0): RunHistory {
  const history = emptyHistory()
  takeGroups(history, groups)
  for (let index = 1; index <= batches; index++)
    history.batches.push({ index, seq: index * 1000, superseded: false, record: {} } as BatchRow<BatchRecord>)
  return history
}

const ground = (history: RunHistory): CalibrationGround => ({
  history,
  now: [],
  environmentOf: () => 0,
  environments: [{ id: 'e0', code: 'ENV', name: 'Env' }],
  reports: history.batches.length === 0,
})

describe('what is scored', () => {
  test('a variance that is not known is left out, never 0', () => {
    const answer = calibrationOf(
      ground(
        historyWith([
          group(1, { realisedVariance: 0.2 }),
          group(2, { realisedVariance: null }),
          group(3, { realisedVariance: Number.NaN }),
          group(4, { predictedVariance: null }),
          group(5, { told: null }),
          group(6, { told: told([0.1, null, 0.1, 0.1, 0.1]) }),
          group(7, { realisedVariance: 0 }),
          group(8, { realisedVariance: -0 }),
        ]),
      ),
    )
    expect(answer.all.groups).toBe(3)
    expect(answer.all.errors[0]).toBeCloseTo(0.1, 5)
    expect(answer.reliability).toEqual([expect.objectContaining({ groups: 3, low: 0.1, high: 0.125 })])
    expect(answer.over.at).toEqual([4, 8])
  })

  test('nothing at all gives nothing, not 0', () => {
    const answer = calibrationOf(ground(historyWith([])))
    expect(answer.all).toEqual({ groups: 0, errors: Array(6).fill(null), best: null })
    expect(answer).toMatchObject({ reliability: [], high: null, leaning: [], batch: 0 })
    expect(answer.evidence.map(({ predicted }) => predicted)).toEqual([null, null, null, null])
    expect(answer.compared.every(({ ofCeiling: of }) => of === null)).toBe(true)
    expect(answer.over).toMatchObject({ of: 'group', at: [] })
    const asks = calibrationOf({ ...ground(historyWith([])), reports: false })
    expect(asks.over).toMatchObject({ of: 'batch', at: [], window: 5 })
  })

  test('depth counts the groups that a task had before, also those that are not scored', () => {
    const groups = Array.from({ length: 8 }, (_, i) => group(i + 1, i === 1 ? { realisedVariance: null } : {}))
    groups.push(group(9, { task: 3 }))
    const { depth } = calibrationOf(ground(historyWith(groups)))
    expect(depth.map((part) => part.groups)).toEqual([2, 1, 3, 2])
  })

  test('a group is folded once, however often it is asked', () => {
    const history = historyWith([group(1)])
    bookOf(history, () => 0)
    takeGroups(history, [group(2), group(3)])
    expect(bookOf(history, () => 0)).toBe(bookOf(history, () => 0))
    expect(bookOf(history, () => 0).all.groups).toBe(3)
  })
})

test('where a prediction mainly came from, by size, whichever way it went', () => {
  expect(mainKind([0.05, 0.01, 0, 0.1])).toBe(0)
  expect(mainKind([0, -0.08, 0.02, 0.2])).toBe(1)
  expect(mainKind([0.01, 0.01, -0.06, 0.1])).toBe(2)
  expect(mainKind([0.01, 0.01, 0, 0.1])).toBe(3)
  expect(mainKind([0, 0, 0, 0.17])).toBe(3)
  expect(mainKind([0, 0, 0, 0])).toBe(0)
})

describe('of ceiling', () => {
  test('is the correlation with the true variance, although only noisy ones are seen', () => {
    const random = seededRandom(5)
    const groups = Array.from({ length: 6000 }, (_, i) => {
      const chance = random()
      const truth = chance * (1 - chance)
      const values: number[] = Array.from({ length: 8 }, () => (random() < chance ? 1 : 0))
      const solved = values.reduce((sum, value) => sum + value, 0)
      const blurred = truth + (random() - 0.5) * 0.1
      return group(i + 1, {
        realisedVariance: (solved * (8 - solved)) / 56,
        // unbiased for the noise of this truth: what varianceNoise is held to in its own test
        varianceNoise: (truth * (1 - 3 * truth)) / 8 - (truth * truth * 5) / 56,
        predictedVariance: truth,
        told: told([blurred, 0.1, random() * 0.25, 0.25 - truth, truth]),
      })
    })
    const book = bookOf(historyWith(groups), () => 0)
    expect(ofCeiling(book, 0)).toBeGreaterThan(0.97)
    const blurred = Math.sqrt(1 / 180 / (1 / 180 + 0.01 / 12))
    expect(Math.abs((ofCeiling(book, 1) ?? Number.NaN) - blurred)).toBeLessThan(0.04)
    expect(ofCeiling(book, 2)).toBeNull()
    expect(Math.abs(ofCeiling(book, 3) ?? Number.NaN)).toBeLessThan(0.06)
    expect(ofCeiling(book, 4)).toBeLessThan(-0.95)
  })

  test('is not told where all that varies is noise, or too few groups can tell', () => {
    expect(
      ofCeiling(
        bookOf(historyWith([group(1), group(2)]), () => 0),
        0,
      ),
    ).toBeNull()
    const flat = Array.from({ length: 40 }, (_, i) =>
      group(i + 1, { realisedVariance: i % 2 === 0 ? 0.1 : 0.12, varianceNoise: 0.01 }),
    )
    expect(
      ofCeiling(
        bookOf(historyWith(flat), () => 0),
        0,
      ),
    ).toBeNull()
  })
})

describe('over time', () => {
  test('5,000 batches become at most 160 points, the newest among them, each over all since the one before', () => {
    const groups = Array.from({ length: 5000 }, (_, i) => group(i + 1, { batch: i + 1, lease: i + 1, logSeq: i + 1 }))
    const history = historyWith(groups, 5000)
    const { over, weights } = calibrationOf(ground(history))
    expect(over.at.length).toBeLessThanOrEqual(160)
    expect(over.at.length).toBeGreaterThan(120)
    expect(over.at.at(-1)).toBe(5000)
    expect(over).toMatchObject({ of: 'batch', window: 32 })
    expect(over.best.at(-1)).toBeCloseTo(Math.sqrt(0.001), 4)
    expect(weights.at).toEqual([])
    expect(JSON.stringify(over).length).toBeLessThan(20_000)
  })

  test('a batch without a group is a gap once its window holds none', () => {
    const history = historyWith([group(1, { batch: 1 })], 7)
    const { over } = calibrationOf(ground(history))
    expect(over.errors[0]?.values).toEqual([0, 0, 0, 0, 0, null, null])
  })

  test('groups without batches lie in blocks that grow, so that their sums stay', () => {
    const blocks = newBlocks(6)
    for (let i = 0; i < 10_000; i++) countInBlocks(blocks, told([], [1, 2, 3]), null)
    expect(blocks.all.length).toBeLessThanOrEqual(400)
    expect(blocks.size).toBe(32)
    expect(blocks.all.reduce((sum, { length }) => sum + length, 0)).toBe(10_000)
    expect(blocks.all.reduce((sum, { loss }) => sum + (loss[2] ?? 0), 0)).toBe(30_000)
    expect(blocks.all.slice(0, -1).every(({ length }) => length === blocks.size)).toBe(true)
  })

  test('the blocks of a run without batches say whether the graph helps', () => {
    const groups = Array.from({ length: 200 }, (_, i) =>
      group(i + 1, { told: told([0.1, 0.1, 0.1, 0.1, 0.1], [4 + (i % 3) * 0.1, 4.4, 4.6]) }),
    )
    const { helps } = calibrationOf(ground(historyWith(groups)))
    expect(helps).toMatchObject({ verdict: 'helps', rollouts: 1600 })
    const worse = groups.map((one) => ({ ...one, told: told([0.1, 0.1, 0.1, 0.1, 0.1], [4.4, 4, 4.6]) }))
    expect(calibrationOf(ground(historyWith(worse))).helps.verdict).toBe('does_not_help')
    const short = calibrationOf(
      ground(
        historyWith(
          groups.slice(0, 16).map((one) => ({ ...one, told: { ...told([0.1, 0.1, 0.1, 0.1, 0.1]), rollouts: 32 } })),
        ),
      ),
    )
    expect(short.helps.sentence).toContain('under 5 blocks of groups do not tell')
  })

  test('a ceiling reaches back until it is clear, and is not told before', () => {
    // as of four rollouts: half of the groups say 0.06, the others -0.05
    const rough = (count: number, batch: (i: number) => number) =>
      Array.from({ length: count }, (_, i) =>
        group(i + 1, { batch: batch(i), varianceNoise: i % 2 === 0 ? 0.06 : -0.05 }),
      )
    const few = calibrationOf(
      ground(
        historyWith(
          rough(100, () => 1),
          1,
        ),
      ),
    )
    expect(few.all.best).toBeNull()
    expect(few.over.best).toEqual([null])
    const many = calibrationOf(
      ground(
        historyWith(
          rough(1000, (i) => 1 + Math.floor(i / 50)),
          20,
        ),
      ),
    )
    expect(many.all.best).toBeCloseTo(Math.sqrt(0.005), 4)
    expect(many.over.best[0]).toBeNull()
    expect(many.over.best.at(-1)).toBeCloseTo(Math.sqrt(0.005), 3)
    const still = Array.from({ length: 30 }, (_, i) => group(i + 1, { batch: 1, varianceNoise: 0 }))
    expect(calibrationOf(ground(historyWith(still, 1))).over.best).toEqual([0])
  })

  test('thinning keeps the newest', () => {
    expect(thinned(0)).toEqual([])
    expect(thinned(1)).toEqual([0])
    expect(thinned(1001, 200).at(-1)).toBe(1000)
    expect(thinned(1001, 200).length).toBeLessThanOrEqual(200)
  })

  test('one batch is one point', () => {
    const history = historyWith([group(1, { batch: 1, realisedVariance: 0.3 })], 1)
    const book = bookOf(history, () => 0)
    const over = errorsOver(stepsOf(history, book, false), 4)
    expect(over).toMatchObject({ at: [1], best: [null] })
    expect(over.errors[0]?.values[0]).toBeCloseTo(0.2, 5)
  })
})

describe('reliability', () => {
  test('Student has its quantiles', () => {
    for (const [freedom, exact] of [
      [2, 4.303],
      [4, 2.776],
      [9, 2.262],
      [30, 2.042],
      [1000, 1.962],
    ] as const)
      expect(Math.abs(studentQuantile(freedom) / exact - 1)).toBeLessThan(0.06)
  })

  test('intervals hold the true mean about as often as they say', () => {
    const random = seededRandom(9)
    let inside = 0
    const trials = 1500
    for (let t = 0; t < trials; t++) {
      const bins = emptyBins()
      for (let g = 0; g < 12; g++) {
        const solved = Array.from({ length: 8 }, () => (random() < 0.3 ? 1 : 0)).reduce<number>(
          (sum, one) => sum + one,
          0,
        )
        countInBin(bins, 0.21, (solved * (8 - solved)) / 56)
      }
      const [bin] = reliabilityOf(bins, 0.006)
      if (bin !== undefined && bin.interval !== null && bin.interval.low <= 0.21 && bin.interval.high >= 0.21) inside++
    }
    expect(inside / trials).toBeGreaterThan(0.9)
  })

  test('few equal groups are no certainty, under three have no interval, and the ends have their bins', () => {
    const bins = emptyBins()
    for (let g = 0; g < 3; g++) countInBin(bins, 0, 0)
    countInBin(bins, 0.25, 0.286)
    countInBin(bins, 0.0249, 0)
    const [first, last] = reliabilityOf(bins, 0.004)
    expect(first).toMatchObject({ low: 0, groups: 4 })
    expect(first?.interval?.high).toBeGreaterThan(0.03)
    expect(last).toMatchObject({ high: 0.25, interval: null })
  })
})
