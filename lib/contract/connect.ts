/**
 * The live check of a trainer: what it did so far, from the store and from the calls that this process remembers.
 * Invariant: no token's text, no reward and no conversation is in here; a time that is not known is null.
 */
import { z } from 'zod'
import { SCOPES } from './access'

/** `run`: of this one; `opened`: epoch milliseconds when the page was. */
export const connectQuery = z.object({
  run: z.string().optional(),
  opened: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
})

/** Rollouts refused for one reason, the names in it left out of the count. */
export const refusedReason = z.object({
  /** the sentence of the first of them */
  reason: z.string(),
  count: z.number().int(),
  /** what the first of them named; null where it named none */
  environment: z.string().nullable(),
  task: z.string().nullable(),
  lease: z.string().nullable(),
  /** the key that is nearest to it by edit distance; null where none is near */
  nearest: z.object({ environment: z.string(), task: z.string(), distance: z.number().int() }).nullable(),
  /** how many of them differ from a known key in the same way as the first; null where that was not to be told */
  alike: z.number().int().nullable(),
})
export type RefusedReason = z.infer<typeof refusedReason>

/** Calls that were refused before they reached anything, by what was said. */
export const refusedCalls = z.object({
  code: z.string(),
  message: z.string(),
  count: z.number().int(),
  lastAt: z.string(),
  from: z.string().nullable(),
  client: z.string().nullable(),
  call: z.string(),
})
export type RefusedCalls = z.infer<typeof refusedCalls>

export const connectState = z.object({
  at: z.string(),
  /** calls are remembered since then: a restart forgets them */
  since: z.string(),
  run: z
    .object({
      id: z.string(),
      name: z.string(),
      mode: z.enum(['choose', 'shadow']),
      scheduler: z.string(),
      startedAt: z.string(),
    })
    .nullable(),
  /** runs that can be watched, newest first */
  runs: z.array(z.object({ id: z.string(), name: z.string(), startedAt: z.string() })),
  /** the newest call of a trainer of this run, of any where there is none */
  lastCallAt: z.string().nullable(),
  reached: z
    .object({
      at: z.string(),
      from: z.string().nullable(),
      client: z.string().nullable(),
      token: z.string().nullable(),
      scope: z.enum(SCOPES).nullable(),
    })
    .nullable(),
  taskSet: z
    .object({
      at: z.string(),
      name: z.string(),
      tasks: z.number().int(),
      environments: z.number().int(),
      /** other runs on the same content */
      otherRuns: z.number().int(),
    })
    .nullable(),
  batch: z
    .object({
      at: z.string(),
      index: z.number().int(),
      picks: z.number().int(),
      groupSize: z.number().int(),
      /** of the newest request that is remembered */
      milliseconds: z.number().nullable(),
      rung: z.string(),
    })
    .nullable(),
  report: z
    .object({
      /** of the first rollout that was taken; null before it */
      at: z.string().nullable(),
      accepted: z.number().int(),
      untrusted: z.number().int(),
      /** of reports since the last one that was taken whole */
      refused: z.number().int(),
      lastAt: z.string().nullable(),
      /** nothing of the newest report was taken */
      allRefused: z.boolean(),
      reasons: z.array(refusedReason),
    })
    .nullable(),
  /** refused calls that came after the newest good one of the same address, or of anyone where none came */
  unauthorised: z.array(refusedCalls),
  /** other refusals of the run's calls: a task set that does not fit, a size that is no number */
  faults: z.array(refusedCalls),
})
export type ConnectState = z.infer<typeof connectState>

/** A recipe of `public/recipes`, as it lies there. */
export const recipe = z.object({
  file: z.string(),
  summary: z.string(),
  /** the sentence that says what it was tested against; null where the file has none */
  tested: z.string().nullable(),
  text: z.string(),
})
export type Recipe = z.infer<typeof recipe>
