import { createReadStream, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import type { SourceFile } from '@/lib/formats/source-file'
import { applyDraft } from '@/lib/service/apply-overrides'
import { deleteRun } from '@/lib/service/delete-run'
import { exportArchive } from '@/lib/service/exports/archive-export'
import { importArchive, manifestOf } from '@/lib/service/exports/archive-import'
import { lineOf } from '@/lib/service/exports/archive-rows'
import { startImport } from '@/lib/service/imports/import-files'
import { recordScore } from '@/lib/service/record-score'
import { readRuns } from '@/lib/service/runs'
import { ARCHIVE_TABLE_NAMES, rawOwner, rowSlices } from '@/lib/store/archive'
import { createTestDatabase, isAvailable, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

type TestRuntime = Awaited<ReturnType<typeof openTestRuntime>>

/** The members of a ZIP, by name. */
function membersOf(file: string): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const members = new Map<string, Buffer>()
    yauzl.fromBuffer(readFileSync(file), { lazyEntries: true }, (cause, zip) => {
      if (cause !== null) return reject(cause)
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (refused, stream) => {
          if (refused !== null) return reject(refused)
          const parts: Buffer[] = []
          stream.on('data', (part: Buffer) => parts.push(part))
          stream.once('end', () => {
            members.set(entry.fileName, Buffer.concat(parts))
            zip.readEntry()
          })
        })
      })
      zip.once('end', () => resolve(members))
      zip.readEntry()
    })
  })
}

const filesOf = (members: Map<string, Buffer>): SourceFile[] =>
  [...members].map(([name, bytes]) => ({
    name,
    async *open() {
      yield bytes
    },
  }))

/** Every stored row of the run and its task set, as lines; what the import itself adds left out. */
async function linesOf(runtime: TestRuntime, runId: string): Promise<Record<string, string[]>> {
  const { db } = runtime.database
  const run = await rawOwner(db, 'run', runId)
  const taskSetId = String(run?.taskSetId)
  const all: Record<string, string[]> = {
    Run: [lineOf(run ?? {})],
    TaskSet: [lineOf((await rawOwner(db, 'taskSet', taskSetId)) ?? {})],
  }
  for (const name of ARCHIVE_TABLE_NAMES) {
    const lines: string[] = []
    for await (const slice of rowSlices(db, name, { runId, taskSetId }))
      lines.push(...slice.filter((row) => row.action !== 'run.import').map(lineOf))
    all[name] = lines.sort()
  }
  return all
}

