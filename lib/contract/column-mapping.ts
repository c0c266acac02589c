/**
 * How the columns of rows that nobody knows become rollouts: for each word of ours a column, or a constant.
 * Invariant: "=math" is the constant "math", everything else the name of a column or a path in it ("info.score").
 */
import { z } from 'zod'

export const MAPPED = [
  'environment',
  'task',
  'text',
  'reward',
  'policyVersion',
  'model',
  'status',
  'error',
  'turns',
  'tokens',
  'seconds',
  'tools',
  'messages',
  'group',
] as const
export type Mapped = (typeof MAPPED)[number]

export const columnMapping = z.partialRecord(z.enum(MAPPED), z.string().min(1).max(500))
export type ColumnMapping = z.infer<typeof columnMapping>

/** A column of the first rows, with values of theirs in short. */
export const tableColumn = z.object({ name: z.string(), examples: z.array(z.string()) })

/** What an import that waits for a mapping shows: the columns of a file, and the likeliest mapping. */
export const importTable = z.object({
  file: z.string(),
  columns: z.array(tableColumn),
  guess: columnMapping,
})
export type ImportTable = z.infer<typeof importTable>

/** A first row as it would be read; `problem` says why it would not. */
export const mappedRow = z.object({
  environment: z.string().nullable(),
  task: z.string().nullable(),
  reward: z.union([z.number(), z.string(), z.boolean()]).nullable(),
  policyVersion: z.string().nullable(),
  status: z.string().nullable(),
  problem: z.string().nullable(),
})
export type MappedRow = z.infer<typeof mappedRow>

export const mappingPreview = z.object({ rows: z.array(mappedRow) })
