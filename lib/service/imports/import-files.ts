/**
 * Imports: files in, a task set out, and where they hold rollouts a run in shadow mode whose predictions were made before
 * each group was absorbed. Owns: the life of an import: started, waiting for a mapping, stopped, resumed, done, discarded.
 * It survives a reload of the page and the end of the server: the job is stored, its files lie in a folder of their own.
 * Invariant: rollouts keep their ids, so an import that stopped half-way goes on where it was.
 */
import { createHash } from 'node:crypto'
import type { Principal } from '@/lib/contract/access'
import type { ColumnMapping, MappedRow } from '@/lib/contract/column-mapping'
import type { ImportJob, SkippedLine } from '@/lib/contract/import-job'
import type { List } from '@/lib/contract/page'
import { previewMapping, tableOf } from '@/lib/formats/column-mapping'
import { StoppedError, UnknownFormatError } from '@/lib/formats/read-files'
import type { SourceFile } from '@/lib/formats/source-file'
import { type DiskFile, sourceOnDisk } from '@/lib/service/disk-file'
import { isDiskFull } from '@/lib/service/disk-full'
import { faultOf, log } from '@/lib/service/logger'
import type { Runtime } from '@/lib/service/runtime'
import { notFound, ServiceError } from '@/lib/service/service-error'
import {
  createImportJob,
  findImportJob,
  type ImportJobRow,
  listImportJobs,
  updateImportJob,
} from '@/lib/store/import-job'
import type { PageQuery } from '@/lib/store/page'
import {
  dropFiles,
  dropFolder,
  dropHalfSent,
  keepSample,
  readSample,
  readSource,
  takeFolder,
  writeSource,
} from './import-folder'
import { ImportProgress, type ImportReport } from './import-progress'
import { importView } from './import-view'
import { type ImportWork, workOn } from './import-work'
import { readSkippedLines } from './skipped-lines'

interface ImportRequest {
  name: string
  /** files that can only be read now: such an import cannot be resumed */
  files?: SourceFile[]
  /** files on this machine's disk, which are read again when the import is resumed */
  disk?: DiskFile[]
  /** where `disk` lies, if it was sent: the import takes the folder and drops it when it is done */
  upload?: string
  /** of all files, as on disk; null when not known */
  bytes: number | null
  /** a replay of the history follows; not by default */
  replay?: boolean
  /** how rows are read that nobody knows; `ask` stops at their columns in any case */
  mapping?: ColumnMapping | 'ask' | null
}

/** Characters that the name of a run takes; names of files may have more, and some that cannot be stored. */
const LONGEST_NAME = 120

/** The name of what an import becomes, and the key of its run: names that begin alike stay apart. */
function namesOf(given: string): { name: string; key: string } {
  const whole = given.replaceAll(/\0|\p{Surrogate}/gu, ' ')
  const name = whole.trim() === '' ? 'import' : whole
  if (name.length <= LONGEST_NAME) return { name, key: `import ${name}` }
  const beginning = name.slice(0, LONGEST_NAME - 1).replace(/\p{Surrogate}$/u, '')
  return { name: `${beginning}…`, key: `import ${createHash('sha256').update(name).digest('hex')}` }
}

/** Starts an import and answers at once; `done` settles when it is over or waits for a mapping, and never rejects. */
export async function startImport(
  runtime: Runtime,
  given: ImportRequest,
  who: Principal,
  clock: () => number,
): Promise<{ job: ImportJob; done: Promise<ImportJob> }> {
  const { name, key } = namesOf(given.name)
  const { dataDir } = runtime.settings
  const disk = given.disk ?? []
  if ((given.files ?? []).length + disk.length === 0)
    throw new ServiceError(422, 'no_file', 'There is no file to import: give one or more.')
  const at = clock()
  const replay = given.replay ?? false
  const mapping = given.mapping ?? null
  const report: ImportReport = {
    accepted: 0,
    untrusted: {},
    skipped: [],
    bytes: given.bytes,
    replay,
    kept: given.disk === undefined ? null : disk.reduce((sum, { bytes }) => sum + bytes, 0),
    mapping: mapping === 'ask' ? null : mapping,
  }
  const stored = await runtime.database.transaction((tx) =>
    createImportJob<ImportReport>(tx, {
      name,
      state: 'reading',
      format: null,
      done: 0,
      total: given.bytes,
      unit: 'bytes',
      startedAt: at,
      updatedAt: at,
      report,
      taskSetId: null,
      runId: null,
      error: null,
    }),
  )
  const kept = await takeFolder(dataDir, stored.id, given.upload ?? null, disk, mapping)
  const files = given.files ?? kept.files.map(sourceOnDisk)
  const work = { id: stored.id, name, key, files, bytes: given.bytes, mapping }
  return begin(runtime, stored, work, who, clock)
}

