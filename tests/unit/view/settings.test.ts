import { describe, expect, it } from 'vitest'
import type { DiskUse } from '@/lib/contract/disk'
import type { KeepRule } from '@/lib/contract/keep'
import type { TokenRow } from '@/lib/contract/token'
import { amountOf, formatBytes } from '@/lib/view/bytes'
import { diskTwin, mayDo, tokensTwin } from '@/lib/view/settings-twin'
import { daysLeft, diskContext, isStale, settingsVerdict } from '@/lib/view/settings-verdict'
import {
  decodeRule,
  deletionWords,
  encodeRule,
  keepWords,
  revokeWords,
  sameRule,
  trainerWords,
  typedHint,
} from '@/lib/view/settings-words'

const NOW = Date.UTC(2026, 10, 29, 12)
const ago = (days: number) => new Date(NOW - days * 86_400_000).toISOString()

const token = (change: Partial<TokenRow>): TokenRow => ({
  id: 'a',
  name: 'trainer',
  scope: 'report',
  madeBy: 'mira',
  madeAt: ago(60),
  validUntil: null,
  expired: false,
  lastUsedAt: ago(0),
  from: null,
  startUp: false,
  yours: false,
  lastToOperate: false,
  ...change,
})

const disk = (server: Partial<DiskUse['server']> = {}, bytes = 1.868e9): DiskUse => ({
  measuredAt: ago(0),
  bytes,
  parts: [
    { kind: 'text', bytes: bytes * 0.75 },
    { kind: 'rollouts', bytes: bytes * 0.25 },
  ],
  counts: {
    rollouts: 33_096,
    texts: 1,
    batches: 1,
    picks: 0,
    predictions: 57_395,
    overrides: 6,
    entries: 214,
    snapshots: 0,
    tasks: 883,
    edges: 13_150,
    otherRuns: 1,
  },
  server: {
    used: 6.4e9,
    freeInside: 0,
    diskFree: 13.5e9,
    diskTotal: 20e9,
    growth: { bytesADay: 0.9e9, seconds: 86_400 },
    ...server,
  },
})

const plain = (text: string | null | undefined) => text?.replaceAll('\u00a0', ' ')

