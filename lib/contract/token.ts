/**
 * Access tokens as people see them. Invariant: the text of a token crosses once, in the answer that made it.
 */
import { z } from 'zod'
import { SCOPES } from './access'

/** Seconds a token may be valid for; null = until it is revoked. */
export const VALID_FOR = { 'until revoked': null, '1 day': 86_400, '7 days': 604_800, '30 days': 2_592_000 } as const
export type ValidFor = keyof typeof VALID_FOR
export const VALID_FOR_WORDS = ['until revoked', '1 day', '7 days', '30 days'] as const

export const tokenInput = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'give it a name, so that it can be told from the others')
    .max(60, 'takes 60 characters'),
  scope: z.enum(SCOPES),
  validFor: z.enum(VALID_FOR_WORDS).default('until revoked'),
})
export type TokenInput = z.input<typeof tokenInput>

/** `anyway`: also the last token that may operate. */
export const revokeQuery = z.object({ anyway: z.enum(['true', 'false']).default('false') })

export const tokenRow = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(SCOPES),
  /** who made it, "start-up" = the server at its start */
  madeBy: z.string(),
  madeAt: z.string(),
  /** null = until revoked */
  validUntil: z.string().nullable(),
  expired: z.boolean(),
  /** to the minute, null = not yet */
  lastUsedAt: z.string().nullable(),
  /** address of the last use; null without one, and for whoever may not operate */
  from: z.string().nullable(),
  /** the token in the address that the server prints at its start */
  startUp: z.boolean(),
  /** the one that asked */
  yours: z.boolean(),
  /** no other valid token may operate: without it nobody can steer, delete or make tokens */
  lastToOperate: z.boolean(),
})
export type TokenRow = z.infer<typeof tokenRow>

export const scopeRule = z.object({ what: z.string(), scope: z.enum(SCOPES) })
export type ScopeRule = z.infer<typeof scopeRule>

/** Valid ones first by last use, then those that ran out; revoked ones are gone. */
export const tokenList = z.object({
  items: z.array(tokenRow),
  /** what may be done, with the least scope that may */
  rules: z.array(scopeRule),
})
export type TokenList = z.infer<typeof tokenList>

export const newToken = tokenRow.extend({ token: z.string() })
export type NewToken = z.infer<typeof newToken>
