/**
 * What a run and the server take on disk. Bytes are of rows (text and blobs as stored, numbers as 8); indexes and free
 * pages of the database's file come on top, and are in the server's figures only.
 */
import { z } from 'zod'

export const DISK_KINDS = ['text', 'rollouts', 'predictions', 'graph', 'history'] as const
export type DiskKind = (typeof DISK_KINDS)[number]

export const diskUse = z.object({
  measuredAt: z.string(),
  bytes: z.number(),
  parts: z.array(z.object({ kind: z.enum(DISK_KINDS), bytes: z.number() })),
  counts: z.object({
    rollouts: z.number().int(),
    /** rollouts with trajectory text */
    texts: z.number().int(),
    batches: z.number().int(),
    picks: z.number().int(),
    /** one a task and batch, as far as they are kept; where the trainer chose, one a group */
    predictions: z.number().int(),
    overrides: z.number().int(),
    entries: z.number().int(),
    snapshots: z.number().int(),
    tasks: z.number().int(),
    edges: z.number().int(),
    /** runs on the same task set beside this one */
    otherRuns: z.number().int(),
  }),
  server: z.object({
    /** pages in use, and those free in the file, which new data fills first; free is null where the database keeps it to itself */
    used: z.number(),
    freeInside: z.number().nullable(),
    /** of the disk that holds the data folder; null when the database is elsewhere */
    diskFree: z.number().nullable(),
    diskTotal: z.number().nullable(),
    /** bytes a day, over the last `seconds` (a day at most); null until there are two samples ten minutes apart */
    growth: z.object({ bytesADay: z.number(), seconds: z.number() }).nullable(),
  }),
})
export type DiskUse = z.infer<typeof diskUse>
