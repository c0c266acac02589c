/**
 * Foreign files in, contract objects out: the one door of this room. Files of one source are read together; tasks, their
 * answers and their function documents find each other. Gzip is unpacked on the way.
 * Must never know: where files come from, who asked, how it is stored.
 * Invariant: what is not taken is in `skipped` with its reason and place; no reward is made up.
 * Cost: two opens a file (one for its first row); memory for all rollouts of the import (rollout-ladder.ts).
 */
import type { TaskSetInput } from '@/lib/contract/task-set'
import { FunctionTasks } from './function-tasks'
import { jsonRows } from './json-rows'
import { type MappedField, mappingOf } from './mapping'
import { FORMAT_NAMES, functionTaskName, type Kind, recognise } from './recognise'
import { type LadderStep, type RolloutGroup, RolloutLadder } from './rollout-ladder'
import { addRolloutRow } from './rollout-rows'
import { addScenarioTask } from './scenario-tasks'
import { type Skip, Skips } from './skips'
import { TaskSetDraft } from './task-set-draft'
import { TrialResults } from './trial-results'
import { unpacked } from './unpacked'
import { asRow, type Row } from './untyped'

export interface SourceFile {
  /** path inside the source or plain name; folders tell environments apart where files do not */
  name: string
  /** bytes as they lie on disk; called once or twice, each time from the start */
  open(): AsyncIterable<Uint8Array>
}

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

interface Recognised {
  file: SourceFile
  kind: Kind
  format: string
  first: Row
}

/** Rows that are looked at before a form counts as unknown. */
const FIRST_ROWS = 20
const ORDER: Kind[] = ['function', 'answer', 'function_task', 'scenario', 'trial', 'rollout']

/** Throws UnknownFormatError where nothing is recognised; rejects with the cause where a file cannot be read. */
export async function readFiles(
  files: SourceFile[],
  onProgress?: (progress: ReadProgress) => void,
): Promise<ImportedSource> {
  const skips = new Skips()
  const known = await recogniseAll(files, skips)
  const draft = new TaskSetDraft()
  const ladder = new RolloutLadder()
  const functions = new FunctionTasks()
  const tally = () => tallyOf(known, { draft, ladder, skips, rows: progress.rows })
  const progress: ReadProgress = { file: '', bytes: 0, rows: 0, tally }
  for (const { file, kind } of known) {
    progress.file = file.name
    if (kind === 'function') functions.openDocument()
    const place = placeOf(file.name, kind)
    const trials = new TrialResults(draft, ladder, place)
    const take = takerOf(kind, { draft, ladder, functions, trials, place })
    const skip = (reason: string, line: number) =>
      skips.add(files.length > 1 ? `${file.name}: ${reason}` : reason, line)
    const bytes = counted(file.open(), (length) => {
      progress.bytes += length
      onProgress?.({ ...progress })
    })
    for await (const { line, value, problem } of jsonRows(unpacked(bytes))) {
      progress.rows += 1
      const row = asRow(value)
      const reason = problem ?? (row === null ? 'it is not an object' : take(row, line))
      if (reason !== null) skip(reason, line)
    }
    trials.finish(skip)
  }
  functions.finish(draft, (reason, line) => skips.add(reason, line))
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

function tallyOf(
  known: Recognised[],
  { draft, ladder, skips, rows }: { draft: TaskSetDraft; ladder: RolloutLadder; skips: Skips; rows: number },
): ReadTally {
  const kinds = new Map(known.map((one) => [one.kind, one]))
  return {
    rows,
    kept: Math.max(0, rows - skips.rows),
    skipped: skips.list(),
    environments: [...draft.counts()]
      .filter(([, tasks]) => tasks > 0)
      .map(([key, tasks]) => ({ key, tasks, rollouts: ladder.environments.get(key) ?? 0 })),
    statuses: ladder.statuses,
    format: formatOf(known),
    files: known.map(({ file, kind }) => ({ name: file.name, format: FORMAT_NAMES[kind] })),
    mapping: [...kinds.values()].flatMap(({ kind, format, first }) =>
      mappingOf(kind, first).map((field) => ({ ...field, format })),
    ),
  }
}

type Take = (row: Row, line: number) => string | null

interface Targets {
  draft: TaskSetDraft
  ladder: RolloutLadder
  functions: FunctionTasks
  trials: TrialResults
  place: string
}

function takerOf(kind: Kind, { draft, ladder, functions, trials, place }: Targets): Take {
  switch (kind) {
    case 'function':
      return (row) => functions.addFunction(row)
    case 'answer':
      return (row) => functions.addAnswer(row)
    case 'function_task':
      return (row, line) => functions.addTask(row, line)
    case 'scenario':
      return (row) => addScenarioTask(draft, row, place)
    case 'trial':
      return (row, line) => trials.add(row, line)
    case 'rollout':
      return (row) => addRolloutRow(draft, ladder, row)
  }
}

/** Files by kind, helpers before what they help. Throws where no file holds tasks or rollouts. */
async function recogniseAll(files: SourceFile[], skips: Skips): Promise<Recognised[]> {
  const known: Recognised[] = []
  for (const file of files) {
    const first = await firstKnown(file)
    if (first === 'empty') {
      skips.add(`${file.name}: the whole file, since it is empty`, null)
      continue
    }
    if (first === null) {
      skips.add(`${file.name}: the whole file, since its form is not known`, null)
      continue
    }
    const { kind, row } = first
    const format = kind === 'function_task' ? functionTaskName(row) : FORMAT_NAMES[kind]
    known.push({ file, kind, format, first: row })
  }
  if (!known.some(({ kind }) => kind !== 'answer' && kind !== 'function'))
    throw new UnknownFormatError(nothingIn(files, known, skips), skips.list())
  return known.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

const FORMS = 'give tau-bench results, a BFCL, ACEBench or tau2-bench task set, or rollout lines'

function nothingIn(files: SourceFile[], known: Recognised[], skips: Skips): string {
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

/** The first known object among the first rows: a file may begin with lines that are none. */
async function firstKnown(file: SourceFile): Promise<{ kind: Kind; row: Row } | 'empty' | null> {
  let seen = 0
  for await (const { value } of jsonRows(unpacked(file.open()))) {
    const row = asRow(value)
    const kind = recognise(row)
    if (row !== null && kind !== null) return { kind, row }
    seen += 1
    if (seen === FIRST_ROWS) return null
  }
  return seen === 0 ? 'empty' : null
}

function formatOf(known: Recognised[]): string {
  const names = known.filter(({ kind }) => kind !== 'answer' && kind !== 'function').map(({ format }) => format)
  return [...new Set(names)].join(' and ')
}

function stemOf(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? name
  return last.replace(/\.gz$/i, '').replace(/\.(jsonl?|ndjson|txt)$/i, '')
}

/** The name that stands for what a file does not say: a scenario's folder, else the file. */
function placeOf(name: string, kind: Kind): string {
  const folder = name.split(/[\\/]/).at(-2)
  return kind === 'scenario' && stemOf(name) === 'tasks' && folder !== undefined && folder !== ''
    ? folder
    : stemOf(name)
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

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  count: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length)
    yield chunk
  }
}
