import { describe, expect, it } from 'vitest'
import { emptyBook, hasTraining, joinedBooks, record, type TrainingBook } from '@/lib/testbed/training-book'
import { stagesOf, stepsToTarget } from '@/lib/testbed/training-job'
import { against, median, pairedDifference, reportWorld } from '@/lib/testbed/training-report'

const settings = { steps: 10, stages: 'halves', rate: null } as const
const made = { seconds: 1, code: 'abc' }
const training = (
  arm: string,
  seed: number,
  steps: number | null,
  area: number,
): TrainingBook['trainings'][number] => ({
  world: 'small',
  arm,
  seed,
  stepsToTarget: steps,
  rolloutSeconds: steps === null ? null : 100 * steps,
  area,
  end: area + 0.1,
  worstTenth: area / 2,
  lowestOnceSolved: null,
  informativeShare: 0.3,
  curve: [0.1, 0.2, 0.3],
  ...made,
})

function bookOf(...trainings: TrainingBook['trainings']): TrainingBook {
  const book = emptyBook(settings)
  for (const seed of [3, 1, 2])
    record(book.targets, { world: 'small', seed, target: 0.3, informativeShare: 0.4, ...made })
  for (const one of trainings) record(book.trainings, one)
  return book
}

describe('stepsToTarget', () => {
  it('is the first step that reaches it, 0 at once, null never', () => {
    expect(stepsToTarget([0.1, 0.2, 0.3, 0.2], 0.3)).toBe(2)
    expect(stepsToTarget([0, 0.2], 0)).toBe(0)
    expect(stepsToTarget([0.1, 0.2], 0.5)).toBeNull()
  })
})

describe('stagesOf', () => {
  it('halves the group, odd ones too, or takes what was asked for', () => {
    expect(stagesOf({ ...settings }, 8)).toEqual([4, 4])
    expect(stagesOf({ ...settings }, 5)).toEqual([2, 3])
    expect(stagesOf({ ...settings, stages: [3, 5] }, 8)).toEqual([3, 5])
    expect(stagesOf({ ...settings, stages: 'single' }, 8)).toBeNull()
  })
})

describe('pairedDifference', () => {
  it('has the standard error of the differences, not of the values', () => {
    expect(pairedDifference([10, 21, 32], [10, 21, 32], 'more')).toEqual({
      mean: 0,
      standardError: 0,
      verdict: 'level',
    })
    const { mean, standardError } = pairedDifference([3, 5], [1, 1], 'more')
    expect(mean).toBe(3)
    expect(standardError).toBeCloseTo(1, 12)
    expect(pairedDifference([3], [1], 'more')).toEqual({ mean: 2, standardError: null, verdict: null })
  })

  it('is ahead or behind by more than two standard errors only, fewer steps being better', () => {
    const verdict = (gaps: number[], better: 'more' | 'less') =>
      pairedDifference(
        gaps,
        gaps.map(() => 0),
        better,
      ).verdict
    expect(verdict([3, 5], 'more')).toBe('ahead')
    expect(verdict([3, 5], 'less')).toBe('behind')
    expect(verdict([-3, -5], 'more')).toBe('behind')
    // Mean 2, standard error 1: two of them exactly, which is not more than two.
    expect(verdict([1, 3], 'more')).toBe('level')
  })
})

