/**
 * A run as one archive: a ZIP with its manifest and every row of the run and its task set, a JSON line each.
 * Owns: the members' names and their order. Invariant: all of it is of one moment, however long it takes, and the run goes on
 * meanwhile.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { ARCHIVE_FORM, ARCHIVE_MANIFEST, type ArchiveManifest } from '@/lib/contract/archive'
import { requireRun } from '@/lib/service/open-run'
import type { Runtime } from '@/lib/service/runtime'
import {
  ARCHIVE_TABLE_NAMES,
  type ArchiveOwner,
  type ArchiveTableName,
  countRows,
  rawOwner,
  rowSlices,
} from '@/lib/store/archive'
import type { Db } from '@/lib/store/database'
import { version } from '@/package.json'
import { lineOf } from './archive-rows'

/** Writes the run's archive to `file`. Throws what a reader of a missing or deleted run is told. */
export async function exportArchive(runtime: Runtime, runId: string, file: string, now: number): Promise<void> {
  const { run } = await requireRun(runtime, runId)
  try {
    await runtime.database.moment((db) => write(db, { runId, taskSetId: run.taskSetId }, file, now))
  } catch (cause) {
    // a run that was deleted meanwhile says so
    await requireRun(runtime, runId)
    throw cause
  }
}

async function write(db: Db, owner: ArchiveOwner, file: string, now: number): Promise<void> {
  const run = await rawOwner(db, 'run', owner.runId)
  const taskSet = await rawOwner(db, 'taskSet', owner.taskSetId)
  if (run === null || taskSet === null) throw new Error('the run was deleted while it was exported')
  const tables: Record<string, number> = {}
  for (const name of ARCHIVE_TABLE_NAMES) tables[name] = await countRows(db, name, owner)
  const manifest: ArchiveManifest = {
    archive: 'envsched run',
    form: ARCHIVE_FORM,
    version,
    exportedAt: new Date(now).toISOString(),
    run: { id: owner.runId, name: String(run.name) },
    taskSet: { id: owner.taskSetId, name: String(taskSet.name), fingerprint: String(taskSet.fingerprint) },
    tables,
  }
  const zip = new ZipFile()
  const failed = new Promise<never>((_, reject) => zip.once('error', reject))
  // first, so that a reader knows what comes
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), ARCHIVE_MANIFEST)
  zip.addBuffer(Buffer.from(lineOf(taskSet)), 'TaskSet.jsonl')
  zip.addBuffer(Buffer.from(lineOf(run)), 'Run.jsonl')
  for (const name of ARCHIVE_TABLE_NAMES)
    zip.addReadStreamLazy(`${name}.jsonl`, (take) => {
      const lines = Readable.from(linesOf(db, name, owner), { objectMode: false })
      lines.once('error', (cause) => zip.emit('error', cause))
      take(null, lines)
    })
  zip.end()
  await Promise.race([failed, pipeline(zip.outputStream, createWriteStream(file))])
}

/** Without the owner's id, which stands once in the manifest. */
async function* linesOf(db: Db, name: ArchiveTableName, owner: ArchiveOwner): AsyncGenerator<string> {
  for await (const slice of rowSlices(db, name, owner))
    yield slice.map(({ runId: _run, taskSetId: _taskSet, ...row }) => lineOf(row)).join('')
}
