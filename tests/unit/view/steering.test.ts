import { describe, expect, it } from 'vitest'
import { draftInput, type OverrideInput, overrideInput, type Preview } from '@/lib/contract/steering'
import { changeKey, changesAsked, decodeDraft, encodeDraft, pruneDraft, withChange } from '@/lib/view/steering-draft'
import {
  changeInWords,
  changePreviewSentence,
  endedVerdict,
  previewVerdict,
  restingVerdict,
  unchangedSentence,
  undoneSentence,
  undoState,
} from '@/lib/view/steering-words'

import { override, steering } from '@/tests/support/view-fixtures'

const every: OverrideInput[] = [
  { kind: 'weight', target: 'coverage', value: 1.1 },
  { kind: 'uniform_share', value: 0 },
  { kind: 'group_sizing', value: 'adaptive' },
  { kind: 'quota', target: 'e4', lower: 0, upper: 0.2 },
  { kind: 'pause', target: 'e7', mode: 'drain', batches: 10 },
  { kind: 'resume', target: 'e3' },
  { kind: 'pin', target: 't17', batches: 4 },
  { kind: 'ban', target: 't3', batches: null },
  { kind: 'boost', target: 't5', factor: 0, batches: 10 },
  { kind: 'lift', target: 'o12' },
]

describe('the draft in the address', () => {
  it('reads back what it wrote, zeros and open ends included', () => {
    expect(every.map(({ kind }) => kind).sort()).toEqual(overrideInput.options.map((o) => o.shape.kind.value).sort())
    expect(decodeDraft(encodeDraft(every))).toEqual(every)
  })

  it('leaves out what it cannot read and keeps the last of two for one setting', () => {
    expect(decodeDraft('weight:nonsense:1,weight:coverage:,pin:t1:4,ban:t1:,quota:e1:x:y,,lift')).toEqual([
      { kind: 'ban', target: 't1', batches: null },
    ])
  })

  it('starts from what links ask for', () => {
    const asked = changesAsked(new URLSearchParams('pause=e3&ban=t17&pin=t2&boost=t5'))
    expect(asked.map(changeKey).sort()).toEqual(['boost:t5', 'pause:e3', 'task:t17', 'task:t2'])
    expect(changesAsked(new URLSearchParams('draft=x'))).toEqual([])
  })
})

describe('editing a draft', () => {
  it('has one change a setting, in the order first touched', () => {
    const draft = withChange(every, { kind: 'weight', target: 'coverage', value: 0 })
    expect(draft).toHaveLength(every.length)
    expect(draft[0]).toEqual({ kind: 'weight', target: 'coverage', value: 0 })
  })

  it('drops what equals what is in force', () => {
    const now = steering({ inForce: [override({ id: 'o1' })] })
    const draft: OverrideInput[] = [
      { kind: 'weight', target: 'coverage', value: 0.8 },
      { kind: 'weight', target: 'recency', value: 0 },
      { kind: 'uniform_share', value: 0.25 },
      { kind: 'quota', target: 'e4', lower: 0.06, upper: 0.17 },
      { kind: 'lift', target: 'o1' },
      { kind: 'lift', target: 'gone' },
    ]
    expect(pruneDraft(draft, now)).toEqual([
      { kind: 'weight', target: 'recency', value: 0 },
      { kind: 'lift', target: 'o1' },
    ])
  })
})

