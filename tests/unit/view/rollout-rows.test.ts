import { describe, expect, test } from 'vitest'
import { foundWords, groupNote, outSentence, rolloutRows, stepInList } from '@/lib/view/rollout-rows'
import { alikeSearch, isFiltered, searchOf, searchQuery } from '@/lib/view/rollout-search'
import { alikeSentence, costWords, countedSentence, errorHead } from '@/lib/view/rollout-words'
import { textWindow, WINDOW } from '@/lib/view/text-window'
import { group as result } from '@/tests/support/view-fixtures'
import { rolloutGroup, sibling } from './rollout-fixture'

const out = (id: string, batch = 9) => rolloutGroup('????', { id, batch })

describe('rows of the list', () => {
  test('groups that are wholly out stand in one row from three on, batch by batch', () => {
    const rows = rolloutRows([
      out('g9'),
      out('g8'),
      out('g7'),
      rolloutGroup('10', { id: 'g6' }),
      out('g5', 8),
      out('g4', 8),
    ])
    expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
      ['out', 'g9-out'],
      ['group', 'g6'],
      ['rollout', 'r60'],
      ['rollout', 'r61'],
      ['group', 'g5'],
      ['group', 'g4'],
    ])
    expect(outSentence([out('g9'), out('g8'), out('g7')])).toBe('3 groups of batch 9 still out, 12 rollouts')
    expect(rolloutRows([out('g3', 2), out('g2', 2), out('g1', 1)])).toHaveLength(3)
    expect(rolloutRows([])).toEqual([])
  })

  test('a very large group says how many it does not list', () => {
    expect(rolloutRows([rolloutGroup('1', { hidden: 12 })]).at(-1)).toMatchObject({ kind: 'hidden' })
  })

  test('a group tells what is out, why nothing is back, or how many match', () => {
    expect(groupNote(rolloutGroup('10??'))).toBe('2 still out')
    expect(groupNote(rolloutGroup('10'))).toBe('')
    expect(groupNote(rolloutGroup('10??', { superseded: true }))).toBe('superseded')
    const left = ['g3', 'g2', 'g1'].map((id) => rolloutGroup('????', { id, superseded: true }))
    expect(rolloutRows(left).map(({ kind }) => kind)).toEqual(['group', 'group', 'group'])
    expect(groupNote(rolloutGroup('10', { late: true }))).toBe('late')
    expect(groupNote(rolloutGroup('10', { rollouts: [] }))).toBe('0 of 2 match')
    const ended = { rollouts: [], result: { ...result('1'), returned: 0, state: 'released' as const } }
    expect(groupNote(rolloutGroup('1', ended))).toBe('given back')
    expect(groupNote(rolloutGroup('1', { ...ended, result: { ...ended.result, state: 'expired' } }))).toBe(
      'lease expired',
    )
  })

  test('j and k move over rollouts, stay at the ends, and begin at the first', () => {
    const rows = rolloutRows([rolloutGroup('10', { id: 'g2' }), rolloutGroup('1', { id: 'g1' })])
    expect(stepInList(rows, null, 1)).toBe('r20')
    expect(stepInList(rows, 'gone', -1)).toBe('r20')
    expect(stepInList(rows, 'r21', 1)).toBe('r10')
    expect(stepInList(rows, 'r10', 1)).toBe('r10')
    expect(stepInList(rows, 'r20', -1)).toBe('r20')
    expect(stepInList([], null, 1)).toBeNull()
  })

  test('how many are found is never more than is known', () => {
    const list = { total: null, of: 33_096, shown: 0, searched: 0, done: false }
    expect(foundWords({ ...list, total: 35 })).toBe('35 of 33\u00a0096')
    expect(foundWords({ ...list, total: 33_096 })).toBe('33\u00a0096 rollouts')
    expect(foundWords({ ...list, total: 0, of: 0 })).toBe('0 rollouts')
    expect(foundWords({ ...list, shown: 4, searched: 1200 })).toBe('4 in the newest 1\u00a0200')
    expect(foundWords({ ...list, shown: 4, searched: 33_096, done: true })).toBe('4 of 33\u00a0096')
  })
})

