import { describe, expect, it } from 'vitest'
import { decodeDraft, encodeDraft, settingsEnd, withSettingsEnd } from '@/lib/view/steering-draft'
import { shownHistory } from '@/lib/view/steering-history'
import { steeredSince } from '@/lib/view/steering-since'
import { holdsInWords, undoSentence } from '@/lib/view/steering-words'
import { override } from '@/tests/support/view-fixtures'

const history = [
  override({ id: 'o3', number: 3, letter: 'C', author: 'jonas', inForce: false, undoneBy: 'o4', setting: 'quota:e1' }),
  override({ id: 'o1', number: 1, letter: 'A', from: 18 }),
  override({ id: 'o2', number: 2, letter: 'B', note: null, inForce: false, batches: 4, until: 22 }),
]

describe('the history', () => {
  it('is found by state and by every word', () => {
    expect(shownHistory(history, 'all', '').map(({ id }) => id)).toEqual(['o3', 'o2', 'o1'])
    expect(shownHistory(history, 'in force', '').map(({ id }) => id)).toEqual(['o1'])
    expect(shownHistory(history, 'undone', '').map(({ id }) => id)).toEqual(['o3'])
    expect(shownHistory(history, 'ended', '').map(({ id }) => id)).toEqual(['o2'])
    expect(shownHistory(history, 'all', ' JONAS coverage ').map(({ id }) => id)).toEqual(['o3'])
    expect(shownHistory(history, 'all', 'jonas banana')).toEqual([])
    expect(shownHistory([], 'all', '')).toEqual([])
  })

  it('says how long an entry holds or held', () => {
    expect(holdsInWords(override())).toBe('until lifted')
    expect(holdsInWords(override({ batches: 10, batchesLeft: 3.2 }))).toBe('10 batches, 4 left')
    expect(holdsInWords(override({ inForce: false, batches: 4, until: 22 }))).toBe('to batch 21')
    expect(holdsInWords(override({ inForce: false, until: 18 }))).toBe('never held')
  })

  it('says before an undo what it would do', () => {
    expect(undoSentence(override(), 66)).toBe('Back to 0.60 from batch 66, as a new entry.')
    const later = { id: 'o2', letter: 'B', sentence: 'coverage weight 0.80 to 1.10' }
    expect(undoSentence(override({ laterBy: later, backTo: '1.10' }), 66)).toContain('B was set later and holds 1.10')
    expect(undoSentence(override({ kind: 'lift' }), 66)).toContain('Puts back in force from batch 66')
  })
})

describe('what others set meanwhile', () => {
  it('is told oldest first, and where the draft sets it, too', () => {
    const told = steeredSince(history, 1, [{ kind: 'weight', target: 'coverage', value: 1 }])
    expect(told.map(({ id, both }) => [id, both])).toEqual([
      ['o2', true],
      ['o3', false],
    ])
    expect(told[0]?.sentence).toContain('Your draft sets it, too')
    expect(steeredSince(history, 3, [])).toEqual([])
  })
})

describe('the end of settings', () => {
  it('is one for all settings, and in the address', () => {
    const draft = decodeDraft('weight:coverage:1.1,uniform:0.3,sizing:adaptive,quota:e5:0.06:0.2,pin:t4:10')
    expect(settingsEnd(draft)).toBeNull()
    const ended = withSettingsEnd(draft, 8)
    const text = 'weight:coverage:1.1:8,uniform:0.3:8,sizing:adaptive:8,quota:e5:0.06:0.2:8,pin:t4:10'
    expect(encodeDraft(ended)).toBe(text)
    expect(decodeDraft(text)).toEqual(ended)
    expect(settingsEnd(ended)).toBe(8)
    expect(encodeDraft(withSettingsEnd(ended, null))).toBe(encodeDraft(draft))
    expect(settingsEnd([])).toBeNull()
  })
})