describe('changes in words', () => {
  const now = steering({ inForce: [override({ id: 'o12', kind: 'weight' })] })
  const name = (target: string) => ({ e4: 'TRV', e7: 'MSG', e3: 'TRD' })[target] ?? target
  it.each([
    [0, 'coverage weight 0.80 to 1.10'],
    [1, 'uniform share 0.25 to 0.00'],
    [2, 'group sizes fixed to adaptive'],
    [4, 'MSG paused for 10'],
    [5, 'TRD resumed'],
    [6, 't17 pinned for 4'],
    [7, 't3 banned until lifted'],
    [8, 't5 boosted 0.00 times for 10'],
    [9, 'lift weight'],
  ])('%i', (i, words) => {
    const change = every[i]
    expect(change === undefined ? '' : changeInWords(change, now, name)).toBe(words)
  })

  it('names only the bound that moves', () => {
    const quota = (lower: number, upper: number) =>
      changeInWords({ kind: 'quota', target: 'e4', lower, upper }, now, name)
    expect(quota(0.06, 0.2)).toBe('TRV upper quota 17 to 20\u00a0%')
    expect(quota(0.02, 0.17)).toBe('TRV lower quota 6 to 2\u00a0%')
    expect(quota(0.02, 0.2)).toBe('TRV lower quota 6 to 2\u00a0%, upper 17 to 20\u00a0%')
  })
})

function preview(parts: Partial<Preview>): Preview {
  const entry = { task: { id: 't', key: 't', environment: steering().quotas[0]?.environment }, reason: '', score: 0 }
  return {
    cursor: 1,
    batch: 66,
    size: 64,
    enters: Array.from({ length: 9 }, () => entry),
    leaves: [],
    stays: 55,
    cells: [],
    expected: { now: 45.7, nowLow: 39, nowHigh: 50.5, draft: 46.85, low: 42.24, high: 51.2 },
    byEnvironment: [],
    refused: [],
    notes: [],
    notesNow: [],
    ...parts,
  } as Preview
}

describe('changePreviewSentence', () => {
  const pause: OverrideInput = { kind: 'pause', target: 'e0', mode: 'hold', batches: null }
  it('says why a batch stays the same', () => {
    const same = preview({ enters: [], leaves: [] })
    expect(changePreviewSentence(same, pause).words).toBe(
      'Batch 66 would stay the same: it has no pick of this environment.',
    )
    const boost: OverrideInput = { kind: 'boost', target: 'e0', factor: 2, batches: null }
    expect(changePreviewSentence(same, boost).words).toBe(
      'Batch 66 would stay the same: the boost decides no pick of it.',
    )
  })

  it('names its batch, and a refusal', () => {
    expect(changePreviewSentence(preview({}), pause).words).toMatch(
      /^It swaps 9 of 64 tasks of batch 66 and makes no clear difference in informative groups/,
    )
    const refused = preview({ refused: [{ index: 0, message: 'No.', nearest: null }] })
    expect(changePreviewSentence(refused, pause)).toEqual({ words: 'Refused: No.', refused: true })
  })
})

describe('previewVerdict', () => {
  it('gives no direction where the interval does not', () => {
    const { answer, context } = previewVerdict(preview({}), 2)
    expect(answer).toBe(
      'Your draft swaps 9 of 64 tasks and makes no clear difference in informative groups, 45.7 to 46.9.',
    )
    expect(context).toBe(
      'Informative share 71.4 to 73.2\u00a0%, interval 66 to 80\u00a0%, so the gain may be nothing. ' +
        '55 tasks stay. The draft changes nothing until you apply it.',
    )
  })

  it('says a loss, and when it is more than noise', () => {
    const said = previewVerdict(
      preview({ expected: { now: 57.6, nowLow: 52, nowHigh: 61, draft: 44.8, low: 38.4, high: 51.2 } }),
      1,
    )
    expect(said.answer).toContain('13 fewer informative groups')
    expect(said.context).toContain('so the loss is more than noise')
  })

  it('says when nothing changes', () => {
    const same = { now: 44.8, nowLow: 38.4, nowHigh: 51.2, draft: 44.8, low: 38.4, high: 51.2 }
    const { answer, context } = previewVerdict(preview({ enters: [], stays: 64, expected: same }), 1)
    expect(answer).toBe('Your draft changes no pick of batch 66.')
    expect(context).toBe(
      'Informative share 70.0\u00a0%, interval 60 to 80\u00a0%. The draft changes nothing until you apply it.',
    )
  })

  it('does not call a draft possible of which every change is refused', () => {
    const { answer } = previewVerdict(preview({ enters: [], stays: 64 }), 0)
    expect(answer).toBe('Your draft is refused: batch 66 is chosen without it.')
  })
})

