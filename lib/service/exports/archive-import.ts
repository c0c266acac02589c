/**
 * A run out of an archive: every row as it was, under the same ids, so that a trainer goes on with it where it stood.
 * Owns: the order, and what happens half-way: a run that is not whole is taken away again. Its task set is written in one piece, or the
 * one with the same content is taken. Invariant: nothing of a run that is here already is touched, and one that cannot be opened does
 * not stay.
 */
import type { Principal } from '@/lib/contract/access'
import { ARCHIVE_FORM, ARCHIVE_MANIFEST, type ArchiveManifest, archiveManifest } from '@/lib/contract/archive'
import { jsonRows } from '@/lib/formats/containers/json-rows'
import type { SourceFile } from '@/lib/formats/source-file'
import type { Catalog } from '@/lib/service/catalog'
import { faultOf, log } from '@/lib/service/logger'
import { openRun } from '@/lib/service/open-run'
import { catalogOf, type Runtime } from '@/lib/service/runtime'
import { ServiceError } from '@/lib/service/service-error'
import { announceRun } from '@/lib/store/announce'
import {
  ARCHIVE_TABLE_NAMES,
  ARCHIVE_TABLES,
  type ArchiveOwner,
  type ArchiveTableName,
  type RawRow,
  replaceOwner,
  UnfitRowsError,
  writeOwner,
  writeRows,
} from '@/lib/store/archive'
import { appendAudit, RUN_IMPORTED } from '@/lib/store/audit'
import type { Tx } from '@/lib/store/database'
import { deleteRun, findRun, findRunByKey, listRuns } from '@/lib/store/run'
import { deleteTaskSet, findTaskSetByFingerprint } from '@/lib/store/task-set'
import { type Places, rowFault, runFault } from './archive-check'
import { rowOf } from './archive-rows'

const ROWS = 1000
/** stands beside a run whose rows are on their way; only this room writes it */
const ON_ITS_WAY = 'Its archive is being imported.'

export interface ArchiveProgress {
  readonly cancelled: boolean
  rows(done: number, total: number): Promise<void>
}

/** The manifest, or null where these files are no archive of a run. Throws where it is one that cannot be read here. */
export async function manifestOf(files: readonly SourceFile[]): Promise<ArchiveManifest | null> {
  const file = files.find(({ name }) => name.split('/').at(-1) === ARCHIVE_MANIFEST)
  if (file === undefined) return null
  for await (const { value } of jsonRows(file.open())) {
    if (rowOf(value)?.archive !== 'envsched run') return null
    const read = archiveManifest.safeParse(value)
    if (!read.success) throw new ServiceError(422, 'bad_archive', 'The manifest of this archive cannot be read.')
    if (read.data.form > ARCHIVE_FORM)
      throw new ServiceError(
        422,
        'newer_archive',
        `EnvSched ${read.data.version} wrote this archive in a newer form: update this server to import it.`,
      )
    return read.data
  }
  return null
}

/** Answers the run's and the task set's id; null where it was cancelled, and nothing is left of it then. */
export async function importArchive(
  runtime: Runtime,
  manifest: ArchiveManifest,
  files: readonly SourceFile[],
  who: Principal,
  progress: ArchiveProgress,
  clock: () => number,
): Promise<ArchiveOwner | null> {
  try {
    return await bringIn(runtime, manifest, files, who, progress, clock)
  } catch (cause) {
    if (cause instanceof UnfitRowsError) throw damaged(`rows of "${cause.table}.jsonl" do not fit`)
    throw cause
  }
}

