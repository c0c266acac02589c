/**
 * What moved since a cursor: small, so that pages can ask every second.
 * The cursor is the run's log number; pages refetch what `touched` names.
 */
import { z } from 'zod'
import { queryWhole } from './bounds'

export const changesQuery = z.object({ since: queryWhole(0).optional() })

export const changes = z.object({
  cursor: z.number().int(),
  batch: z.number().int(),
  policyVersion: z.number().int().nullable(),
  status: z.string(),
  lastReportAt: z.string().nullable(),
  /** counts reports since the run began: moves with each report although the log does not */
  rollouts: z.number().int(),
  entries: z.array(
    z.object({ seq: z.number().int(), kind: z.string(), at: z.string(), batch: z.number().int().nullable() }),
  ),
})
export type Changes = z.infer<typeof changes>
