import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importJob } from '@/lib/contract/import-job'
import type { DiskFile } from '@/lib/service/disk-file'
import {
  cancelImport,
  discardImport,
  failLeftImports,
  previewImport,
  readImport,
  readSkipped,
  resumeImport,
  startImport,
} from '@/lib/service/imports/import-files'
import { importFolder, importsFolder } from '@/lib/service/imports/import-folder'
import { receiveUpload } from '@/lib/service/imports/receive-upload'
import type { Runtime } from '@/lib/service/runtime'
import { updateImportJob } from '@/lib/store/import-job'
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
const clock = () => (now += 100)
const history = madeUpHistory({ environments: 2, tasks: 20, models: 4 })
const lines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

function onDisk(name: string, text: string): DiskFile {
  const place = path.join(runtime.settings.dataDir, name)
  writeFileSync(place, text)
  return { name, path: place, bytes: Buffer.byteLength(text) }
}

const sent = async (form: FormData) => {
  const request = new Request('http://x/', { method: 'POST', body: form })
  return receiveUpload(runtime.settings.dataDir, request)
}

async function give(files: [name: string, text: string][]) {
  const form = new FormData()
  for (const [name, text] of files) form.append('file', new Blob([text]), name)
  const upload = await sent(form)
  const bytes = upload.files.reduce((sum, file) => sum + file.bytes, 0)
  const asked = { name: 'given', disk: upload.files, upload: upload.folder, bytes }
  return startImport(runtime, asked, OPERATOR, clock)
}

