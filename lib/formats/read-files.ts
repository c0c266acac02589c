/**
 * Foreign files in, contract objects out: the one door of this room. Files of one source are read together; tasks, their
 * answers and their function documents find each other. Gzip is unpacked on the way.
 * Must never know: where files come from, who asked, how it is stored.
 * Invariant: what is not taken is in `skipped` with its reason and place; no reward is made up.
 * Cost: two opens a file (one for its first row); memory for all rollouts of the import (rollout-ladder.ts).
 */
import type { TaskSetInput } from '@/lib/contract/task-set'
import { type Opened, openFile } from './containers/open-file'
import { type Shape, unfolded } from './containers/shape'
import { stemOf } from './file-place'
import { type MappedField, mappingOf } from './mapping'
import { type Recognised, recognise } from './recognise'
import { type LadderStep, type RolloutGroup, RolloutLadder } from './rollout-ladder'
import { type Skip, Skips } from './skips'
import type { SourceFile } from './source-file'
import { type Form, type Intake, type Session, STAGES, type System, type Take } from './system'
import { TaskSetDraft } from './task-set-draft'
import { asRow, type Row } from './untyped'

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
  /** in ladder order; each iteration starts anew */
  groups: Iterable<RolloutGroup>
  skipped: Skip[]
  tally: ReadTally
  /** groups by their number of rollouts */
  groupSizes: Map<number, number>
  /** rollouts that the files themselves tell to be untrusted, by reason */
  untrusted: Record<string, number>
}

/** No file held anything that is known. The message is one sentence for people. */
export class UnknownFormatError extends Error {
  readonly code = 'unknown_format'

  constructor(
    message: string,
    readonly skipped: Skip[],
  ) {
    super(message)
  }
}

interface KnownFile extends Recognised {
  file: SourceFile
  opened: Opened
}

/** Throws UnknownFormatError where nothing is recognised; rejects with the cause where a file cannot be read. */
export async function readFiles(
  files: SourceFile[],
  onProgress?: (progress: ReadProgress) => void,
): Promise<ImportedSource> {
  const skips = new Skips()
  const known = await recogniseAll(files, skips)
  const draft = new TaskSetDraft()
  const ladder = new RolloutLadder()
  const counts = { rows: 0, kept: 0 }
  const tally = () => tallyOf(known, { draft, ladder, skips, ...counts })
  const progress: ReadProgress = { file: '', bytes: 0, rows: 0, tally }
  const told = (file: string, reason: string) => (files.length > 1 ? `${file}: ${reason}` : reason)
  let reading = true
  const intake: Intake = {
    draft,
    ladder,
    skip(file, reason, line) {
      skips.add(told(file, reason), line)
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
      onProgress?.({ ...progress })
    }
    let outer: Row | null = null
    let take: Take | null = null
    for await (const { row, line, problem, within } of rowsIn(opened, shape, onBytes)) {
      counts.rows += 1
      progress.rows = counts.rows
      if (take === null || within !== outer) {
        outer = within
        take = session.open(form.kind, { name: file.name, columns: opened.columns, outer })
      }
      const reason = problem ?? (row === null ? 'it is not an object' : take(row, line))
      if (reason === null) counts.kept += 1
      else skips.add(told(file.name, reason), line)
    }
  }
  reading = false
  for (const session of sessions.values()) session.finish?.()
  return {
    format: formatOf(known),
    tally: tally(),
    groupSizes: ladder.groupSizes(),
    taskSet: draft.finish(nameOf(files)),
    ladder: ladder.steps(),
    rollouts: ladder.rollouts,
    groups: { [Symbol.iterator]: () => ladder.groups() },
    skipped: skips.list(),
    untrusted: ladder.untrusted,
  }
}

interface ReadRow {
  row: Row | null
  line: number
  problem: string | null
  /** the object that the row lies in */
  within: Row | null
}

/** Rows of a file in the shape that was recognised; those that lie inside objects are counted through the file. */
async function* rowsIn(opened: Opened, shape: Shape, onBytes: (length: number) => void): AsyncGenerator<ReadRow> {
  let place = 0
  for await (const { value, line, problem } of opened.rows(onBytes)) {
    const whole = asRow(value)
    if (problem !== null || whole === null || shape.kind === 'whole') {
      yield { row: whole, line, problem, within: null }
      continue
    }
    const { outer, rows } = unfolded(whole, shape)
    for (const item of rows) {
      place += 1
      yield { row: asRow(item), line: place, problem: null, within: outer }
    }
  }
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
async function recogniseAll(files: SourceFile[], skips: Skips): Promise<KnownFile[]> {
  const known: KnownFile[] = []
  for (const file of files) {
    const opened = await openFile(file)
    const found = await recognise(opened, file.name)
    if (found === 'empty') skips.add(`${file.name}: the whole file, since it is empty`, null)
    else if (found === 'unknown') skips.add(`${file.name}: the whole file, since its form is not known`, null)
    else if (found.form.fileOnly !== undefined)
      skips.add(`${file.name}: the whole file, since ${found.form.fileOnly}`, null)
    else known.push({ ...found, file, opened })
  }
  if (!known.some(({ form }) => holdsTasks(form)))
    throw new UnknownFormatError(nothingIn(files, known, skips), skips.list())
  return known.sort((a, b) => STAGES.indexOf(a.form.stage) - STAGES.indexOf(b.form.stage))
}

function holdsTasks({ stage }: Form): boolean {
  return stage === 'tasks' || stage === 'rollouts'
}

const FORMS = 'give tau-bench results, a BFCL, ACEBench or tau2-bench task set, or rollout lines'

function nothingIn(files: SourceFile[], known: KnownFile[], skips: Skips): string {
  const names = files.map((file) => file.name)
  const shown = names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
  const { length } = files
  if (length > 0 && skips.list().filter(({ reason }) => reason.endsWith('since it is empty')).length === length)
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

function nameOf(files: SourceFile[]): string {
  const [first] = files
  if (first === undefined) return 'import'
  if (files.length === 1) return stemOf(first.name)
  const folders = first.name.split(/[\\/]/).slice(0, -1)
  return (
    folders.find((folder) => folder !== '' && folder !== '.') ?? `${stemOf(first.name)} and ${files.length - 1} more`
  )
}
