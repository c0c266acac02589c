/**
 * Foreign files in, contract objects out: the one door of this room. Files of one source are read together; tasks, their
 * answers and their function documents find each other. Gzip is unpacked on the way.
 * Must never know: where files come from, who asked, how it is stored.
 * Invariant: what is not taken is in `skipped` with its reason and place; no reward is made up.
 * Cost: three opens a file (two for its beginning); memory of the longest row, and a number for each rollout (rollout-ladder.ts).
 */
import type { ColumnMapping } from '@/lib/contract/column-mapping'
import type { TaskSetInput } from '@/lib/contract/task-set'
import { mappedSystem } from './column-mapping'
import { PackedError } from './containers/bytes'
import { type Opened, openFile, plainFiles } from './containers/open-file'
import { stemOf } from './file-place'
import { type MappedField, mappingOf } from './mapping'
import { type Recognised, recognise } from './recognise'
import { type LadderStep, type RolloutGroup, RolloutLadder } from './rollout-ladder'
import { type ReadRow, rowsIn } from './rows-in'
import { sampleRows } from './sample-rows'
import type { Scratch } from './scratch'
import { shownRow } from './shown-row'
import { type Skip, type SkippedLine, Skips } from './skips'
import type { SourceFile } from './source-file'
import { type Form, type Intake, type Session, STAGES, type System, type Take } from './system'
import { SYSTEMS } from './systems'
import { TaskSetDraft } from './task-set-draft'
import type { Row } from './untyped'

/** What is known of the source so far; made only when asked for. */
export interface ReadTally {
  rows: number
  /** rows that were taken */
  kept: number
  skipped: Skip[]
  environments: { key: string; tasks: number; rollouts: number }[]
  /** rollouts by status */
  statuses: Record<string, number>
  format: string
  files: { name: string; format: string }[]
  mapping: (MappedField & { format: string })[]
}

export interface ReadProgress {
  file: string
  /** bytes as on disk, over all files so far, and rows read */
  bytes: number
  rows: number
  tally: () => ReadTally
}

export interface ImportedSource {
  /** what was recognised, in words */
  format: string
  taskSet: TaskSetInput | null
  /** policy versions by model, weakest first; empty for plain task sets */
  ladder: LadderStep[]
  /** number of rollouts in `groups` */
  rollouts: number
  /** task texts that kept only their beginning, since all together were too long */
  cutTexts: number
  /** in ladder order; each iteration starts anew */
  groups: Iterable<RolloutGroup>
  skipped: Skip[]
  tally: ReadTally
  /** groups by their number of rollouts */
  groupSizes: Map<number, number>
  /** rollouts that the files themselves tell to be untrusted, by reason */
  untrusted: Record<string, number>
}

export interface Sample {
  file: string
  rows: Row[]
}

/** No file held anything that is known. The message is one sentence for people. */
export class UnknownFormatError extends Error {
  readonly code = 'unknown_format'

  constructor(
    message: string,
    readonly skipped: Skip[],
    /** first rows, where some were objects: a column mapping can say what they are */
    readonly sample: Sample | null = null,
  ) {
    super(message)
  }
}

interface KnownFile extends Recognised {
  file: SourceFile
  opened: Opened
}

export interface ReadOptions {
  onProgress?: (progress: ReadProgress) => void
  /** where rollouts wait; in memory when not given */
  scratch?: Scratch
  /** hears of all that is left out */
  onSkip?: (skipped: SkippedLine) => void
  /** how rows are read whose form nobody knows; `ask` ends the reading with an UnknownFormatError that holds first rows */
  mapping?: ColumnMapping | 'ask'
  /** asked between rows: true ends the reading with a StoppedError */
  stopped?: () => boolean
}

/** Reading was ended by who asked for it. */
export class StoppedError extends Error {}

/**
 * Throws UnknownFormatError where nothing is recognised, StoppedError; rejects with the cause where a file cannot be read or
 * the scratch has no room.
 */
export async function readFiles(files: readonly SourceFile[], options: ReadOptions = {}): Promise<ImportedSource> {
  const skips = new Skips(options.onSkip)
  const known = await recogniseAll(files, skips, options)
  const draft = new TaskSetDraft()
  const ladder = new RolloutLadder(options.scratch)
  const counts = { rows: 0, kept: 0 }
  const tally = () => tallyOf(known, { draft, ladder, skips, ...counts })
  const progress: ReadProgress = { file: '', bytes: 0, rows: 0, tally }
  let reading = true
  const intake: Intake = {
    draft,
    ladder,
    skip(file, reason, line) {
      skips.add({ file, reason, line, text: '' })
      // part of a row that is read is no row less; one that turns out bad at the end is
      if (!reading && line !== null) counts.kept -= 1
    },
  }
  const sessions = new Map<System, Session>()
  for (const { file, opened, system, form, shape } of known) {
    progress.file = file.name
    const session = sessions.get(system) ?? system.begin(intake)
    sessions.set(system, session)
    const onBytes = (length: number) => {
      progress.bytes += length
      options.onProgress?.({ ...progress })
    }
    let outer: Row | null = null
    let take: Take | null = null
    for await (const read of rowsIn(opened, shape, onBytes)) {
      if (options.stopped?.() === true) throw new StoppedError('The import was stopped.')
      counts.rows += 1
      progress.rows = counts.rows
      if (take === null || read.within !== outer) {
        outer = read.within
        take = session.open(form.kind, { name: file.name, columns: opened.columns, outer })
      }
      const reason = read.row === null ? read.problem : take(read.row, read.line)
      if (reason === null) counts.kept += 1
      else skips.add({ file: file.name, reason, line: read.line, text: beginningOf(read) })
    }
  }
  reading = false
  for (const session of sessions.values()) session.finish?.()
  return {
    format: formatOf(known),
    tally: tally(),
    groupSizes: ladder.groupSizes(),
    taskSet: draft.finish(nameOf(files)),
    cutTexts: draft.cutTexts,
    ladder: ladder.steps(),
    rollouts: ladder.rollouts,
    groups: { [Symbol.iterator]: () => ladder.groups() },
    skipped: skips.list(),
    untrusted: ladder.untrusted,
  }
}

