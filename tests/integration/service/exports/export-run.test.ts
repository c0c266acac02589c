import { readdirSync } from 'node:fs'
import path from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EXPORT_NAMES, EXPORTS } from '@/lib/contract/export'
import { fileSafe } from '@/lib/contract/file-name'
import { rolloutFilterQuery } from '@/lib/contract/rollout-group'
import { applyDraft } from '@/lib/service/apply-overrides'
import { deleteRun } from '@/lib/service/delete-run'
import { exportRollouts } from '@/lib/service/exports/export-rollouts'
import { exportRun, readExports } from '@/lib/service/exports/export-run'
import { dropAllText } from '@/lib/service/keep'
import { readBatch } from '@/lib/service/read-batches'
import { readPredictions, readRollouts } from '@/lib/service/read-lists'
import { recordScore } from '@/lib/service/record-score'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

const rowsOf = (bytes: Buffer): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: Uint8Array.from(bytes).buffer })

describe('exports of a run', () => {
  let database: TestDatabase
  let runtime: Awaited<ReturnType<typeof openTestRuntime>>
  beforeEach(async () => {
    database = await createTestDatabase('sqlite')
    runtime = await openTestRuntime(database.url)
  })
  afterEach(async () => {
    await runtime.end()
    await database.drop()
  })

  const whole = async (run: string, name: string, format: string | null = null) => {
    const parts: string[] = []
    for await (const part of await texts(run, name, format)) parts.push(part)
    return parts.join('')
  }
  const texts = async (run: string, name: string, format: string | null = null) => {
    const file = await exportRun(runtime, run, name, format, START)
    if (!('text' in file)) throw new Error(`${name} is no text`)
    return file.text
  }
  const bytesOf = async (run: string, name: string, format: string) => {
    const file = await exportRun(runtime, run, name, format, START)
    if (!('made' in file)) throw new Error(`${name} is no made file`)
    const parts: Buffer[] = []
    for await (const part of file.made.open()) parts.push(part as Buffer)
    const bytes = Buffer.concat(parts)
    expect(bytes.length).toBe(file.made.bytes)
    return bytes
  }
  const objects = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  test('each holds every row, in order, and is about as large as was said', async () => {
    const run = await startToyRun(runtime)
    // more than one page of each: 12 batches, 384 rollouts
    await train(runtime, run, 0, 12)
    await applyDraft(
      runtime,
      run,
      { changes: [{ kind: 'weight', target: 'coverage', value: 1.5 }], note: '=more', cursor: 0, anyway: true },
      OPERATOR,
      START,
    )
    await ask(runtime, run, 12)
    const { items } = await readExports(runtime, run, START)
    expect(items.map(({ name, format }) => `${name}.${format}`)).toEqual(
      EXPORT_NAMES.flatMap((name) => EXPORTS[name].map((format) => `${name}.${format}`)),
    )
    const rollouts = objects(await whole(run, 'rollouts'))
    const stored = (await readRollouts(runtime, run, {}, { limit: 1000, format: 'json' })).items
    expect(rollouts.map(({ id }) => String(id)).sort()).toEqual(stored.map(({ id }) => id).sort())
    expect(rollouts[0]).toMatchObject({
      ...stored.find(({ id }) => id === rollouts[0]?.id),
      messages: [{ role: 'user', content: 'hello' }],
    })
    const picks = objects(await whole(run, 'picks', 'jsonl'))
    expect(picks).toHaveLength(13 * 8)
    const [first] = (await readBatch(runtime, run, 1)).pickList
    expect(picks[0]).toMatchObject({ batch: 1, reason: first?.reason, terms: first?.terms, score: first?.score })
    const lines = (await whole(run, 'picks', 'csv')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(13 * 8 + 1)
    expect(lines[0]).toContain('terms.exploitation')
    expect(lines[0]).toContain('runnerUp.task')
    const predictions = (await whole(run, 'predictions')).trimEnd().split('\r\n')
    expect(predictions).toHaveLength((await readPredictions(runtime, run, { limit: 1, format: 'json' })).total + 1)
    const gexf = await whole(run, 'graph', 'gexf')
    expect(gexf.match(/<node /g)).toHaveLength(48)
    expect(gexf.match(/<viz:position /g)).toHaveLength(48)
    const steering = (await whole(run, 'steering', 'csv')).trimEnd().split('\r\n')
    expect(steering).toHaveLength(2)
    expect(steering[1]).toContain("'=more")
    for (const { name, format, bytes, rows } of items) {
      if (bytes === null) continue
      const size = (await whole(run, name, format)).length
      expect(rows, name).toBeGreaterThan(0)
      if (format === 'jsonl.gz') expect(bytes).toBeLessThan(size)
      else expect(Math.abs(bytes / size - 1), `${name}.${format}: ${bytes} for ${size}`).toBeLessThan(0.25)
    }
  }, 60_000)

  test('a reader that stops early ends the reading; text that was dropped is null, not missing', async () => {
    const run = await startToyRun(runtime)
    await train(runtime, run, 0, 2)
    await dropAllText(runtime, run, OPERATOR, START)
    const text = await texts(run, 'rollouts')
    const one = await text.next()
    expect(JSON.parse(String(one.value))).toMatchObject({ messages: null })
    await text.return(undefined)
    expect(await text.next()).toEqual({ done: true, value: undefined })
  })

  test('a file of a run that is deleted while it is read never ends as if it were whole', async () => {
    const drained = async (rows: AsyncIterable<unknown>) => {
      let count = 0
      for await (const _row of rows) count += 1
      return count
    }
    for (const name of ['rollouts', 'picks', 'predictions', 'filtered']) {
      const run = await startToyRun(runtime)
      await train(runtime, run, 0, 12)
      const rows: AsyncGenerator<unknown> =
        name === 'filtered'
          ? await exportRollouts(runtime, run, rolloutFilterQuery.parse({}), false)
          : await texts(run, name)
      expect((await rows.next()).done, name).toBe(false)
      await deleteRun(runtime, run, null, OPERATOR, START)
      await expect(drained(rows), name).rejects.toMatchObject({ status: 410, code: 'run_deleted' })
    }
  }, 60_000)

  test('each table as CSV and Parquet holds the same rows, cell by cell', async () => {
    const run = await startToyRun(runtime)
    await train(runtime, run, 0, 3)
    await recordScore(runtime, run, { policyVersion: 2, name: 'held-out', value: 0 }, START)
    for (const [name, formats] of Object.entries(EXPORTS)) {
      if (!(formats as readonly string[]).includes('parquet')) continue
      const rows = await rowsOf(await bytesOf(run, name, 'parquet'))
      const [head = '', ...lines] = (await whole(run, name, 'csv')).trimEnd().split('\r\n')
      expect(rows.length, name).toBe(head === '' ? 0 : lines.length)
      for (const [at, row] of rows.entries()) {
        expect(Object.keys(row).join(','), name).toBe(head)
        const numbers = Object.values(row).filter((value) => typeof value === 'number')
        expect(numbers.every(Number.isFinite)).toBe(true)
        if (lines[at]?.includes('"') === true) continue
        const cells = lines[at]?.split(',').map((cell) => cell.replace(/^'(?=[=+\-@])/, ''))
        expect(Object.values(row).map((value) => (value === null ? '' : String(value)))).toEqual(cells)
      }
    }
    const [score] = await rowsOf(await bytesOf(run, 'scores', 'parquet'))
    expect(score).toMatchObject({ name: 'held-out', policyVersion: 2, value: 0 })
    // what was made is gone with its reader
    await expect.poll(() => readdirSync(path.join(runtime.settings.dataDir, 'exports'))).toEqual([])
  }, 60_000)

  test('the table of steering has the same columns in every row, whichever of them a later one rules', async () => {
    const run = await startToyRun(runtime)
    const set = (target: string, value: number) => ({ kind: 'weight', target, value })
    for (const changes of [[set('recency', 0.5)], [set('coverage', 1.5)], [set('coverage', 1.2)]])
      await applyDraft(runtime, run, { changes, cursor: 0, anyway: true }, OPERATOR, START)
    const [head = '', ...rows] = (await whole(run, 'steering', 'csv')).trimEnd().split('\r\n')
    const column = head.split(',').indexOf('laterBy')
    expect(rows.map((row) => row.split(',')[column])).toEqual(['', 'C', ''])
  })

  test('an empty run has empty files, and what there is not is refused', async () => {
    const run = await startToyRun(runtime)
    for (const name of ['rollouts', 'picks', 'predictions', 'steering']) expect(await whole(run, name), name).toBe('')
    expect((await readExports(runtime, run, START)).items[1]).toMatchObject({ name: 'rollouts', rows: 0, bytes: 0 })
    expect(await rowsOf(await bytesOf(run, 'scores', 'parquet'))).toEqual([])
    await expect(exportRun(runtime, run, 'nothing', null, START)).rejects.toMatchObject({ status: 404 })
    await expect(exportRun(runtime, run, 'picks', 'gexf', START)).rejects.toMatchObject({ status: 422 })
    await expect(exportRun(runtime, 'none', 'picks', null, START)).rejects.toMatchObject({ status: 404 })
  })

  test('file names hold nothing that leads elsewhere', () => {
    expect(['8b run', '../../etc/passwd', '"\r\nx', '…', 'a.b_c-1'].map(fileSafe)).toEqual([
      '8b-run',
      'etc-passwd',
      'x',
      'run',
      'a.b_c-1',
    ])
  })
})