describe('a run as an archive', () => {
  let databases: TestDatabase[] = []
  let runtimes: TestRuntime[] = []
  let folder = ''
  const open = async (provider: 'sqlite' | 'postgresql' = 'sqlite') => {
    const database = await createTestDatabase(provider)
    databases.push(database)
    const runtime = await openTestRuntime(database.url)
    runtimes.push(runtime)
    return runtime
  }
  beforeEach(async () => {
    databases = []
    runtimes = []
    folder = await mkdtemp(path.join(os.tmpdir(), 'envsched-archive-'))
  })
  afterEach(async () => {
    for (const runtime of runtimes) await runtime.end()
    for (const database of databases) await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const progress = { cancelled: false, rows: async () => undefined }
  const clock = () => START
  const bring = async (runtime: TestRuntime, members: Map<string, Buffer>, told: typeof progress = progress) => {
    const files = filesOf(members)
    const manifest = await manifestOf(files)
    if (manifest === null) throw new Error('no manifest')
    return importArchive(runtime, manifest, files, OPERATOR, told, clock)
  }
  /** A run with batches, an override, a score and a pick that is still out. */
  const busyRun = async (runtime: TestRuntime) => {
    const run = await startToyRun(runtime)
    await train(runtime, run, 0, 4)
    const changes = [{ kind: 'weight', target: 'coverage', value: 1.5 }]
    await applyDraft(runtime, run, { changes, note: '', cursor: 0, anyway: true }, OPERATOR, START)
    await recordScore(runtime, run, { policyVersion: 3, name: 'held-out', value: 0 }, START)
    await ask(runtime, run, 4)
    return run
  }
  const archive = async (runtime: TestRuntime, run: string) => {
    const file = path.join(folder, 'run.zip')
    await exportArchive(runtime, run, file, START)
    return membersOf(file)
  }

  test.each(['sqlite', 'postgresql'] as const)(
    'into an empty %s server: every row is equal, and so is the next batch',
    async (provider) => {
      if (!isAvailable(provider)) return
      const from = await open()
      const run = await busyRun(from)
      const to = await open(provider)
      expect(await bring(to, await archive(from, run))).toMatchObject({ runId: run })
      expect(await linesOf(to, run)).toEqual(await linesOf(from, run))
      const [here, there] = [await ask(from, run, 5), await ask(to, run, 5)]
      expect(there.picks).toEqual(here.picks)
    },
    60_000,
  )

  test('through the door of all imports', async () => {
    const from = await open()
    const run = await busyRun(from)
    const file = path.join(folder, 'run.zip')
    await exportArchive(from, run, file, START)
    const to = await open()
    const files = [{ name: 'run.zip', open: () => createReadStream(file) }]
    const first = await startImport(to, { name: 'run.zip', files, bytes: null }, OPERATOR, clock)
    expect(await first.done).toMatchObject({
      state: 'done',
      format: 'archive of a run',
      run,
      accepted: 128,
      error: null,
    })
    const again = await startImport(to, { name: 'run.zip', files, bytes: null }, OPERATOR, clock)
    const refused = await again.done
    expect(refused.state).toBe('failed')
    expect(refused.error).toContain('is on this server already')
    expect(await linesOf(to, run)).toEqual(await linesOf(from, run))
  })

  test('a run that is here already, or its key, is refused and left as it is', async () => {
    const runtime = await open()
    const run = await busyRun(runtime)
    const members = await archive(runtime, run)
    const before = await linesOf(runtime, run)
    await expect(bring(runtime, members)).rejects.toMatchObject({ status: 409, code: 'run_is_here' })
    expect(await linesOf(runtime, run)).toEqual(before)
    await deleteRun(runtime, run, null, OPERATOR, START)
    expect(await bring(runtime, members)).toMatchObject({ runId: run })
    expect((await linesOf(runtime, run)).Rollout).toEqual(before.Rollout)
  })

  test('what is not whole, newer, or cancelled leaves nothing behind', async () => {
    const from = await open()
    const run = await busyRun(from)
    const members = await archive(from, run)
    const to = await open()
    const cut = new Map(members)
    const lines = members.get('Group.jsonl')?.toString().split('\n') ?? []
    cut.set('Group.jsonl', Buffer.from(lines.slice(2).join('\n')))
    await expect(bring(to, cut)).rejects.toMatchObject({ code: 'bad_archive' })
    const torn = new Map(members)
    torn.set('Rollout.jsonl', Buffer.from('{"seq": 1, "id":'))
    await expect(bring(to, torn)).rejects.toMatchObject({ code: 'bad_archive' })
    const less = new Map(members)
    less.delete('Lease.jsonl')
    await expect(bring(to, less)).rejects.toMatchObject({ code: 'bad_archive' })
    const manifest = JSON.parse(members.get('manifest.json')?.toString() ?? '{}') as object
    const newer = new Map(members)
    newer.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, form: 99 })))
    await expect(bring(to, newer)).rejects.toMatchObject({ code: 'newer_archive' })
    expect(await bring(to, members, { ...progress, cancelled: true })).toBeNull()
    expect(await rawOwner(to.database.db, 'run', run)).toBeNull()
    await writeFile(path.join(folder, 'other.json'), '{}')
    expect(await manifestOf(filesOf(new Map([['manifest.json', Buffer.from('{"name": "an extension"}')]])))).toBeNull()
    expect(await bring(to, members)).toMatchObject({ runId: run })
  }, 60_000)

  test('a row that cannot stand is told by its table, holds no value of it, and leaves nothing behind', async () => {
    const from = await open()
    const run = await busyRun(from)
    const members = await archive(from, run)
    const to = await open()
    const other = await startToyRun(to)
    const tampered = (name: string, patch: object) => {
      const lines = (members.get(`${name}.jsonl`) ?? '').toString().trim().split('\n')
      const rows = lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), ...patch }))
      return new Map(members).set(`${name}.jsonl`, Buffer.from(rows.join('\n')))
    }
    for (const [name, patch, why] of [
      ['Run', { config: 'no JSON' }, /"config" is no JSON/],
      ['Run', { config: '{"scheduler": "none"}' }, /configuration cannot be used/],
      ['Run', { status: 'exploded' }, /its status is "exploded"/],
      ['Run', { id: '../up' }, /does not hold what the manifest names/],
      ['Run', { rolloutCount: -5 }, /"rolloutCount" is too small/],
      ['Run', { logSeq: 1_000_000 }, /not of the length/],
      ['Run', { name: 5 }, /no name/],
      ['Rollout', { task: -4 }, /in line 1 of "Rollout.jsonl" its "task" is no task/],
      ['Rollout', { reward: 'SECRET' }, /rows of "Rollout.jsonl" do not fit/],
      ['Rollout', { evil: 'SECRET' }, /rows of "Rollout.jsonl" do not fit/],
      ['Rollout', { seq: 1 }, /rows of "Rollout.jsonl" do not fit/],
      ['Group', { statuses: '{' }, /its "statuses" is no JSON/],
      ['LogEntry', { payload: '{"kind":"batch"}' }, /log cannot be followed/],
    ] as const) {
      const refused = await bring(to, tampered(name, patch)).then(
        () => null,
        (cause: unknown) => cause as Error,
      )
      expect(refused, String(why)).toMatchObject({ code: 'bad_archive' })
      expect(refused?.message).toMatch(why)
      expect(refused?.message).not.toContain('SECRET')
      expect(await rawOwner(to.database.db, 'run', run)).toBeNull()
    }
    expect((await readRuns(to, { limit: 10, format: 'json' }, START)).items.map(({ id }) => id)).toEqual([other])
    expect(await bring(to, members)).toMatchObject({ runId: run })
  }, 60_000)

  test('all of it is of one moment, though the run goes on', async () => {
    const from = await open()
    const run = await busyRun(from)
    const before = await linesOf(from, run)
    const read = await from.database.moment(async (db) => {
      const taskSetId = String((await rawOwner(db, 'run', run))?.taskSetId)
      await train(from, run, 5, 6)
      const rows: string[] = []
      for await (const slice of rowSlices(db, 'LogEntry', { runId: run, taskSetId })) rows.push(...slice.map(lineOf))
      return rows.sort()
    })
    expect(read).toEqual(before.LogEntry)
    expect((await linesOf(from, run)).LogEntry?.length).toBeGreaterThan(read.length)
  })
})