const SHOWN = 400

function beginningOf(read: ReadRow): string {
  return read.row === null ? read.text : shownRow(read.row, SHOWN)
}

function tallyOf(
  known: KnownFile[],
  {
    draft,
    ladder,
    skips,
    rows,
    kept,
  }: { draft: TaskSetDraft; ladder: RolloutLadder; skips: Skips; rows: number; kept: number },
): ReadTally {
  const forms = new Map(known.map((one) => [one.form, one]))
  return {
    rows,
    kept,
    skipped: skips.list(),
    environments: [...draft.counts()]
      .filter(([, tasks]) => tasks > 0)
      .map(([key, tasks]) => ({ key, tasks, rollouts: ladder.environments.get(key) ?? 0 })),
    statuses: ladder.statuses,
    format: formatOf(known),
    files: known.map(({ file, form }) => ({ name: file.name, format: form.name })),
    mapping: [...forms.values()].flatMap(({ form, first }) =>
      mappingOf(form, first).map((field) => ({ ...field, format: form.name })),
    ),
  }
}

/** Files by form, helpers before what they help. Throws where no file holds tasks or rollouts. */
async function recogniseAll(files: readonly SourceFile[], skips: Skips, options: ReadOptions): Promise<KnownFile[]> {
  const known: KnownFile[] = []
  const { mapping } = options
  const systems = mapping === undefined || mapping === 'ask' ? SYSTEMS : [mappedSystem(mapping)]
  let sample: Sample | null = null
  const refuse = (file: string, reason: string, needless = false) =>
    skips.add({ file, reason: `${WHOLE_FILE}${reason}`, line: null, text: '', needless })
  for (const file of await plainFiles(files, refuse)) {
    if (options.stopped?.() === true) throw new StoppedError('The import was stopped.')
    const opened = await openFile(file).catch((cause: unknown) => {
      if (!(cause instanceof PackedError)) throw cause
      return cause.message
    })
    if (typeof opened === 'string') {
      refuse(file.name, opened)
      continue
    }
    const found = mapping === 'ask' ? 'unknown' : await recognise(opened, file.name, systems)
    if (found === 'empty') refuse(file.name, EMPTY)
    else if (found === 'unknown') {
      sample ??= await sampleOf(file.name, opened)
      refuse(file.name, 'its form is not known')
    } else if (found.form.fileOnly !== undefined) refuse(file.name, found.form.fileOnly, true)
    else known.push({ ...found, file, opened })
  }
  if (!known.some(({ form }) => holdsTasks(form)))
    throw new UnknownFormatError(nothingIn(files, known, skips), skips.list(), sample)
  return known.sort((a, b) => STAGES.indexOf(a.form.stage) - STAGES.indexOf(b.form.stage))
}

async function sampleOf(file: string, opened: Opened): Promise<Sample | null> {
  const rows = await sampleRows(opened)
  return rows.length === 0 ? null : { file, rows }
}

function holdsTasks({ stage }: Form): boolean {
  return stage === 'tasks' || stage === 'rollouts'
}

const WHOLE_FILE = 'the whole file: '
const EMPTY = 'it is empty'

const FORMS = 'give files of a trainer or benchmark that the Import page names, rollout lines, or a table of rollouts'

function nothingIn(files: readonly SourceFile[], known: KnownFile[], skips: Skips): string {
  const names = files.map((file) => file.name)
  const shown = names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
  const { length } = files
  const empty = skips.list().find(({ reason }) => reason === `${WHOLE_FILE}${EMPTY}`)
  if (length > 0 && empty?.files === length)
    return length === 1
      ? `${shown} is empty: there is nothing to read.`
      : `${shown} are empty: there is nothing to read.`
  const why = known.length === 0 ? 'holds no form that is known' : 'holds answers or functions but no tasks'
  return `${shown} ${why}: ${FORMS}.`
}

function formatOf(known: KnownFile[]): string {
  const names = known.filter(({ form }) => holdsTasks(form)).map(({ form }) => form.name)
  return [...new Set(names)].join(' and ')
}

function nameOf(files: readonly SourceFile[]): string {
  const [first] = files
  if (first === undefined) return 'import'
  if (files.length === 1) return stemOf(first.name)
  const folders = first.name.split(/[\\/]/).slice(0, -1)
  return (
    folders.find((folder) => folder !== '' && folder !== '.') ?? `${stemOf(first.name)} and ${files.length - 1} more`
  )
}
