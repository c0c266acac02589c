/**
 * What of a run can be taken away as files: which there are, in which formats, and about how large.
 */
import { z } from 'zod'

/** A table's formats, the first one when none is asked for. `archive` is the whole run, to be imported again. */
export const EXPORTS = {
  archive: ['zip'],
  rollouts: ['jsonl.gz', 'csv', 'parquet'],
  picks: ['jsonl', 'csv', 'parquet'],
  predictions: ['csv', 'parquet'],
  batches: ['csv', 'parquet'],
  environments: ['csv', 'parquet'],
  tasks: ['csv', 'parquet'],
  scores: ['csv', 'parquet'],
  alarms: ['csv', 'parquet'],
  graph: ['gexf', 'csv', 'parquet'],
  steering: ['jsonl', 'csv', 'parquet'],
  audit: ['csv', 'parquet'],
} as const
export type ExportName = keyof typeof EXPORTS
export const EXPORT_NAMES = [
  'archive',
  'rollouts',
  'picks',
  'predictions',
  'batches',
  'environments',
  'tasks',
  'scores',
  'alarms',
  'graph',
  'steering',
  'audit',
] as const satisfies readonly ExportName[]

export const exportQuery = z.object({ format: z.string().optional() })

export const exportFile = z.object({
  name: z.enum(EXPORT_NAMES),
  format: z.string(),
  /** null where it is not known before it is written */
  rows: z.number().int().nullable(),
  /** about, from the mean of its first rows; null where it is not known before it is written */
  bytes: z.number().nullable(),
})
export type ExportFile = z.infer<typeof exportFile>

export const exportList = z.object({ items: z.array(exportFile) })
export type ExportList = z.infer<typeof exportList>
