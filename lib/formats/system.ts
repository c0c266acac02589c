/**
 * The frame of the importers: what a system of files is. One file a system in `systems/`, listed in `systems.ts`.
 * A container (`containers/`) gives rows as plain objects, a form recognises them, a session of its system takes them.
 * Must never know: where files come from, how rows lay in them, who asked, how it is stored.
 * Invariant: what a reader cannot take it names in one clause ("a trial without a task_id"); it never throws on a row, never
 * makes up a reward, and what it gives the draft and the ladder fits the contract (`lib/contract/task-set`, `rollout`).
 *
 * Ways of a row. Each value of a file (line, item of a list, pretty object, table row) is offered to all forms as it is.
 * Only where no form knows it, it is opened: an object with a list in `simulations`, `results`, `items`, `trajectories`,
 * `samples`, … gives the items of that list as rows, its other members as `file.outer`; an object of columns (lists of one
 * length) gives its rows. So a form that wants a whole group or episode recognises that, and is given it.
 */
import type { RolloutLadder } from './rollout-ladder'
import type { TaskSetDraft } from './task-set-draft'
import type { Row } from './untyped'

export interface FileFacts {
  /** path inside the source, "/" between its parts; members of a ZIP lie under its name */
  name: string
  /** of a table (CSV, Parquet); null for other files */
  columns: string[] | null
  /** the other members of the object whose list the rows are; null where there is none */
  outer: Row | null
}

/** In the order in which they are read: helpers before what they help. A source needs tasks or rollouts. */
export const STAGES = ['documents', 'answers', 'tasks', 'rollouts'] as const
export type Stage = (typeof STAGES)[number]

/** `here`: a word of this product; `from`: a path in the row ("info.task.0.name"), or words in brackets. */
export type Field = readonly [here: string, from: string]

export interface Form {
  /** stable word, unique over all systems: "verl", "tau2-results" */
  kind: string
  /** for people: "verl rollout dump" */
  name: string
  stage: Stage
  /** by content; the name only where content cannot tell. Cheap, and never throws: rows are anything. */
  recognise(row: Row, file: FileFacts): boolean
  /** what is shown on the Import page, for this row; ends with `unused(row, fields)` where that is meaningful */
  fields(row: Row): readonly Field[]
  /** files of this form are not needed, for this reason ("it holds sums, no rollouts"): they are left out whole, and nothing is lost */
  fileOnly?: string
}

export interface Intake {
  draft: TaskSetDraft
  ladder: RolloutLadder
  /** Part of a row that could not be taken, or, in `finish`, a row that turned out so. `file`: its FileFacts.name. */
  skip(file: string, reason: string, line: number | null): void
}

/** Null when the row was taken, else why not. */
export type Take = (row: Row, line: number) => string | null

/** One an import and system: files of one source find each other here. */
export interface Session {
  /** Called once a file, in the order of stages, before its rows. */
  open(kind: string, file: FileFacts): Take
  /** After the last row of all files: what waited for others goes in now. */
  finish?(): void
}

export interface System {
  key: string
  /** specific before general */
  forms: readonly Form[]
  begin(intake: Intake): Session
}

/** stands where a column of the file becomes nothing here */
export const NOT_USED = 'not used'

/** The columns that none of `fields` reads, so that none is dropped without a word. */
export function unused(row: Row, fields: readonly Field[]): Field[] {
  const read = new Set(fields.map(([, from]) => from.split('.')[0]))
  return Object.keys(row).flatMap((key) => (read.has(key) ? [] : [[NOT_USED, key] as const]))
}
