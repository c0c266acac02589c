import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importJob } from '@/lib/contract/import-job'
import {
  cancelImport,
  changeImport,
  failLeftImports,
  readImport,
  readImports,
  startImport,
} from '@/lib/service/imports/import-files'
import { readReplay } from '@/lib/service/replay-history'
import type { Runtime } from '@/lib/service/runtime'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { madeUpHistory } from '@/tests/support/replay-rows'
import { OPERATOR, openTestRuntime, START } from '@/tests/support/toy-run'

let database: TestDatabase
let runtime: Runtime & { end(): Promise<void> }
beforeEach(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
})
afterEach(async () => {
  await runtime.end()
  await database.drop()
})

let now = START
const history = madeUpHistory({ environments: 2, tasks: 6, models: 2 })
const text = history.map((row) => JSON.stringify(row)).join('\n')

function give(name: string, content: string, replay = false) {
  const files = [{ name, open: () => Readable.from([Buffer.from(content)]) }]
  return startImport(runtime, { name, files, bytes: content.length, replay }, OPERATOR, () => (now += 100))
}

describe('imports', () => {
  it('tell their steps, what they found and how rows are read; the same again adds nothing', async () => {
    const { done } = await give('history.jsonl', `${text}\nbroken\n[]`)
    const job = importJob.parse(await done)
    expect(job.steps.map(({ name, state }) => [name, state])).toEqual([
      ['read', 'done'],
      ['join', 'done'],
      ['graph', 'done'],
      ['predict', 'done'],
    ])
    expect(job.steps.every(({ seconds }) => seconds !== null && seconds > 0)).toBe(true)
    expect(job.source).toMatchObject({
      rows: history.length + 2,
      kept: history.length,
      statuses: { ok: history.length },
      groups: 24,
      usualSize: 4,
      usualGroups: 24,
      knownTaskSet: false,
      environments: [
        { key: 'env 0', tasks: 6, rollouts: history.length / 2 },
        { key: 'env 1', tasks: 6, rollouts: history.length / 2 },
      ],
    })
    expect(job.source?.mapping.find(({ here }) => here === 'task')).toMatchObject({ from: 'task', example: 'task 0' })
    expect(job.skipped).toEqual([
      { reason: 'it is not JSON', count: 1, file: 'history.jsonl', files: 1, lines: [history.length + 1] },
      { reason: 'it is not an object', count: 1, file: 'history.jsonl', files: 1, lines: [history.length + 2] },
    ])
    const again = await (await give('history.jsonl', text)).done
    expect(again).toMatchObject({ accepted: 0, duplicates: history.length, run: job.run })
    expect(again.source?.knownTaskSet).toBe(true)
    const list = await readImports(runtime, { limit: 1 }, START)
    expect(list.items.map(({ id }) => id)).toEqual([again.id])
    expect(list).toMatchObject({ next: '1', total: 2 })
  })

  it('start the replay that was asked for, also while they run, and forget a change after the end', async () => {
    const { job, done } = await give('history.jsonl', text)
    expect(job.replay).toBe(false)
    expect(await changeImport(runtime, job.id, { replay: true }, START)).toMatchObject({ replay: true })
    const ended = await done
    expect(ended.replay).toBe(true)
    expect((await readReplay(runtime, ended.run ?? '', START)).state).not.toBe('not_yet')
    expect(await changeImport(runtime, job.id, { replay: false }, START)).toMatchObject({ replay: true })
  })

  it('that fail keep what was skipped; that are cancelled or left behind say so', async () => {
    const empty = await (await give('void.jsonl', '')).done
    expect(empty).toMatchObject({ state: 'failed', error: 'void.jsonl is empty: there is nothing to read.' })
    const bad = await (await give('bad.jsonl', '{"environment":"","task":"a","reward":1}')).done
    expect(bad).toMatchObject({
      state: 'failed',
      skipped: [{ reason: 'a rollout without an environment', lines: [1] }],
    })
    expect(bad.steps.map(({ state }) => state)).toEqual(['done', 'stopped', 'stopped', 'stopped'])

    const { job, done } = await give('history.jsonl', text)
    await cancelImport(runtime, job.id, START)
    expect(await done).toMatchObject({ state: 'cancelled', accepted: 0 })

    const left = await give('history.jsonl', text)
    runtime.imports.delete(left.job.id)
    await failLeftImports(runtime, START)
    expect(await readImport(runtime, left.job.id, START)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('The server stopped during this import'),
    })
    await left.done
  })

  it('of files with names that are too long, or hold what cannot be stored, get names that fit and stay apart', async () => {
    const long = 'x'.repeat(118)
    const runs = new Set<string | null>()
    for (const name of [`${long}😀a.jsonl`, `${long}😀b.jsonl`, 'a\0b\ud800.jsonl', ' ']) {
      const job = await (await give(name, text)).done
      expect(job.error, name).toBeNull()
      expect(job.name.length).toBeLessThanOrEqual(120)
      expect(job.name).not.toMatch(/\0|\p{Surrogate}/u)
      runs.add(job.run)
    }
    expect(runs.size).toBe(4)
    expect(runs.has(null)).toBe(false)
    const again = await (await give(`${long}😀b.jsonl`, text)).done
    expect(runs.has(again.run)).toBe(true)
  })
})
