import { describe, expect, it } from 'vitest'
import { candidates, filterRuns, selectionWords, suggestions } from '@/lib/view/run-filter'
import { aRun } from './run-fixture'

const runs = [
  aRun({ id: 'a', name: '8b-envsched-s0', createdAt: '2026-11-01T00:00:00Z' }),
  aRun({ id: 'b', name: '8b-uniform-s0', scheduler: 'uniform', status: 'silent', createdAt: '2026-11-02T00:00:00Z' }),
  aRun({ id: 'c', name: '4b', taskSet: { id: 's2', name: 'other' }, createdAt: '2026-11-03T00:00:00Z' }),
  aRun({ id: 'd', name: 'new', batch: 0, createdAt: '2026-11-04T00:00:00Z' }),
]
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('runs', () => {
  it('are found by every word of name, scheduler and task set, and by status', () => {
    expect(ids(filterRuns(runs, '', null))).toEqual(['a', 'b', 'c', 'd'])
    expect(ids(filterRuns(runs, ' S0  8B ', null))).toEqual(['a', 'b'])
    expect(ids(filterRuns(runs, 'other', null))).toEqual(['c'])
    expect(ids(filterRuns(runs, '', 'silent'))).toEqual(['b'])
    expect(filterRuns(runs, 'nothing', null)).toEqual([])
  })

  it('may join a comparison, those of the same task set first', () => {
    expect(ids(candidates(runs, ['a'], ''))).toEqual(['d', 'b', 'c'])
    expect(ids(candidates(runs, [], ''))).toEqual(['d', 'c', 'b', 'a'])
  })

  it('are suggested by task set where two have a batch', () => {
    expect(suggestions(runs, 6)).toEqual([{ name: 'tools-10', ids: ['b', 'a'] }])
    expect(suggestions(runs, 1)).toEqual([])
    expect(suggestions([], 6)).toEqual([])
  })

  it('that are selected say whether they can be set against each other', () => {
    expect(selectionWords(runs.slice(0, 1)).text).toContain('select another one')
    expect(selectionWords(runs.slice(0, 2))).toEqual({
      text: 'both share the task set tools-10, so they can be compared',
      shared: true,
    })
    expect(selectionWords(runs.slice(0, 3))).toMatchObject({ shared: false })
  })
})