function begin(
  runtime: Runtime,
  stored: ImportJobRow<ImportReport>,
  work: ImportWork,
  who: Principal,
  clock: () => number,
): { job: ImportJob; done: Promise<ImportJob> } {
  const { dataDir } = runtime.settings
  runtime.imports.set(stored.id, { cancelled: false, replay: stored.report.replay ?? false })
  const progress = new ImportProgress(runtime, stored.id, clock, stored.report)
  const done = workOn(runtime, progress, work, who, clock)
    .catch((cause: unknown) => ended(runtime, progress, work, cause))
    .finally(() => runtime.imports.delete(stored.id))
    .then(async () => {
      const job = await readImport(runtime, stored.id, clock())
      if (job.state === 'done' || (job.state === 'failed' && job.kept === null)) await dropFiles(dataDir, stored.id)
      return job
    })
  return { job: importView(stored, clock()), done }
}

/** What became of an import that did not come to its end. */
async function ended(runtime: Runtime, progress: ImportProgress, work: ImportWork, cause: unknown): Promise<void> {
  if (cause instanceof StoppedError) return progress.finish('cancelled')
  if (cause instanceof UnknownFormatError) {
    progress.skipped(cause.skipped)
    if (cause.sample !== null) {
      await keepSample(runtime.settings.dataDir, work.id, cause.sample.rows)
      return progress.waitForMapping(tableOf(cause.sample.file, cause.sample.rows))
    }
    progress.dropped()
  } else if (cause instanceof ServiceError) {
    // the same files would give nothing again
    if (cause.code === 'no_tasks') progress.dropped()
  } else log('error', 'import_failed', { import: work.id, ...faultOf(cause) })
  const sentence = cause instanceof Error ? cause.message : String(cause)
  await progress.finish('failed', isDiskFull(cause) ? FULL : sentence)
}

const FULL = 'The disk of the server is full: free some room, then resume the import.'

/**
 * Goes on with an import that was cancelled, failed, or waits for a mapping. Answers at once, as `startImport` does.
 * Throws ServiceError: `not_found`, `running`, `nothing_kept`.
 */
export async function resumeImport(
  runtime: Runtime,
  id: string,
  given: { mapping?: ColumnMapping },
  who: Principal,
  clock: () => number,
): Promise<{ job: ImportJob; done: Promise<ImportJob> }> {
  const { dataDir } = runtime.settings
  const found = await findImportJob<ImportReport>(runtime.database.db, id)
  if (found === null) throw notFound('import', id)
  if (runtime.imports.has(id)) throw new ServiceError(409, 'running', 'This import is under way.')
  const source = found.state === 'done' ? null : await readSource(dataDir, id)
  if (source === null || source.files.length === 0)
    throw new ServiceError(409, 'nothing_kept', 'The files of this import are not there any more: give them again.')
  const mapping = given.mapping ?? source.mapping
  if (given.mapping !== undefined) await writeSource(dataDir, id, { ...source, mapping: given.mapping })
  const report: ImportReport = {
    ...found.report,
    skipped: [],
    steps: {},
    source: null,
    table: null,
    mapping: mapping === 'ask' ? null : mapping,
    // other columns make other groups: those before are known by their ids
    ...(given.mapping === undefined ? {} : { groupsDone: 0 }),
  }
  const patch = {
    state: 'reading',
    error: null,
    done: 0,
    total: report.bytes ?? null,
    unit: 'bytes',
    updatedAt: clock(),
  }
  await runtime.database.transaction((tx) => updateImportJob(tx, id, { ...patch, report }))
  const { name, key } = namesOf(found.name)
  const work = {
    id,
    name,
    key: found.report.key ?? key,
    files: source.files.map(sourceOnDisk),
    bytes: report.bytes ?? null,
    mapping,
  }
  return begin(runtime, { ...found, ...patch, report }, work, who, clock)
}

