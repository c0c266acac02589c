/**
 * Imports: files in, a task set out, and where they hold rollouts a run in shadow mode whose predictions were made before
 * each group was absorbed. Owns: the steps and their progress. Survives a reload of the page: the job is stored.
 * Invariant: rollouts keep their ids, so an import that stopped half-way can be given again and goes on.
 */
import { createHash } from 'node:crypto'
import type { Principal } from '@/lib/contract/access'
import { ARCHIVE_FORMAT } from '@/lib/contract/archive'
import type { ImportJob } from '@/lib/contract/import-job'
import type { List } from '@/lib/contract/page'
import { plainFiles } from '@/lib/formats/containers/open-file'
import { type ImportedSource, readFiles, UnknownFormatError } from '@/lib/formats/read-files'
import type { SourceFile } from '@/lib/formats/source-file'
import { createImportJob, findImportJob, listImportJobs, updateImportJob } from '@/lib/store/import-job'
import type { PageQuery } from '@/lib/store/page'
import { importArchive, manifestOf } from './archive-import'
import { createRun } from './create-run'
import { ImportProgress, type ImportReport } from './import-progress'
import { importView } from './import-view'
import { faultOf, log } from './logger'
import { keepSnapshot, withRun } from './open-run'
import { registerTaskSet } from './register-task-set'
import { startReplay } from './replay-history'
import { reportRollouts } from './report-rollouts'
import type { Runtime } from './runtime'
import { notFound, ServiceError } from './service-error'

/** Rollouts given to one report, and the groups that they may be of: pages wait for one report at most. */
const ROLLOUTS = 500
const GROUPS = 250
/** A state is some megabytes, and what an import left behind is folded again in seconds: snapshots are rarer than in a live run. */
const SNAPSHOTS_RARER = 10