async function bringIn(
  runtime: Runtime,
  manifest: ArchiveManifest,
  files: readonly SourceFile[],
  who: Principal,
  progress: ArchiveProgress,
  clock: () => number,
): Promise<ArchiveOwner | null> {
  const members = new Map(files.map((file) => [file.name.split('/').at(-1) ?? file.name, file]))
  const run = await ownerOf(members, 'Run.jsonl', manifest.run.id)
  const taskSet = await ownerOf(members, 'TaskSet.jsonl', manifest.taskSet.id)
  for (const name of ARCHIVE_TABLE_NAMES)
    if (!members.has(`${name}.jsonl`) && name in manifest.tables) throw damaged(`"${name}.jsonl" is missing`)
  return runtime.queue.run(run.id, async () => {
    const taskSetId = await runtime.queue.run(manifest.taskSet.fingerprint, () =>
      writeTaskSet(runtime, manifest, members, taskSet),
    )
    const owner = { runId: run.id, taskSetId }
    await requireRoom(runtime, owner, run)
    const catalog = await catalogOf(runtime, taskSetId)
    const fault = runFault(run, manifest, catalog)
    if (fault !== null) throw damaged(`of the run, ${fault}`)
    try {
      const whole = await writeRun(runtime, manifest, members, owner, run, catalog, progress)
      if (whole) {
        await runtime.database.transaction(async (tx) => {
          await replaceOwner(tx, 'run', { ...run, taskSetId })
          await appendAudit(tx, {
            runId: run.id,
            at: clock(),
            actor: who.name,
            action: RUN_IMPORTED,
            detail: JSON.stringify({ exportedAt: manifest.exportedAt, version: manifest.version }),
          })
          await announceRun(tx, run.id)
        })
        await requireOpens(runtime, run.id)
        return owner
      }
    } catch (cause) {
      await runtime.engine.close(run.id)
      await runtime.database.transaction((tx) => deleteRun(tx, run.id))
      throw cause
    }
    await runtime.database.transaction((tx) => deleteRun(tx, run.id))
    return null
  })
}

/** Runs that a stopped server left half-way are taken away: the archive is there to be given again. */
export async function dropHalfImported(runtime: Runtime): Promise<void> {
  const { items } = await listRuns(runtime.database.db, { limit: 1000 }, { statuses: ['paused'] })
  for (const { id, statusNote } of items)
    if (statusNote === ON_ITS_WAY) await runtime.database.transaction((tx) => deleteRun(tx, id))
}

async function requireRoom(runtime: Runtime, { runId, taskSetId }: ArchiveOwner, run: RawRow): Promise<void> {
  const { db } = runtime.database
  const here = await findRun(db, runId)
  if (here !== null)
    throw new ServiceError(
      409,
      'run_is_here',
      `The run "${here.name}" of this archive is on this server already: delete it first, or import into another server.`,
    )
  const key = typeof run.key === 'string' ? await findRunByKey(db, taskSetId, run.key) : null
  if (key !== null)
    throw new ServiceError(
      409,
      'key_taken',
      `The run "${key.name}" has the key "${String(run.key)}" of the archived one on the same task set: delete it first, or import into another server.`,
    )
}

/** A log that the engine cannot follow would fail each page and each batch. */
async function requireOpens(runtime: Runtime, run: string): Promise<void> {
  try {
    await openRun(runtime, run)
  } catch (cause) {
    log('warn', 'archive_unreadable', { run, ...faultOf(cause) })
    throw damaged('its log cannot be followed')
  }
}

/** All of it in one transaction: a task set without its tasks would stand for the whole one for good. */
async function writeTaskSet(
  runtime: Runtime,
  manifest: ArchiveManifest,
  members: Map<string, SourceFile>,
  taskSet: RawRow & { id: string },
): Promise<string> {
  const known = await findTaskSetByFingerprint(runtime.database.db, manifest.taskSet.fingerprint)
  if (known !== null) return known.id
  const owner = { taskSetId: taskSet.id, runId: manifest.run.id }
  const places = { tasks: manifest.tables.Task ?? 0, environments: manifest.tables.Environment ?? 0 }
  await runtime.database.transaction(async (tx) => {
    await writeOwner(tx, 'taskSet', taskSet)
    for (const name of tablesOf('taskSetId'))
      for await (const rows of slicesOf(members, name, manifest, places)) await writeRows(tx, name, owner, rows)
  })
  try {
    await catalogOf(runtime, taskSet.id)
  } catch (cause) {
    log('warn', 'archive_unreadable', { taskSet: taskSet.id, ...faultOf(cause) })
    await runtime.database.transaction((tx) => deleteTaskSet(tx, taskSet.id))
    throw damaged('its task set cannot be read')
  }
  return taskSet.id
}

