import { describe, expect, it } from 'vitest'
import { batchVerdict } from '@/lib/view/batch-verdict'
import { groupNote } from '@/lib/view/rollout-rows'
import { setupWords } from '@/lib/view/run-words'
import { stagesSentence, stageWords } from '@/lib/view/stage-words'
import { batchDetail, environment, group, pick } from '@/tests/support/view-fixtures'
import { aRun } from './run-fixture'

const stages = (second: number | null, kept = 4) => ({ first: 4, second, kept })

describe('words for two stages', () => {
  it('tell what was decided from what is not yet', () => {
    expect([stages(4), stages(0), stages(null), stages(2, 2), stages(0, 0), stages(null, 0)].map(stageWords)).toEqual([
      '4 + 4',
      'stopped at 4',
      '4 first',
      '4 + 2',
      'last 4',
      'last 4',
    ])
  })

  it('count stops, second stages and what was bought, and name the budget', () => {
    const picks = [
      pick(1, 'a', 'AIR', { result: group('11111111', { stages: stages(4) }) }),
      pick(2, 'b', 'AIR', { result: group('0000', { stages: stages(0) }) }),
      pick(3, 'c', 'AIR', { more: true, result: group('01?0', { stages: stages(null, 0) }) }),
    ]
    const batch = batchDetail(picks, { stages: [4, 4], size: 2, groupSize: 8 })
    expect(stagesSentence(batch)).toBe(
      '1 stopped at 4, 1 went on to 4 + 4, 1 pick was bought with what that left; 16 of 16 rollouts are handed out.',
    )
    expect(batchVerdict(batch).context).toContain('1 stopped at 4')
    expect(stagesSentence({ ...batch, stages: null })).toBeNull()
  })

  it('stand in a list of groups where nothing else does, and in what a run trains with', () => {
    const head = { late: false, rollouts: [], hidden: 4 }
    const noteOf = (marks: string, second: number | null) =>
      groupNote({ ...head, result: group(marks, { stages: stages(second) }) } as unknown as Parameters<
        typeof groupNote
      >[0])
    expect(noteOf('0000', 0)).toBe('stopped at 4')
    expect(noteOf('00??', null)).toBe('2 still out')
    expect(setupWords(aRun({ stages: [4, 4] }))).toContain('groups of 4 + 4')
  })
})

describe('words for shares', () => {
  const shared = (shares: [string, number, number][]) =>
    batchDetail([], {
      index: 7,
      picks: 0,
      size: 16,
      shares: shares.map(([code, picks, groups]) => ({ environment: environment(code), picks, groups })),
    })

  it('say how many environments, and what the trainer made of it', () => {
    expect(batchVerdict(shared([])).answer).toBe('Batch 7 shares nothing out: no task was eligible.')
    expect(
      batchVerdict(
        shared([
          ['AIR', 10, 0],
          ['RET', 6, 0],
        ]),
      ).answer,
    ).toBe('16 picks are shared out over 2 environments; the trainer chooses its own tasks.')
    expect(
      batchVerdict(
        shared([
          ['AIR', 16, 12],
          ['RET', 0, 1],
        ]),
      ).answer,
    ).toBe('16 picks are shared out over 1 environment; the trainer rolled out 13 tasks of its own choice.')
  })
})
