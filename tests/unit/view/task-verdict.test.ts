import { describe, expect, it } from 'vitest'
import type { TaskDetail } from '@/lib/contract/task'
import {
  cameBack,
  ordinal,
  predictionError,
  rolloutCounts,
  solvedOf,
  streakSentence,
  taskVerdict,
} from '@/lib/view/task-verdict'
import { group, prediction, task, terms } from '@/tests/support/view-fixtures'

function detail(parts: Partial<TaskDetail>): TaskDetail {
  return {
    task: task('airline_27'),
    prediction: prediction(),
    control: { banned: false, pinned: false, boost: 1, leased: false, waiting: null },
    history: [],
    picks: [],
    groups: [],
    neighbours: [],
    ...parts,
  } as TaskDetail
}

const picked = (batch: number, position: number, result: TaskDetail['picks'][number]['result']) => ({
  batch,
  position,
  size: 64,
  slot: 'score' as const,
  more: false,
  superseded: false,
  reason: '',
  score: 0.5,
  terms: terms(),
  result,
})
const reported = (policyVersion: number, marks: string) => ({
  policyVersion,
  batch: null,
  result: group(marks),
  turns: null,
})

describe('taskVerdict', () => {
  it('tells the last groups and the newest pick', () => {
    const { answer, context } = taskVerdict(
      detail({
        groups: [reported(60, '10110010'), reported(51, '00100100'), reported(11, '00000000')],
        picks: [picked(61, 9, group('10110010')), picked(65, 1, group('10x?????'))],
      }),
    )
    expect(answer).toBe('Predicted variance 0.214 of at most 0.250: 93\u00a0% that its next group is informative.')
    expect(context).toBe(
      'Solved 2 of 8 at policy 51, 4 of 8 at policy 60, after 1 earlier group. ' +
        'Picked first in batch 65; 3 of 8 rollouts are back.',
    )
  })

  it('says what was never tried, and what a person set', () => {
    const { context } = taskVerdict(
      detail({ control: { banned: true, pinned: false, boost: 0, leased: false, waiting: 2 } }),
    )
    expect(context).toBe(
      'Never tried: the prediction rests on its neighbours and the prior. Never picked. ' +
        'Banned: it is not picked until the ban is lifted. Its exploitation is multiplied by 0.00. ' +
        'Waits 2 more batches: no rollout of it was trusted.',
    )
  })

  it('never calls a graded reward solved', () => {
    const graded = group('1010')
    const second = graded.squares[1]
    if (second !== undefined) second.fill = 0.4
    const groups = [{ policyVersion: 3, batch: null, result: { ...graded, mean: 0.6 }, turns: null }]
    expect(solvedOf(graded)).toBeNull()
    expect(taskVerdict(detail({ groups })).context).toContain('Rewarded mean 0.60 at policy 3.')
  })
})

describe('what came back', () => {
  it.each([
    [group('10110010'), '0.286, informative'],
    [group('00000000'), '0, all failed'],
    [group('11111111'), '0, all solved'],
    [group('10x?????'), '3 of 8 back'],
    [group('????????'), '0 of 8 back'],
    [group('xxxxxxxx'), 'no trusted rollout'],
    [group('1xxxxxxx'), '1 trusted rollout, too few'],
    [group('????????', { state: 'released' }), 'given back'],
    [group('????????', { state: 'expired' }), 'lease expired'],
  ])('%#', (result, words) => {
    expect(cameBack(result)).toBe(words)
  })
})

describe('small words', () => {
  it('writes ordinals', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 31, 60, 112].map(ordinal)).toEqual([
      'first',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '31st',
      '60th',
      '112th',
    ])
  })

  it('has the error only of predictions whose group came back', () => {
    const point = { policyVersion: 1, spread: null }
    expect(predictionError([{ ...point, batch: 1, predictedVariance: 0.1, realisedVariance: null }])).toBeNull()
    const error = predictionError([
      { ...point, batch: 1, predictedVariance: 0.1, realisedVariance: 0 },
      { ...point, batch: 2, predictedVariance: null, realisedVariance: 0.2 },
      { ...point, batch: 3, predictedVariance: 0, realisedVariance: 0.2 },
    ])
    expect(error?.groups).toBe(2)
    expect(error?.error).toBeCloseTo(0.15, 12)
  })

  it('counts rollouts', () => {
    expect(rolloutCounts([reported(60, '10110010'), reported(64, '10x?????')])).toEqual({ returned: 11, trusted: 10 })
  })
})

describe('streakSentence', () => {
  const row = (predictedVariance: number | null, realisedVariance: number | null, batch = 1) =>
    ({ batch, policyVersion: batch, predictedVariance, realisedVariance }) as TaskDetail['history'][number]
  const rows = (count: number, predicted: number, realised: number) =>
    Array.from({ length: count }, () => row(predicted, realised))

  it('says when the newest eight or more all lie on one side', () => {
    expect(streakSentence(rows(8, 0.2, 0))).toBe('Its last 8 groups all came out lower than predicted.')
    expect(streakSentence([...rows(3, 0.2, 0), ...rows(9, 0.1, 0.25)])).toBe(
      'Its last 9 groups all came out higher than predicted.',
    )
    expect(streakSentence([...rows(7, 0.2, 0), row(0.2, null), row(null, 0.2), row(0.2, 0)])).toContain('last 8')
  })

  it('says nothing of fewer, of hits, of sides that change and of nothing', () => {
    for (const history of [[], rows(7, 0.2, 0), rows(9, 0.2, 0.2), [...rows(9, 0.2, 0), row(0.1, 0.2)]])
      expect(streakSentence(history)).toBeNull()
    expect(streakSentence([...rows(4, 0.2, 0), row(0.2, 0.2), ...rows(4, 0.2, 0)])).toBeNull()
  })
})
