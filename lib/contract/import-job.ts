/**
 * An import: files in, a task set or a shadow run out, and what did not come in, by reason and line.
 */
import { z } from 'zod'

export const importJob = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['reading', 'replaying', 'done', 'failed', 'cancelled']),
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
  skipped: z.array(z.object({ reason: z.string(), count: z.number().int(), lines: z.array(z.number().int()) })),
  taskSet: z.string().nullable(),
  run: z.string().nullable(),
  error: z.string().nullable(),
})
export type ImportJob = z.infer<typeof importJob>