describe('an import', () => {
  it('that is stopped while it predicts goes on where it was, and its files go when it is done', async () => {
    const { job, done } = await give([['logs/history.jsonl', lines(history)]])
    while ((await readImport(runtime, job.id, now)).state !== 'replaying')
      await new Promise((resolve) => setImmediate(resolve))
    await cancelImport(runtime, job.id, now)
    const stopped = importJob.parse(await done)
    expect(stopped).toMatchObject({ state: 'cancelled', resumable: true, kept: Buffer.byteLength(lines(history)) })
    expect(stopped.accepted).toBeLessThan(history.length)
    expect(readdirSync(importFolder(runtime.settings.dataDir, job.id)).sort()).toContain('source.json')
    const resumed = await (await resumeImport(runtime, job.id, {}, OPERATOR, clock)).done
    expect(resumed).toMatchObject({
      state: 'done',
      accepted: history.length,
      duplicates: 0,
      run: stopped.run,
      kept: null,
    })
    expect(readdirSync(importFolder(runtime.settings.dataDir, job.id))).toEqual(['skipped.jsonl'])
    await expect(resumeImport(runtime, job.id, {}, OPERATOR, clock)).rejects.toMatchObject({ code: 'nothing_kept' })
  })

  it('that a stopped server left is resumed; one that is discarded frees the disk', async () => {
    const { job, done } = await give([['history.jsonl', lines(history.slice(0, 40))]])
    await cancelImport(runtime, job.id, now)
    await done
    await runtime.database.transaction((tx) => updateImportJob(tx, job.id, { state: 'reading' }))
    await failLeftImports(runtime, now)
    expect(await readImport(runtime, job.id, now)).toMatchObject({
      state: 'failed',
      resumable: true,
      error: 'The server stopped during this import: resume it, and it goes on where it was.',
    })
    const other = await give([['b.jsonl', lines(history.slice(0, 40))]])
    await cancelImport(runtime, other.job.id, now)
    await other.done
    expect(await discardImport(runtime, other.job.id, now)).toMatchObject({ state: 'cancelled', resumable: false })
    expect(existsSync(importFolder(runtime.settings.dataDir, other.job.id))).toBe(false)
    await expect(resumeImport(runtime, other.job.id, {}, OPERATOR, clock)).rejects.toMatchObject({
      code: 'nothing_kept',
    })
    const again = await (await resumeImport(runtime, job.id, {}, OPERATOR, clock)).done
    expect(again).toMatchObject({ state: 'done', accepted: 40 })
  })

  it('of rows that nobody knows waits for its columns, and goes on with them', async () => {
    const csv = ['suite,question,Score,step', ...[1, 2, 1].map((n) => `math,what is ${n}?,${n / 2},7`), 'math,,1,7']
    const { job, done } = await give([['runs/table.csv', csv.join('\n')]])
    const waiting = importJob.parse(await done)
    expect(waiting).toMatchObject({ state: 'mapping', error: null, resumable: false })
    expect(waiting.table).toEqual({
      file: 'runs/table.csv',
      columns: [
        { name: 'suite', examples: ['math'] },
        { name: 'question', examples: ['what is 1?', 'what is 2?'] },
        { name: 'Score', examples: ['0.5', '1'] },
        { name: 'step', examples: ['7'] },
      ],
      guess: { environment: 'suite', text: 'question', reward: 'Score', policyVersion: 'step' },
    })
    const mapping = waiting.table?.guess ?? {}
    const { rows } = await previewImport(runtime, job.id, mapping)
    expect(rows.map(({ reward, policyVersion }) => [reward, policyVersion])).toEqual([
      [0.5, '7'],
      [1, '7'],
      [0.5, '7'],
      [1, '7'],
    ])
    expect(rows[0]?.task).toBe(rows[2]?.task)
    expect(rows[3]?.problem).toContain('without a task')
    const ended = await (await resumeImport(runtime, job.id, { mapping }, OPERATOR, clock)).done
    expect(ended).toMatchObject({ state: 'done', accepted: 3, mapping, table: null })
    expect(ended.source?.environments).toEqual([{ key: 'math', tasks: 2, rollouts: 3 }])
    expect(await readSkipped(runtime, job.id, { reason: null, cursor: 0, limit: 9 }, now)).toEqual({
      items: [
        {
          file: 'runs/table.csv',
          line: 5,
          reason: 'a row without a task or a prompt to tell it by',
          text: '{"suite": "math", "question": null, "Score": 1, "step": 7}',
        },
      ],
      next: null,
      total: 1,
    })
  })

  it('tells each line it left out, a page at a time and by reason', async () => {
    const bad = Array.from({ length: 7 }, (_, place) => (place % 2 === 0 ? 'broken' : '{"environment":"e","reward":1}'))
    const file = onDisk('bad.jsonl', [...bad, lines(history.slice(0, 4))].join('\n'))
    const asked = { name: 'bad', disk: [file], bytes: file.bytes }
    const { job, done } = await startImport(runtime, asked, OPERATOR, clock)
    expect(await done).toMatchObject({ state: 'done', skippedKept: 7, kept: null })
    expect(existsSync(file.path)).toBe(true)
    const first = await readSkipped(runtime, job.id, { reason: 'it is not JSON', cursor: 0, limit: 3 }, now)
    expect(first.items.map(({ line, text }) => [line, text])).toEqual([
      [1, 'broken'],
      [3, 'broken'],
      [5, 'broken'],
    ])
    expect(first.total).toBe(4)
    const cursor = Number(first.next)
    const second = await readSkipped(runtime, job.id, { reason: 'it is not JSON', cursor, limit: 3 }, now)
    expect([second.items.map(({ line }) => line), second.next]).toEqual([[7], null])
  })

  it('keeps paths of a folder, and what cannot be taken leaves nothing behind', async () => {
    const form = new FormData()
    form.append('file', new Blob(['a']), 'a/../../b\\c.jsonl')
    form.append('name', 'ü')
    const upload = await sent(form)
    expect(upload.files.map(({ name, bytes }) => [name, bytes])).toEqual([['a/b/c.jsonl', 1]])
    expect(upload.fields.name).toBe('ü')
    const plain = new Request('http://x/', { method: 'POST', body: 'no form' })
    await expect(receiveUpload(runtime.settings.dataDir, plain)).rejects.toMatchObject({ code: 'bad_form' })
    const huge = new Request('http://x/', {
      method: 'POST',
      body: form,
      headers: { 'content-length': String(2 ** 52) },
    })
    await expect(receiveUpload(runtime.settings.dataDir, huge)).rejects.toMatchObject({ code: 'disk_full' })
    expect(readdirSync(importsFolder(runtime.settings.dataDir))).toHaveLength(1)
    await failLeftImports(runtime, now)
    expect(readdirSync(importsFolder(runtime.settings.dataDir))).toEqual([])
  })
})