interface ImportRequest {
  name: string
  files: SourceFile[]
  /** of all files, as on disk; null when not known */
  bytes: number | null
  /** a replay of the history follows; not by default */
  replay?: boolean
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

/** Starts an import and answers at once; `done` settles when it is over, and never rejects. */
export async function startImport(
  runtime: Runtime,
  given: ImportRequest,
  who: Principal,
  clock: () => number,
): Promise<{ job: ImportJob; done: Promise<ImportJob> }> {
  const request = { ...given, ...namesOf(given.name) }
  if (request.files.length === 0)
    throw new ServiceError(422, 'no_file', 'There is no file to import: give one or more.')
  const at = clock()
  const stored = await runtime.database.transaction((tx) =>
    createImportJob<ImportReport>(tx, {
      name: request.name,
      state: 'reading',
      format: null,
      done: 0,
      total: request.bytes,
      unit: 'bytes',
      startedAt: at,
      updatedAt: at,
      report: { accepted: 0, untrusted: {}, skipped: [], bytes: request.bytes, replay: request.replay ?? false },
      taskSetId: null,
      runId: null,
      error: null,
    }),
  )
  runtime.imports.set(stored.id, { cancelled: false, replay: request.replay ?? false })
  const progress = new ImportProgress(runtime, stored.id, clock, request.bytes)
  const done = work(runtime, progress, request, who, clock)
    .catch(async (cause: unknown) => {
      if (!(cause instanceof ServiceError || cause instanceof UnknownFormatError))
        log('error', 'import_failed', { import: stored.id, ...faultOf(cause) })
      const sentence = cause instanceof Error ? cause.message : String(cause)
      if (cause instanceof UnknownFormatError) progress.skipped(cause.skipped)
      await progress.finish('failed', sentence)
    })
    .finally(() => runtime.imports.delete(stored.id))
    .then(() => readImport(runtime, stored.id, clock()))
  return { job: importView(stored, at), done }
}

async function work(
  runtime: Runtime,
  progress: ImportProgress,
  request: ImportRequest & { key: string },
  who: Principal,
  clock: () => number,
): Promise<void> {
  await progress.begin('read')
  if (await bringArchive(runtime, progress, request, who, clock)) return
  const source = await readFiles(request.files, { onProgress: (read) => progress.read(read) })
  if (progress.cancelled) return progress.finish('cancelled')
  await progress.begin('join', { done: request.bytes ?? 0, format: source.format })
  progress.joined(source)
  if (source.taskSet === null)
    throw new ServiceError(422, 'no_tasks', 'No row of these files could be read: nothing can be made of them.')
  await progress.begin('graph')
  const asked = clock()
  const catalog = await registerTaskSet(runtime, { ...source.taskSet, name: request.name }, asked)
  progress.knownTaskSet(catalog.createdAt < asked)
  await progress.note({ taskSetId: catalog.id })
  if (progress.cancelled) return progress.finish('cancelled')
  let run: string | null = null
  if (source.rollouts > 0)
    run = await predict(runtime, progress, source, { ...request, taskSet: catalog.id }, who, clock)
  // before the end is told, so that who sees it done sees the replay too
  if (run !== null && progress.replayFollows && !progress.cancelled) await startReplay(runtime, run, clock)
  await progress.finish(progress.cancelled ? 'cancelled' : 'done')
}

/** True where the one file is a run's archive: then it was brought in, row by row. */
async function bringArchive(
  runtime: Runtime,
  progress: ImportProgress,
  { files }: ImportRequest,
  who: Principal,
  clock: () => number,
): Promise<boolean> {
  if (files.length !== 1) return false
  const members = await plainFiles(files, () => undefined)
  const manifest = members.length > 1 ? await manifestOf(members) : null
  if (manifest === null) return false
  progress.archive(files[0]?.name ?? '', manifest)
  await progress.note({ format: ARCHIVE_FORMAT, unit: 'rows', done: 0, total: null })
  const told = {
    get cancelled() {
      return progress.cancelled
    },
    rows: (done: number, total: number) => progress.note({ done, total }),
  }
  const brought = await importArchive(runtime, manifest, members, who, told, clock)
  await progress.note({ runId: brought?.runId ?? null, taskSetId: brought?.taskSetId ?? null })
  await progress.finish(brought === null ? 'cancelled' : 'done')
  return true
}

/** Reports the groups to a run in shadow mode: each is predicted, then absorbed. Answers the run's id. */
async function predict(
  runtime: Runtime,
  progress: ImportProgress,
  source: ImportedSource,
  { name, key, taskSet }: { name: string; key: string; taskSet: string },
  who: Principal,
  clock: () => number,
): Promise<string> {
  const body = {
    taskSet,
    name,
    mode: 'shadow',
    key,
    model: [...new Set(source.ladder.map((step) => step.model))].join(', ').slice(0, 200) || null,
  }
  const run = await createRun(runtime, body, who, clock())
  const total = source.ladder.reduce((sum, step) => sum + step.groups, 0)
  await progress.begin('predict', { runId: run.id, state: 'replaying', unit: 'groups', done: 0, total })
  const options = { wholeGroups: true, snapshotEvery: SNAPSHOTS_RARER * runtime.settings.snapshotEvery }
  let done = 0
  for (const { groups, rollouts } of reportsOf(source)) {
    if (progress.cancelled) break
    const answer = await reportRollouts(runtime, run.id, rollouts, clock(), options)
    done += groups
    await progress.absorbed(done, answer)
    // with the engine in line nothing above gives way to timers: progress and cancelling need a turn
    await new Promise((resolve) => setImmediate(resolve))
  }
  await withRun(runtime, run.id, (opened) => keepSnapshot(runtime, run.id, 0, opened.run.logSeq, 1))
  await progress.closeRun(run.id)
  return run.id
}

/** The groups in ladder order, gathered to reports. */
function* reportsOf(source: ImportedSource): Generator<{ groups: number; rollouts: unknown[] }> {
  let report = { groups: 0, rollouts: [] as unknown[] }
  for (const group of source.groups) {
    report.groups += 1
    report.rollouts.push(...group.rollouts)
    if (report.groups < GROUPS && report.rollouts.length < ROLLOUTS) continue
    yield report
    report = { groups: 0, rollouts: [] }
  }
  if (report.groups > 0) yield report
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
  return readImport(runtime, id, now)
}

/** Jobs that a stopped server left behind: their files are gone with it. */
export async function failLeftImports(runtime: Runtime, now: number): Promise<void> {
  const { items } = await listImportJobs<ImportReport>(runtime.database.db, { limit: 100 })
  const left = items.filter(
    (job) => (job.state === 'reading' || job.state === 'replaying') && !runtime.imports.has(job.id),
  )
  const error = 'The server stopped during this import: give the files again, and it goes on where it was.'
  for (const job of left)
    await runtime.database.transaction((tx) => updateImportJob(tx, job.id, { state: 'failed', error, updatedAt: now }))
}