describe('a book of trainings', () => {
  it('keeps one record a world, seed and arm, in one order', () => {
    const book = bookOf(training('envsched', 2, 5, 0.4), training('uniform', 2, 9, 0.2), training('uniform', 1, 9, 0.2))
    expect(book.targets.map((one) => one.seed)).toEqual([1, 2, 3])
    expect(book.trainings.map((one) => `${one.seed} ${one.arm}`)).toEqual(['1 uniform', '2 uniform', '2 envsched'])
    record(book.trainings, training('uniform', 2, 7, 0.25))
    expect(book.trainings.length).toBe(3)
    expect(book.trainings[1]!.stepsToTarget).toBe(7)
    expect(hasTraining(book, 'small', 2, 'uniform') && !hasTraining(book, 'small', 3, 'uniform')).toBe(true)
  })

  it('joins with others of the same settings', () => {
    const joined = joinedBooks([bookOf(training('uniform', 1, 9, 0.2)), bookOf(training('mopps', 1, 8, 0.3))])
    expect(joined.trainings.map((one) => one.arm)).toEqual(['uniform', 'mopps'])
    expect(() => joinedBooks([bookOf(), emptyBook({ ...settings, steps: 11 })])).toThrow('--steps')
  })
})

describe('reportWorld', () => {
  const arms = ['uniform', 'mopps', 'envsched', 'oracle']
  const book = bookOf(
    ...[1, 2, 3].map((seed) => training('uniform', seed, seed === 1 ? 9 : null, 0.2)),
    ...[1, 2, 3].map((seed) => training('mopps', seed, 8, 0.25 + 0.01 * seed)),
    training('envsched', 1, 5, 0.4),
    training('envsched', 2, 6, 0.41),
    ...[1, 2, 3].map((seed) => training('oracle', seed, 4, 0.9)),
  )
  const report = reportWorld(book, 'small', arms, [1, 2, 3])!
  const of = (arm: string) => report.arms.find((one) => one.arm === arm)!

  it('is null where most seeds never reach the target, and censors means and differences at one step more', () => {
    expect(of('uniform').stepsToTarget).toMatchObject({ median: null, low: 9, high: null, mean: (9 + 11 + 11) / 3 })
    expect(of('uniform').perSeed.map((seed) => seed.stepsToTarget)).toEqual([9, null, null])
    expect(of('uniform').againstUniform!.steps.mean).toBe(0)
    expect(of('mopps').againstUniform!.steps.mean).toBeCloseTo(8 - 31 / 3, 12)
    expect(of('mopps').ratioToUniform).toBeCloseTo(8 / 11, 12)
    expect(of('mopps').scoreAt).toEqual({ '10': expect.closeTo(0.37, 12) })
  })

  it('compares with uniform, envsched and the best baseline, on the seeds that both have', () => {
    expect(report.bestBaseline).toBe('mopps')
    expect(of('envsched').againstBestBaseline).toMatchObject({ arm: 'mopps', pairs: 2 })
    expect(of('envsched').againstBestBaseline!.area.mean).toBeCloseTo(0.14, 12)
    expect(of('envsched').againstBestBaseline!.area.verdict).toBe('ahead')
    expect(of('mopps').againstEnvsched!.steps).toMatchObject({ mean: 2.5, verdict: 'behind' })
    expect(of('envsched').againstUniform!.worstEnvironment.verdict).toBe('ahead')
  })

  it('compares rollout seconds where all of both arms have them', () => {
    expect(of('envsched').rolloutSeconds).toBe(550)
    expect(of('mopps').againstEnvsched!.rolloutSeconds).toMatchObject({ mean: 250, verdict: 'behind' })
    expect(of('uniform').rolloutSeconds).toBeNull()
    expect(of('envsched').againstUniform!.rolloutSeconds).toBeNull()
  })

  it('has no differences without what to compare with, and is null of nothing', () => {
    const alone = reportWorld(book, 'small', ['envsched'], [3])
    expect(alone).toBeNull()
    const lone = reportWorld(bookOf(training('envsched', 1, 5, 0.4)), 'small', ['envsched'], [1])!
    expect(lone.arms[0]).toMatchObject({ againstUniform: null, againstBestBaseline: null, ratioToUniform: null })
    expect(against('envsched', [training('envsched', 1, 5, 0.4)], [training('uniform', 2, 5, 0.4)], 10)).toBeNull()
  })

  it('refuses the median of nothing', () => {
    expect(() => median([])).toThrow('nothing')
  })
})
