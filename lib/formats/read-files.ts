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

export interface ReadProgress {
  file: string
  /** bytes as on disk, over all files so far, and rows read */
  bytes: number
  rows: number
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
  /** rollouts that the files themselves tell to be untrusted, by reason */
  untrusted: Record<string, number>
}

/** No file held anything that is known. The message is one sentence for people. */
export class UnknownFormatError extends Error {
  readonly code = 'unknown_format'
}

interface Recognised {
  file: SourceFile
  kind: Kind
  format: string
}

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
  const progress: ReadProgress = { file: '', bytes: 0, rows: 0 }
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
    taskSet: draft.finish(nameOf(files)),
    ladder: ladder.steps(),
    rollouts: ladder.rollouts,
    groups: { [Symbol.iterator]: () => ladder.groups() },
    skipped: skips.list(),
    untrusted: ladder.untrusted,
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
    const first = await firstObject(file)
    const kind = recognise(first)
    if (kind === null) {
      skips.add(`${file.name}: the whole file, since its form is not known`, null)
      continue
    }
    known.push({ file, kind, format: kind === 'function_task' ? functionTaskName(first) : FORMAT_NAMES[kind] })
  }
  if (!known.some(({ kind }) => kind !== 'answer' && kind !== 'function')) {
    const names = files.map((file) => file.name).join(', ')
    const why = known.length === 0 ? 'holds no form that is known' : 'holds answers or functions but no tasks'
    throw new UnknownFormatError(
      `${names} ${why}: give tau-bench results, a BFCL, ACEBench or tau2-bench task set, or rollout lines.`,
    )
  }
  return known.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

/** The first object among the first rows: a file may begin with a line that is none. */
async function firstObject(file: SourceFile): Promise<Row | null> {
  let seen = 0
  for await (const { value } of jsonRows(unpacked(file.open()))) {
    const row = asRow(value)
    if (row !== null) return row
    seen += 1
    if (seen === 20) return null
  }
  return null
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