/** False where it was cancelled on the way. */
async function writeRun(
  runtime: Runtime,
  manifest: ArchiveManifest,
  members: Map<string, SourceFile>,
  owner: ArchiveOwner,
  run: RawRow,
  catalog: Catalog,
  progress: ArchiveProgress,
): Promise<boolean> {
  const places = { tasks: catalog.tasks.length, environments: catalog.environments.length }
  const rowsOf = (tables: readonly ArchiveTableName[]) =>
    tables.reduce((sum, name) => sum + (manifest.tables[name] ?? 0), 0)
  const total = rowsOf(ARCHIVE_TABLE_NAMES)
  await runtime.database.transaction((tx) => writeOwner(tx, 'run', { ...bare(run), taskSetId: owner.taskSetId }))
  // those of the task set are there
  let done = rowsOf(tablesOf('taskSetId'))
  await progress.rows(done, total)
  for (const name of tablesOf('runId'))
    for await (const rows of slicesOf(members, name, manifest, places)) {
      if (progress.cancelled) return false
      await runtime.database.transaction((tx: Tx) => writeRows(tx, name, owner, rows))
      done += rows.length
      await progress.rows(done, total)
    }
  return true
}

/** The run while its rows come: nobody finds it by its key, and nobody gets a batch of it. */
function bare(run: RawRow): RawRow {
  const counts = Object.keys(run).filter((name) => name.endsWith('Count') || name === 'logSeq')
  const none = Object.fromEntries(counts.map((name) => [name, 0]))
  return { ...run, ...none, key: null, status: 'paused', statusNote: ON_ITS_WAY }
}

const tablesOf = (owner: 'taskSetId' | 'runId') =>
  ARCHIVE_TABLE_NAMES.filter((name) => ARCHIVE_TABLES[name].owner === owner)

/** Throws where a line is no row, or where not all rows came. */
async function* slicesOf(
  members: Map<string, SourceFile>,
  name: ArchiveTableName,
  manifest: ArchiveManifest,
  places: Places,
): AsyncGenerator<RawRow[]> {
  const file = members.get(`${name}.jsonl`)
  if (file === undefined) return
  let rows: RawRow[] = []
  let seen = 0
  for await (const { line, value } of jsonRows(file.open())) {
    const row = rowOf(value)
    if (row === null) throw damaged(`line ${line} of "${name}.jsonl" is no row`)
    const fault = rowFault(name, row, places)
    if (fault !== null) throw damaged(`in line ${line} of "${name}.jsonl" ${fault}`)
    rows.push(row)
    seen += 1
    if (rows.length < ROWS) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
  const told = manifest.tables[name] ?? 0
  if (seen !== told) throw damaged(`"${name}.jsonl" holds ${seen} rows and not ${told}`)
}

async function ownerOf(members: Map<string, SourceFile>, name: string, id: string): Promise<RawRow & { id: string }> {
  const file = members.get(name)
  if (file === undefined) throw damaged(`"${name}" is missing`)
  for await (const { value } of jsonRows(file.open())) {
    const row = rowOf(value)
    if (row?.id === id) return { ...row, id }
  }
  throw damaged(`"${name}" does not hold what the manifest names`)
}

const damaged = (why: string) =>
  new ServiceError(422, 'bad_archive', `This archive is not whole: ${why}. Export the run once more.`)