describe('filters in the address', () => {
  test('take what there is and nothing else', () => {
    expect(
      searchOf({ q: '  a ', environment: 'e3', task: 't17', policy: '0', status: 'ok', reward: 'between' }),
    ).toEqual({
      q: 'a',
      environment: 'e3',
      task: 't17',
      policy: '0',
      status: 'ok',
      reward: 'between',
    })
    const none = searchOf({
      q: ' ',
      environment: '3',
      task: 'toString',
      policy: '-1',
      status: 'fine',
      reward: 'toString',
    })
    expect(Object.values(none)).toEqual([null, null, null, null, null, null])
    expect(isFiltered(none)).toBe(false)
    expect(isFiltered(searchOf({ policy: '0' }))).toBe(true)
    expect(searchQuery(searchOf({ environment: 'e0', q: 'a b' }), 'r5')).toBe('q=a+b&env=e0&rollout=r5')
  })

  test('those like a failure have its environment, status and first words', () => {
    const { environment } = sibling(null).task
    expect(alikeSearch(sibling(null, [], { error: 'timeout\nmore' }))).toEqual({
      q: 'timeout',
      environment: environment.id,
      task: null,
      policy: null,
      status: 'infra_error',
      reward: null,
    })
    expect(alikeSearch(sibling(0, [], { error: null })).q).toBeNull()
  })
})

describe('small sentences', () => {
  const detail = (parts: object) => ({
    ...sibling(null),
    messages: null,
    left: 0,
    position: 1,
    previous: null,
    next: null,
    in: rolloutGroup('1110000x'),
    siblings: [],
    alike: null,
    ...parts,
  })

  test('say why a reward is not counted, and never call it 0', () => {
    expect(countedSentence(detail({}))).toBe(
      'Not counted. It is neither a failure nor a 0; the group goes on with 7 rollouts.',
    )
    expect(countedSentence(detail({ in: rolloutGroup('x') }))).toContain('no rollout of its group counts')
    expect(countedSentence(detail({ distrust: 'reward_missing' }))).toContain('Missing is never 0')
    expect(countedSentence(detail({ distrust: 'reward_invalid' }))).toContain('no finite number')
    expect(countedSentence(detail({ distrust: 'out_of_range' }))).toContain('outside the declared range')
    expect(countedSentence(detail({ distrust: null, status: 'ok' }))).toBeNull()
    expect(countedSentence(detail({ distrust: null, status: 'truncated' }))).toContain('Its reward counts')
  })

  test('tell costs, likes and heads of errors', () => {
    expect(costWords({ turns: 12, tokens: 6300, seconds: 14.9 })).toBe('12 turns, 6\u00a0300 tokens, 14.9\u00a0s')
    expect(costWords({ turns: 0, tokens: null, seconds: 0 })).toBe('0 turns, 0.0\u00a0s')
    expect(costWords({ turns: null, tokens: null, seconds: null })).toContain('No turns')
    const alike = { count: 5, batches: 10, workers: ['worker-06'] }
    expect(alikeSentence(detail({ alike, worker: 'worker-06' }))).toBe(
      'The same error: 5 times in AIR in the last 10 batches, all from worker-06.',
    )
    expect(alikeSentence(detail({ alike: { ...alike, count: 1, workers: [] } }))).toContain('No other rollout')
    expect(alikeSentence(detail({}))).toBeNull()
    expect(errorHead('one\ntwo')).toEqual({ head: 'one', more: true })
    expect(errorHead(' one ')).toEqual({ head: 'one', more: false })
    expect(errorHead('\n')).toMatchObject({ head: 'An error without words' })
    expect(errorHead('x'.repeat(500)).head.length).toBe(161)
  })
})

describe('windows of a text', () => {
  test('never exceed one window and a bit, and cover all of it', () => {
    expect(textWindow(0, 0)).toEqual({ from: 0, to: 0, count: 1 })
    expect(textWindow(6000, 5)).toEqual({ from: 0, to: 6000, count: 1 })
    const length = 2_000_001
    const { count } = textWindow(length, 0)
    let at = 0
    for (let index = 0; index < count; index += 1) {
      const { from, to } = textWindow(length, index)
      expect(from).toBe(at)
      expect(to - from).toBeLessThanOrEqual(WINDOW)
      at = to
    }
    expect(at).toBe(length)
    for (const odd of [-1, Number.NaN, 1e9]) expect(textWindow(length, odd).to).toBeGreaterThan(0)
    expect(textWindow(length, 1e9).to).toBe(length)
  })
})