/** First rows of an import that waits, as a mapping would read them. */
export async function previewImport(
  runtime: Runtime,
  id: string,
  mapping: ColumnMapping,
): Promise<{ rows: MappedRow[] }> {
  if ((await findImportJob(runtime.database.db, id)) === null) throw notFound('import', id)
  const rows = await readSample(runtime.settings.dataDir, id)
  return { rows: previewMapping(mapping, rows.slice(0, PREVIEWED)) }
}

const PREVIEWED = 5

/** Stops the import if it runs and drops all that it keeps on disk; what came in stays. */
export async function discardImport(runtime: Runtime, id: string, now: number): Promise<ImportJob> {
  const found = await findImportJob<ImportReport>(runtime.database.db, id)
  if (found === null) throw notFound('import', id)
  const running = runtime.imports.get(id)
  if (running !== undefined) {
    running.cancelled = true
    throw new ServiceError(409, 'running', 'This import is being stopped: discard it when it has.')
  }
  await dropFolder(runtime.settings.dataDir, id)
  const report = { ...found.report, kept: null, table: null, skippedKept: 0 }
  const state = found.state === 'mapping' ? 'cancelled' : found.state
  await runtime.database.transaction((tx) => updateImportJob(tx, id, { report, state, updatedAt: now }))
  return readImport(runtime, id, now)
}

/** Lines that were left out, in order. */
export async function readSkipped(
  runtime: Runtime,
  id: string,
  query: { reason: string | null; cursor: number; limit: number },
  now: number,
): Promise<List<SkippedLine>> {
  const job = await readImport(runtime, id, now)
  const found = await readSkippedLines(runtime.settings.dataDir, id, query)
  const { reason } = query
  const counted = reason === null ? job.skipped : job.skipped.filter((skip) => skip.reason === reason)
  return { ...found, total: counted.reduce((sum, { count }) => sum + count, 0) }
}

export async function readImport(runtime: Runtime, id: string, now: number): Promise<ImportJob> {
  const stored = await findImportJob<ImportReport>(runtime.database.db, id)
  if (stored === null) throw notFound('import', id)
  return importView(stored, now)
}

/** Newest first. */
export async function readImports(runtime: Runtime, query: PageQuery, now: number): Promise<List<ImportJob>> {
  const page = await listImportJobs<ImportReport>(runtime.database.db, query)
  return {
    items: page.items.map((job) => importView(job, now)),
    next: page.next === null ? null : String(page.next),
    total: page.total,
  }
}

/** Whether a replay follows: heard while the import runs; afterwards a replay is asked for at the run. */
export async function changeImport(
  runtime: Runtime,
  id: string,
  { replay }: { replay: boolean },
  now: number,
): Promise<ImportJob> {
  const running = runtime.imports.get(id)
  if (running !== undefined) running.replay = replay
  const job = await readImport(runtime, id, now)
  return running === undefined ? job : { ...job, replay }
}

/** What was stored stays; the rest is not read. */
export async function cancelImport(runtime: Runtime, id: string, now: number): Promise<ImportJob> {
  const running = runtime.imports.get(id)
  if (running !== undefined) running.cancelled = true
  const job = await readImport(runtime, id, now)
  if (running !== undefined || job.state !== 'mapping') return job
  await runtime.database.transaction((tx) => updateImportJob(tx, id, { state: 'cancelled', updatedAt: now }))
  return readImport(runtime, id, now)
}

/** Jobs that a stopped server left behind: those whose files are there can be resumed. */
export async function failLeftImports(runtime: Runtime, now: number): Promise<void> {
  const { items } = await listImportJobs<ImportReport>(runtime.database.db, { limit: 100 })
  const left = items.filter(
    (job) => (job.state === 'reading' || job.state === 'replaying') && !runtime.imports.has(job.id),
  )
  await dropHalfSent(runtime.settings.dataDir)
  for (const job of left) {
    const isKept = (job.report.kept ?? null) !== null
    const error = `The server stopped during this import: ${isKept ? 'resume it' : 'give the files again'}, and it goes on where it was.`
    await runtime.database.transaction((tx) => updateImportJob(tx, job.id, { state: 'failed', error, updatedAt: now }))
  }
}
