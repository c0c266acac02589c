import { describe, expect, it } from 'vitest'
import type { ImportJob } from '@/lib/contract/import-job'
import { downloadLine, serverUrl } from '@/lib/view/connect-lines'
import { importLine } from '@/lib/view/import-words'
import { rankHits, type SearchHit, splitHit } from '@/lib/view/search-hits'
import { importJob } from '@/tests/support/import-job'

const hit = (kind: SearchHit['kind'], text: string): SearchHit => ({ id: text, kind, text, note: '', href: '/' })

describe('rankHits', () => {
  const hits = [
    hit('task', 'retail_airline'),
    hit('task', 'airline_27'),
    hit('environment', 'tau-bench airline'),
    hit('page', 'Graph'),
    hit('action', 'Pause the airline'),
  ]

  it('puts starts before starts of words, and leaves out what does not match', () => {
    expect(rankHits(hits, 'AIRL', 9).map((one) => one.text)).toEqual([
      'airline_27',
      'Pause the airline',
      'tau-bench airline',
      'retail_airline',
    ])
    expect(rankHits(hits, 'zzz', 9)).toEqual([])
    expect(rankHits(hits, 'airline tau', 9).map((one) => one.text)).toEqual(['tau-bench airline'])
  })

  it('offers pages and runs for an empty query, and never more than the limit', () => {
    expect(rankHits(hits, ' ', 9).map((one) => one.text)).toEqual(['Graph'])
    expect(rankHits(hits, 'a', 2)).toHaveLength(2)
  })

  it('cuts the text at the match', () => {
    expect(splitHit('airline_27', 'LINE')).toEqual(['air', 'line', '_27'])
    expect(splitHit('airline_27', '')).toEqual(['airline_27', '', ''])
  })
})

describe('connect lines', () => {
  it('takes an address with and without scheme', () => {
    expect(downloadLine('http://127.0.0.1:4310/')).toBe('curl -O 127.0.0.1:4310/envsched.py')
    expect(serverUrl('127.0.0.1:4310')).toBe('http://127.0.0.1:4310')
    expect(serverUrl('https://box')).toBe('https://box')
  })
})

describe('import words', () => {
  const job: ImportJob = importJob({
    id: 'i1',
    name: 'results.json',
    state: 'reading',
    format: 'tau-bench',
    done: 12_400,
    total: 20_000,
    unit: 'rows',
    perSecond: 3100,
    secondsLeft: 2,
    accepted: 19_988,
    duplicates: 0,
    untrusted: {},
    skipped: [
      { reason: 'without a task id', count: 9, file: '', files: 1, lines: [4] },
      { reason: 'with a reward above 1', count: 3, file: '', files: 1, lines: [7] },
    ],
    taskSet: null,
    run: null,
    error: null,
  })

  it('says count, rate and time left', () => {
    expect(importLine(job)).toBe('12\u00a0400 of 20\u00a0000 rows, 3\u00a0100 a second, 2\u00a0s left')
    expect(importLine({ ...job, total: null, perSecond: null, secondsLeft: null })).toBe('12\u00a0400 rows')
  })
})
