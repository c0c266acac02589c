import { describe, expect, it } from 'vitest'
import { ARCHIVE_FORMAT } from '@/lib/contract/archive'
import { keptRows, skipAdvice, skippedRows } from '@/lib/view/import-skips'
import { importSteps } from '@/lib/view/import-steps'
import { importsVerdict, importVerdict } from '@/lib/view/import-verdict'
import { importJob, importSource, importStep } from '@/tests/support/import-job'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('the verdict of an import', () => {
  const skipped = [
    { reason: 'it is not JSON', count: 2, file: 'a', files: 1, lines: [3, 4] },
    { reason: 'the whole file: its form is not known', count: 1, file: 'LICENSE', files: 1, lines: [] },
  ]

  it('says how far it is, and that the page can be left', () => {
    const steps = [importStep('read', { state: 'running', seconds: 4 })]
    const job = importJob({
      state: 'reading',
      steps,
      done: 25,
      total: 100,
      secondsLeft: 11,
      source: importSource({ rows: 26_300 }),
    })
    expect(plain(importVerdict(job).sentence)).toBe(
      'Importing: 26 300 rows read so far, 25.0 % of the bytes, 11 s left.',
    )
    expect(importVerdict(job).context).toContain('the import goes on. No row was skipped so far.')
    const bare = { ...job, source: null, total: null, secondsLeft: null }
    expect(importVerdict(bare).sentence).toBe('Importing results.json.')
    const predicting = importJob({
      state: 'replaying',
      steps: [importStep('predict', { state: 'running' })],
      done: 0,
      total: 7680,
    })
    expect(plain(importVerdict(predicting).sentence)).toBe('Importing: 0 of 7 680 groups predicted.')
  })

  it('says what came in and what did not', () => {
    const job = importJob({ run: 'r1', accepted: 97, source: importSource(), skipped })
    expect(importVerdict(job).sentence).toBe(
      'Imported 97 of 100 rows into a run. 2 rows and 1 whole file were skipped for 2 reasons, each with its line.',
    )
    expect(plain(importVerdict(job).context)).toBe(
      '12 groups on 10 tasks in 1 environment, 2 models, each a policy version. It took 20 s.',
    )
    expect(importVerdict({ ...job, skipped: [], accepted: 0, duplicates: 97 }).sentence).toBe(
      'Nothing new: all 97 rollouts were there before. No row was skipped.',
    )
    expect(importVerdict(importJob({ state: 'failed', error: 'x is empty: there is nothing to read.' }))).toEqual({
      sentence: 'Could not import results.json.',
      context: 'x is empty: there is nothing to read.',
    })
    expect(importVerdict(importJob({ state: 'cancelled' })).sentence).toBe('Cancelled: 0 rollouts had come in.')
    expect(skippedRows(job)).toBe(2)
  })

  it('keeps apart what a format itself does not need', () => {
    const sums = { reason: 'the whole file: sums', count: 9, file: 'a', files: 9, lines: [], needless: true }
    const job = importJob({ run: 'r1', accepted: 97, source: importSource(), skipped: [sums] })
    expect(importVerdict(job).sentence).toBe(
      'Imported 97 of 100 rows into a run. No row was skipped; 9 parts of the files are not needed.',
    )
    const both = { ...job, skipped: [sums, ...skipped.slice(0, 1)] }
    expect(importVerdict(both).sentence).toContain(
      '2 rows were skipped for 1 reason, each with its line; 9 parts of the files are not needed.',
    )
  })

  it('counts what came in so far, failures too', () => {
    expect(importsVerdict([], 0).sentence).toContain('Nothing was imported yet')
    const jobs = [
      importJob({ accepted: 5, run: 'r' }),
      importJob({ accepted: 7, run: 'r' }),
      importJob({ state: 'failed' }),
    ]
    expect(importsVerdict(jobs, 3).sentence).toBe('3 imports brought 12 rollouts into 1 run; 1 failed.')
    expect(importsVerdict(jobs, 30).sentence).toContain('The newest 3 of 30 imports brought')
  })
})