describe('unchangedSentence', () => {
  const same = preview({ enters: [], stays: 64 })
  const short = 'clinic: 12 % needs 24 picks, only 1 of its tasks is free now.'

  it('tells what could not be met without the draft', () => {
    const draft: OverrideInput[] = [{ kind: 'quota', target: 'e4', lower: 0, upper: 0.17 }]
    expect(unchangedSentence({ ...same, notesNow: [short] }, draft, steering())).toBe(
      `Batch 66 stays the same. Without the draft: ${short}`,
    )
    expect(unchangedSentence(same, draft, steering())).toBe(
      'Batch 66 stays the same: what the draft changes decided no pick of it.',
    )
  })

  it('asks for more only where there is more', () => {
    expect(unchangedSentence(same, [{ kind: 'weight', target: 'coverage', value: 0.9 }], steering())).toContain(
      'Move a setting further.',
    )
    expect(unchangedSentence(same, [{ kind: 'ban', target: 't1', batches: null }], steering())).not.toContain('further')
  })
})

describe('history', () => {
  it('says what an undo did', () => {
    expect(undoneSentence(override({ kind: 'lift', sentence: 'undo of B' }), 52)).toBe(
      'Undo of B taken back from batch 52.',
    )
    expect(undoneSentence(override({ kind: 'quota', sentence: 'CLI lower quota 0 to 12 %' }), 52)).toBe(
      'CLI lower quota 0 to 12 %: undone from batch 52.',
    )
  })

  it('offers an undo for what is in force, and for an undo', () => {
    expect(undoState(override())).toBe('undo')
    expect(undoState(override({ undoneBy: 'o2', inForce: false }))).toBe('undone')
    expect(undoState(override({ inForce: false, batches: 4 }))).toBe('expired')
    expect(undoState(override({ inForce: false }))).toBe('ended')
    expect(undoState(override({ kind: 'lift', inForce: false }))).toBe('undo')
  })

  it('promises no batch once the run has ended', () => {
    expect(endedVerdict(0).context).toBe('What steered it stands in the history.')
    expect(endedVerdict(1).context).toBe('Your draft of 1 change can be looked at, not applied.')
  })

  it('rests on what is in force', () => {
    expect(restingVerdict(steering()).answer).toBe("No override is in force: batch 66 follows the run's configuration.")
    expect(restingVerdict(steering({ inForce: [override()] })).answer).toBe(
      '1 override is in force for batch 66; there is no draft.',
    )
  })
})

describe('a draft that changes no pick', () => {
  const refused = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ index, message: 'No.', nearest: null }))

  it('is called possible only where nothing of it is refused', () => {
    const same = preview({ enters: [], stays: 64 })
    const three = every.slice(0, 3)
    expect(unchangedSentence(same, three, steering())).toContain('the draft is possible')
    expect(unchangedSentence({ ...same, refused: refused(3) }, three, steering())).toBe(
      'Batch 66 stays the same: every change of the draft is refused. Correct one first.',
    )
    expect(unchangedSentence({ ...same, refused: refused(1) }, three, steering())).toBe(
      'Batch 66 stays the same: 1 of 3 changes is refused, the rest changes no pick.',
    )
  })
})

describe('a draft that is too long', () => {
  it('says how many changes there may be and what to do', () => {
    const changes = Array.from({ length: 501 }, (_, i) => ({ kind: 'pin', target: `t${String(i)}` }))
    expect(draftInput.safeParse({ changes }).error?.issues[0]?.message).toBe(
      'a draft takes 500 changes; apply it in parts',
    )
    expect(draftInput.safeParse({ changes: changes.slice(1) }).success).toBe(true)
  })
})
