/**
 * The steps of one import: read, join, graph, predict; an archive takes a way of its own. Owns: what each step does and where
 * it can be stopped. Must never know: how an import was asked for, or how it is told.
 * Invariant: rollouts keep their ids and their order, so that a step which is done again changes nothing.
 */
import type { Principal } from '@/lib/contract/access'
import { ARCHIVE_FORMAT, type ArchiveManifest } from '@/lib/contract/archive'
import type { ColumnMapping } from '@/lib/contract/column-mapping'
import { plainFiles } from '@/lib/formats/containers/open-file'
import { type ImportedSource, readFiles } from '@/lib/formats/read-files'
import type { SourceFile } from '@/lib/formats/source-file'
import { createRun } from '@/lib/service/create-run'
import { importArchive, manifestOf } from '@/lib/service/exports/archive-import'
import { keepSnapshot, withRun } from '@/lib/service/open-run'
import { registerTaskSet } from '@/lib/service/register-task-set'
import { startReplay } from '@/lib/service/replay-history'
import { reportRollouts } from '@/lib/service/report-rollouts'
import type { Runtime } from '@/lib/service/runtime'
import { ServiceError } from '@/lib/service/service-error'
import { FileScratch } from './file-scratch'
import { scratchFile } from './import-folder'
import type { ImportProgress } from './import-progress'
import { SkippedLog } from './skipped-lines'

/** Rollouts given to one report, and the groups that they may be of: pages wait for one report at most. */
const ROLLOUTS = 500
const GROUPS = 250
/** A state is some megabytes, and what an import left behind is folded again in seconds: snapshots are rarer than in a live run. */
const SNAPSHOTS_RARER = 10

export interface ImportWork {
  id: string
  name: string
  /** of the run that it becomes */
  key: string
  files: readonly SourceFile[]
  /** of all files, as on disk; null when not known */
  bytes: number | null
  mapping: ColumnMapping | 'ask' | null
}

/** Throws UnknownFormatError, StoppedError, ServiceError, or what the disk and the database throw. */
export async function workOn(
  runtime: Runtime,
  progress: ImportProgress,
  request: ImportWork,
  who: Principal,
  clock: () => number,
): Promise<void> {
  await progress.begin('read')
  if (await bringArchive(runtime, progress, request, who, clock)) return
  const { dataDir } = runtime.settings
  const scratch = new FileScratch(scratchFile(dataDir, request.id))
  const log = new SkippedLog(dataDir, request.id)
  try {
    const source = await readFiles(request.files, {
      scratch,
      stopped: () => progress.cancelled,
      onProgress: (read) => progress.read(read),
      onSkip: (line) => log.add(line),
      ...(request.mapping === null ? {} : { mapping: request.mapping }),
    }).finally(() => progress.skippedKept(log.kept))
    await makeOf(runtime, progress, source, request, who, clock)
  } finally {
    scratch.remove()
    await log.close()
  }
}

async function makeOf(
  runtime: Runtime,
  progress: ImportProgress,
  source: ImportedSource,
  request: ImportWork,
  who: Principal,
  clock: () => number,
): Promise<void> {
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

const rowsIn = ({ tables }: ArchiveManifest) => Object.values(tables).reduce((sum, count) => sum + count, 0)

/** True where the one file is a run's archive: then it was brought in, row by row. */
async function bringArchive(
  runtime: Runtime,
  progress: ImportProgress,
  { files }: ImportWork,
  who: Principal,
  clock: () => number,
): Promise<boolean> {
  if (files.length !== 1) return false
  const members = await plainFiles(files, () => undefined)
  const manifest = members.length > 1 ? await manifestOf(members) : null
  if (manifest === null) return false
  progress.archive(files[0]?.name ?? '', manifest)
  await progress.note({ format: ARCHIVE_FORMAT, unit: 'rows', done: 0, total: rowsIn(manifest) })
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
  const run = await createRun(runtime, body, who, clock(), 'import')
  const total = source.ladder.reduce((sum, step) => sum + step.groups, 0)
  const before = progress.groupsBefore(run.id)
  await progress.begin('predict', {
    runId: run.id,
    state: 'replaying',
    unit: 'groups',
    done: before,
    total,
    format: source.format,
  })
  const options = { wholeGroups: true, snapshotEvery: SNAPSHOTS_RARER * runtime.settings.snapshotEvery }
  let done = 0
  for (const { groups, rollouts } of reportsOf(source)) {
    if (progress.cancelled) break
    if (done + groups <= before) {
      // these came in before the import was stopped
      done += groups
      continue
    }
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
