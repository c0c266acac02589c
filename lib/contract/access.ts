/**
 * Who may do what. Scopes are ordered: operate includes report includes view.
 */
import { z } from 'zod'

export const SCOPES = ['view', 'report', 'operate'] as const
export type Scope = (typeof SCOPES)[number]

export interface Principal {
  name: string
  scope: Scope
  /** id of the token that was shown; missing for work of the server's own */
  token?: string
}

export const serverInfo = z.object({
  version: z.string(),
  address: z.string(),
  database: z.enum(['sqlite', 'postgresql']),
  signedInAs: z.string(),
  scope: z.enum(SCOPES),
  diskBytes: z.number().nullable(),
  runs: z.object({ live: z.number().int(), silent: z.number().int(), all: z.number().int() }),
  lastReportAt: z.string().nullable(),
})
export type ServerInfo = z.infer<typeof serverInfo>