describe('the steps of an import', () => {
  const replay = {
    state: 'running',
    why: null,
    done: 3,
    total: 40,
    secondsLeft: 12,
    startedAt: 0,
    finishedAt: null,
    rolloutsSince: 0,
    report: null,
  } as const

  it('are five, and one that was under way when the import ended is not done', () => {
    const steps = [
      importStep('read'),
      importStep('join'),
      importStep('graph', { state: 'stopped' }),
      importStep('predict', { state: 'stopped', seconds: null }),
    ]
    const said = importSteps(importJob({ state: 'failed', steps }), null)
    expect(said.map(({ name, state }) => [name, state])).toEqual([
      ['read', 'ok'],
      ['join', 'ok'],
      ['graph', 'bad'],
      ['predict', 'bad'],
      ['replay', 'wait'],
    ])
  })

  it('that were cancelled have not failed', () => {
    const steps = [importStep('read'), importStep('predict', { state: 'stopped', seconds: 4 })]
    const [, predict] = importSteps(importJob({ state: 'cancelled', steps }), null)
    expect(predict).toMatchObject({ state: 'none', said: 'cancelled' })
    expect(plain(predict?.when ?? '')).toBe('cancelled after 4.0 s')
  })

  it('of an archive are one, in rows that are stored', () => {
    const job = importJob({
      state: 'reading',
      format: ARCHIVE_FORMAT,
      unit: 'rows',
      done: 2300,
      total: 42_547,
      steps: [importStep('read', { state: 'running' }), importStep('join', { state: 'waiting' })],
      source: importSource({ rows: 42_547, kept: 42_547 }),
    })
    expect(plain(importVerdict(job).sentence)).toBe('Importing an archive: storing 2 300 of 42 547 rows.')
    expect(importSteps(job, null).map(({ title, text }) => [title, plain(text)])).toEqual([
      ['Store rows', '2 300 of 42 547 rows'],
    ])
    expect(plain(importVerdict({ ...job, state: 'done', done: 42_547 }).context)).toContain('42 547 rows stored')
  })

  it('say what a replay does, and that a new start forgot it', () => {
    const job = importJob({ run: 'r1', replay: true, source: importSource() })
    expect(importSteps(job, replay).at(-1)).toMatchObject({ state: 'run', text: '3 of 40 replays' })
    expect(importSteps(job, { ...replay, state: 'not_yet' }).at(-1)?.text).toContain('forgot the replay')
    expect(importSteps({ ...job, replay: false }, null).at(-1)).toMatchObject({ state: 'wait', when: 'not asked for' })
    expect(importSteps(job, { ...replay, state: 'impossible', why: 'too few groups' }).at(-1)).toMatchObject({
      state: 'none',
      said: 'not possible',
      text: 'too few groups',
    })
  })
})

describe('rows', () => {
  it('knows what to do about a reason, also with the name of a file before it', () => {
    expect(skipAdvice('a.jsonl: it is not JSON')).toContain('mend the line')
    expect(skipAdvice('something new')).toBeNull()
  })

  it('counts what is kept by status, and never divides by nothing', () => {
    const job = importJob({
      source: importSource({ statuses: { ok: 90, infra_error: 10 } }),
      untrusted: { status: 10, reward_missing: 4 },
    })
    expect(keptRows(job).map(({ word, count, share }) => [word, count, share])).toEqual([
      ['ok', 90, 0.9],
      ['infra error', 10, 0.1],
      ['reward missing', 4, null],
      ['groups of 8', 11, 11 / 12],
    ])
    expect(keptRows(importJob({ source: importSource({ statuses: { ok: 0 }, groups: 0 }) }))[0]?.share).toBeNull()
    expect(keptRows(importJob())).toEqual([])
  })
})
