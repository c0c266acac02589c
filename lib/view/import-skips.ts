/* Owns what is said of rows that came in and rows that did not: counts, lines, what to do, and the plain tables.
   Invariant: figures are the job's own; a reason without known advice has none. */
import type { ImportJob } from '@/lib/contract/import-job'
import { formatFixed } from './format'
import type { TableTwin } from './table-twin'

const sumOf = (parts: readonly { count: number }[]) => parts.reduce((sum, { count }) => sum + count, 0)

/** Rows that were left out; whole files have no line and are counted apart. */
export function skippedRows(job: ImportJob): number {
  return sumOf(job.skipped.filter(({ lines }) => lines.length > 0))
}

/** Files that were left out as a whole. */
export function skippedFiles(job: ImportJob): number {
  return sumOf(job.skipped.filter(({ lines, needless }) => lines.length === 0 && needless !== true))
}

/** Files that their own format does not need: nothing is lost by them. */
export function needlessFiles(job: ImportJob): number {
  return sumOf(job.skipped.filter(({ needless }) => needless === true))
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/is not JSON$/, 'cut off or written by two processes at once: mend the line and import again'],
  [/file ends inside it$/, 'the file was cut off: take it anew and import again'],
  [/not an object$/, 'each row must be an object'],
  [/without an environment$/, 'name the environment in "environment" and import again'],
  [/without a task$/, 'name the task in "task" and import again'],
  [/without a task_id$/, 'name the task in "task_id" and import again'],
  [/without an id$/, 'give it an "id" and import again'],
  [/without a name$/, 'give the function a "name" and import again'],
  [/taken or too long/, 'a key is used once in its environment: the first is kept'],
  [/longer than 500/, 'shorten the key and import again'],
  [/form is not known$/, 'not one of the forms that are read here'],
  [/it is empty$/, 'there is nothing in it'],
]

/** What to do about a reason, or null where nothing general can be said. */
export function skipAdvice(reason: string): string | null {
  return ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ?? null
}

export function skippedTwin(job: ImportJob): TableTwin {
  return {
    name: 'skipped rows',
    columns: ['reason', 'rows', 'files', 'first file', 'first line'],
    rows: job.skipped.map(({ reason, count, files, file, lines }) => [reason, count, files, file, lines[0] ?? null]),
  }
}

export function mappingTwin(job: ImportJob): TableTwin {
  return {
    name: 'how the file is read',
    columns: ['form', 'here', 'in the file', 'for example'],
    rows: (job.source?.mapping ?? []).map(({ format, here, from, example }) => [format, here, from, example]),
  }
}

export function environmentsTwin(job: ImportJob): TableTwin {
  return {
    name: 'what has come in',
    columns: ['environment', 'tasks', 'rollouts'],
    rows: (job.source?.environments ?? []).map(({ key, tasks, rollouts }) => [key, tasks, rollouts]),
  }
}

interface KeptRow {
  word: string
  note: string | null
  count: number
  /** of all rollouts; null where it is among others */
  share: number | null
}

const COUNTED = new Set(['ok', 'truncated'])
const UNTRUSTED = new Set(['reward_missing', 'reward_invalid'])

/** Rollouts by status, those without a usable reward, and the groups of the usual size. */
export function keptRows(job: ImportJob): KeptRow[] {
  const { source } = job
  if (source === null) return []
  const all = Object.values(source.statuses).reduce((sum, count) => sum + count, 0)
  const statuses = Object.entries(source.statuses)
    .sort((a, b) => b[1] - a[1])
    .map(([status, count]) => ({
      word: status.replaceAll('_', ' '),
      note: COUNTED.has(status) ? null : UNTRUSTED.has(status) ? 'kept as untrusted' : 'not counted',
      count,
      share: all === 0 ? null : count / all,
    }))
  const missing = Object.entries(job.untrusted)
    .filter(([reason]) => reason !== 'status' && !(reason in source.statuses))
    .map(([reason, count]) => ({ word: reason.replaceAll('_', ' '), note: 'kept as untrusted', count, share: null }))
  const groups =
    source.groups === null || source.groups === 0 || source.usualGroups === null
      ? []
      : [
          {
            word: `groups of ${formatFixed(source.usualSize ?? 0, 0)}`,
            note: `of ${formatFixed(source.groups, 0)}`,
            count: source.usualGroups,
            share: source.usualGroups / source.groups,
          },
        ]
  return [...statuses, ...missing, ...groups]
}
