/**
 * What of a run can be taken away as files: which there are, in which formats, and about how large.
 */
import { z } from 'zod'

export const EXPORTS = {
  rollouts: ['jsonl.gz'],
  picks: ['jsonl', 'csv'],
  predictions: ['csv'],
  graph: ['gexf', 'csv'],
  steering: ['jsonl', 'csv'],
} as const
export type ExportName = keyof typeof EXPORTS
export const EXPORT_NAMES = ['rollouts', 'picks', 'predictions', 'graph', 'steering'] as const

export const exportFile = z.object({
  name: z.enum(EXPORT_NAMES),
  format: z.string(),
  rows: z.number().int(),
  /** about; from the mean of its first rows */
  bytes: z.number(),
})
export type ExportFile = z.infer<typeof exportFile>

export const exportList = z.object({ items: z.array(exportFile) })
export type ExportList = z.infer<typeof exportList>
