/**
 * An import: files in, a task set or a shadow run out, and what did not come in, by reason and line.
 */
import { z } from 'zod'
import { columnMapping, importTable } from './column-mapping'
import { listQuery } from './page'

export const IMPORT_STEPS = ['read', 'join', 'graph', 'predict'] as const

/** One step of an import. `nothing`: there was nothing to do; `stopped`: it was under way when the import ended. */
export const importStep = z.object({
  name: z.enum(IMPORT_STEPS),
  state: z.enum(['waiting', 'running', 'done', 'nothing', 'stopped']),
  done: z.number().int().nullable(),
  total: z.number().int().nullable(),
  unit: z.enum(['bytes', 'rows', 'groups', 'tasks']),
  perSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** how long it took, or takes so far; null before it began */
  seconds: z.number().nullable(),
})
export type ImportStep = z.infer<typeof importStep>

/** What was found in the files so far. */
export const importSource = z.object({
  rows: z.number().int(),
  /** rows that were taken */
  kept: z.number().int(),
  files: z.array(z.object({ name: z.string(), format: z.string() })),
  /** how a row of each form is read; `example` is of the first readable row, null where it does not hold it */
  mapping: z.array(
    z.object({ format: z.string(), here: z.string(), from: z.string(), example: z.string().nullable() }),
  ),
  environments: z.array(z.object({ key: z.string(), tasks: z.number().int(), rollouts: z.number().int() })),
  /** rollouts by status; those that ended without a usable reward by that reason, in a count of their own */
  statuses: z.record(z.string(), z.number().int()),
  /** null until they are joined */
  groups: z.number().int().nullable(),
  /** the most frequent size of a group, and how many have it */
  usualSize: z.number().int().nullable(),
  usualGroups: z.number().int().nullable(),
  /** models, each a policy version, weakest first */
  models: z.array(z.string()),
  /** whether the task set was here before; null until it is known */
  knownTaskSet: z.boolean().nullable(),
})
export type ImportSource = z.infer<typeof importSource>

/** `replay`: 1 asks for a replay after it. `mapping`: what the columns are, as JSON, or "ask" to stop at them. */
export const importQuery = z.object({
  name: z.string().optional(),
  replay: z.enum(['0', '1']).default('0'),
  mapping: z.string().optional(),
})

/** `reason`: of one alone. */
export const skippedQuery = listQuery.extend({ reason: z.string().optional() })

/** One line that was left out. */
export const skippedLine = z.object({
  reason: z.string(),
  file: z.string(),
  /** null where it is the whole file */
  line: z.number().int().nullable(),
  /** how the row begins; empty where it cannot be shown */
  text: z.string(),
})
export type SkippedLine = z.infer<typeof skippedLine>

export const importResume = z.object({ mapping: columnMapping.optional() })
export const importPreview = z.object({ mapping: columnMapping })

export const importPatch = z.object({ replay: z.boolean() })

export const importJob = z.object({
  id: z.string(),
  name: z.string(),
  /** mapping: it waits until somebody says what the columns are */
  state: z.enum(['reading', 'mapping', 'replaying', 'done', 'failed', 'cancelled']),
  format: z.string().nullable(),
  done: z.number().int(),
  total: z.number().int().nullable(),
  unit: z.enum(['bytes', 'rows', 'groups']),
  perSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  accepted: z.number().int(),
  /** rollouts that were there before, by their id */
  duplicates: z.number().int(),
  untrusted: z.record(z.string(), z.number().int()),
  /** by reason: `file` is that of the first place, `lines` are the first ones in it, and none where whole files are meant */
  skipped: z.array(
    z.object({
      reason: z.string(),
      count: z.number().int(),
      file: z.string(),
      files: z.number().int(),
      lines: z.array(z.number().int()),
      /** whole files that their format itself does not need: sums and summaries of what came in otherwise */
      needless: z.boolean().optional(),
    }),
  ),
  taskSet: z.string().nullable(),
  run: z.string().nullable(),
  error: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** of all files as sent; null where not known */
  bytes: z.number().int().nullable(),
  /** whether a replay of the history follows */
  replay: z.boolean(),
  steps: z.array(importStep),
  /** null until the first rows are read */
  source: importSource.nullable(),
  /** bytes of its files that the server still has or can still read; null where there are none */
  kept: z.number().nullable(),
  /** it was stopped, and its files are there: it can go on where it was */
  resumable: z.boolean(),
  mapping: columnMapping.nullable(),
  /** what waits for a mapping; null in other states */
  table: importTable.nullable(),
  /** lines left out that can be read one by one, of all in `skipped` */
  skippedKept: z.number().int(),
})
export type ImportJob = z.infer<typeof importJob>