describe('amounts of storage', () => {
  it('keep one decimal under 100 and change their unit before four figures', () => {
    const cases: [number, string][] = [
      [0, '0 B'],
      [-0, '0 B'],
      [999, '999 B'],
      [1000, '1.0 kB'],
      [99_949, '99.9 kB'],
      [99_950, '100 kB'],
      [999_949, '1000 kB'],
      [999_950, '1.0 MB'],
      [1.31e9, '1.3 GB'],
      [-2.5e6, '\u22122.5 MB'],
    ]
    for (const [bytes, words] of cases)
      expect(plain(formatBytes(bytes, 'n/a'))?.replace('1 000', '1000'), String(bytes)).toBe(words)
  })
  it('say the words of the caller for what is not known', () => {
    for (const bytes of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
      expect(formatBytes(bytes, 'not yet')).toBe('not yet')
    expect(amountOf(0, 'n/a')).toEqual({ figure: '0', unit: 'B' })
  })
})

describe('the answer of Settings', () => {
  const say = (tokens: TokenRow[], use: DiskUse | null = null) => plain(settingsVerdict(tokens, use, NOW)?.sentence)
  it('counts tokens that are valid, and tells of one that may steer and lies idle', () => {
    const operate = token({ scope: 'operate' })
    expect(say([operate])).toBe('One token is valid, and it may steer and delete.')
    expect(say([operate, token({}), token({ expired: true })])).toBe('Two tokens are valid; one may steer and delete.')
    expect(say([operate, token({ scope: 'operate', lastUsedAt: ago(34) })])).toBe(
      'Two tokens are valid; one that may steer and delete has not been used for 34 days.',
    )
    expect(say([token({ scope: 'view' })])).toBe('One token is valid; none may steer or delete.')
    expect(say([])).toBe('No tokens are valid; none may steer or delete.')
  })
  it('puts the run before the server', () => {
    const operate = token({ scope: 'operate' })
    expect(say([operate], disk())).toBe(
      'This run takes 1.9 GB; one token is valid on this server, and it may steer and delete.',
    )
    expect(say([operate, token({})], disk())).toBe(
      'This run takes 1.9 GB; two tokens are valid on this server, one may steer and delete.',
    )
    expect(plain(settingsVerdict([operate], disk(), NOW)?.context)).toMatch(/^The server holds 6\.4 GB/)
    expect(plain(settingsVerdict([operate], null, NOW)?.sentence)).toBe(
      'One token is valid, and it may steer and delete.',
    )
  })
  it('makes no day of the end of a pace of minutes', () => {
    const young = disk({ diskFree: 1e9, growth: { bytesADay: 1.44e9, seconds: 960 } })
    expect(daysLeft(young)).toBeNull()
    expect(say([token({ scope: 'operate' })], young)).toMatch(/^This run takes/)
    expect(plain(diskContext(young))).toContain(
      'It grew by 16.0 MB in the 16 min that are measured; how long the disk lasts is told from a day on.',
    )
  })
  it('counts idleness from the making of one that was never used, and not of one that may only look', () => {
    expect(isStale(token({ scope: 'operate', lastUsedAt: null, madeAt: ago(31) }), NOW)).toBe(true)
    expect(isStale(token({ scope: 'operate', lastUsedAt: null, madeAt: ago(29) }), NOW)).toBe(false)
    expect(isStale(token({ scope: 'view', lastUsedAt: ago(99) }), NOW)).toBe(false)
    expect(isStale(token({ scope: 'operate', lastUsedAt: ago(99) }), null)).toBe(false)
    expect(isStale(token({ scope: 'operate', lastUsedAt: 'no time' }), NOW)).toBe(false)
  })
  it('puts a disk that is full within a week first', () => {
    expect(daysLeft(disk())).toBeCloseTo(15)
    expect(plain(diskContext(disk()))).toBe(
      'This run takes 1.9 GB. The server holds 6.4 GB, 13.5 GB are free. At the pace of the last 24 h it grows by 900 MB a day: full in 15 days unless text is dropped sooner.',
    )
    expect(say([token({})], disk({ diskFree: 1.8e9 }))).toBe(
      'The disk is full in 2 days at this pace: drop trajectory text, or make room.',
    )
    expect(say([token({})], disk({ diskFree: 0 }))).toBe(
      'The disk is full in 0 s at this pace: drop trajectory text, or make room.',
    )
  })
  it('says nothing of a day that is not known, and nothing of an end where nothing grows', () => {
    const paces = [
      null,
      { bytesADay: 0, seconds: 600 },
      { bytesADay: -5e6, seconds: 600 },
      { bytesADay: Number.NaN, seconds: 600 },
    ]
    for (const growth of paces) expect(daysLeft(disk({ growth }))).toBeNull()
    expect(daysLeft(disk({ diskFree: null }))).toBeNull()
    expect(diskContext(disk({ growth: null }))).toContain('ten minutes after the server started')
    expect(diskContext(disk({ growth: { bytesADay: 0, seconds: 600 } }))).toContain('did not grow')
    expect(plain(diskContext(disk({ growth: { bytesADay: -5e6, seconds: 600 } })))).toContain('shrank by 5.0 MB a day')
    expect(settingsVerdict(null, null, NOW)).toBeNull()
  })
})

describe('rules of what is kept', () => {
  const rule = (change: Partial<KeepRule>): KeepRule => ({
    text: 'newest',
    newest: 32,
    failures: true,
    errors: true,
    ...change,
  })
  it('come back from the address as they went in', () => {
    for (const one of [
      rule({}),
      rule({ text: 'all', failures: false }),
      rule({ text: 'none', newest: 1, errors: false, failures: false }),
    ])
      expect(decodeRule(encodeRule(one))).toEqual(one)
    for (const text of [null, '', 'newest', 'newest-0-fe', 'newest-x-', 'some-3-f', 'newest-3-ef', 'newest--3-f'])
      expect(decodeRule(text), String(text)).toBeNull()
  })
  it('are the same where what differs does not act', () => {
    expect(sameRule(rule({ text: 'all', newest: 1 }), rule({ text: 'all', failures: false }))).toBe(true)
    expect(sameRule(rule({ text: 'none', newest: 1 }), rule({ text: 'none' }))).toBe(true)
    expect(sameRule(rule({ newest: 1 }), rule({}))).toBe(false)
    expect(sameRule(rule({}), rule({ errors: false }))).toBe(false)
    expect([rule({ text: 'all' }), rule({ newest: 8 }), rule({ text: 'none' })].map(keepWords)).toEqual([
      'Keep all',
      'Keep newest 8',
      'Keep none',
    ])
  })
})

describe('what goes and what stays', () => {
  it('is counted and named', () => {
    const { goes, stays } = deletionWords(disk(), 'tools-10')
    expect(plain(goes)).toBe('33 096 rollouts, 1 batch, 0 picks, 57 395 predictions, 6 overrides.')
    expect(stays).toBe('The task set tools-10 stays; 1 other run uses it.')
  })
  it('says what a trainer will do only where there may be one', () => {
    expect(trainerWords('finished')).toBeNull()
    expect(trainerWords('failed')).toBeNull()
    expect(trainerWords('live')).toContain('A trainer is connected')
    expect(trainerWords('silent')).toContain('If its trainer comes back')
  })
  it('wakes only at the whole name', () => {
    expect(typedHint('', 'run')).toBe('3 more characters.')
    expect(typedHint('ru', 'run')).toBe('1 more character.')
    expect(typedHint('run', 'run')).toBeNull()
    for (const typed of ['runs', 'Run', ' run', 'x']) expect(typedHint(typed, 'run')).toBe('This is not its name.')
  })
  it('of a token names the worst first', () => {
    expect(revokeWords(token({ lastUsedAt: null }), NOW)).toEqual(['Whoever uses it is refused from the next call on.'])
    expect(revokeWords(token({ lastUsedAt: new Date(NOW - 4000).toISOString() }), NOW)[0]).toContain(
      'a trainer that works with it',
    )
    const worst = revokeWords(token({ scope: 'operate', lastToOperate: true, startUp: true, yours: true }), NOW)
    expect(worst.map((sentence) => sentence.slice(0, 24))).toEqual([
      'It is the last token tha',
      'It is the token in the a',
      'This browser is signed i',
    ])
  })
})

describe('plain tables', () => {
  it('hold the same figures', () => {
    expect(diskTwin(disk()).rows[0]?.slice(2)).toEqual([1.868e9 * 0.75, 0.75])
    expect(diskTwin(disk({}, 0)).rows[0]?.slice(2)).toEqual([0, null])
    expect(tokensTwin([token({ from: null })]).rows[0]).toContain(null)
  })
  it('a larger scope may do what a smaller one may', () => {
    const may = (scope: 'view' | 'report' | 'operate') =>
      (['view', 'report', 'operate'] as const).map((need) => mayDo({ what: '', scope: need }, scope))
    expect([may('view'), may('report'), may('operate')]).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ])
  })
})
