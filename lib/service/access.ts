/**
 * Who is asking. Owns: tokens (stored hashed), scopes, and the sentence that a person without one reads.
 * Invariant: a token's text exists only where it was made; comparing is by hash. The start-up token is put in at start.
 */
import { createHash } from 'node:crypto'
import { type Principal, SCOPES, type Scope } from '@/lib/contract/access'
import { createToken, findTokenByHash, touchToken } from '@/lib/store/token'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'

/** Writes of last use are spared: once a minute a token. */
const TOUCH_MS = 60_000

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

const allows = (have: Scope, need: Scope) => SCOPES.indexOf(have) >= SCOPES.indexOf(need)

/** Makes the start-up token valid, if the server was given one. Safe to repeat. */
export async function admitStartToken(runtime: Runtime, now: number): Promise<void> {
  const { startToken, author } = runtime.settings
  if (startToken === null) return
  const hash = hashToken(startToken)
  if ((await findTokenByHash(runtime.database.db, hash)) !== null) return
  await runtime.database.transaction((tx) => createToken(tx, { hash, name: author, scope: 'operate', createdAt: now }))
}

/** The principal behind a token. Throws 401 without a valid one and 403 when its scope is too small. */
export async function authorise(runtime: Runtime, token: string | null, need: Scope, now: number): Promise<Principal> {
  if (token === null || token === '')
    throw new ServiceError(
      401,
      'no_token',
      'This address needs a token: open the one that the server printed at its start.',
    )
  const stored = await findTokenByHash(runtime.database.db, hashToken(token))
  if (stored === null || stored.revokedAt !== null)
    throw new ServiceError(
      401,
      'bad_token',
      'This token is not known here or was revoked: open the address that the server printed at its start.',
    )
  if (stored.lastUsedAt === null || now - stored.lastUsedAt > TOUCH_MS)
    await runtime.database.transaction((tx) => touchToken(tx, stored.id, now))
  const scope = SCOPES.find((name) => name === stored.scope) ?? 'view'
  if (!allows(scope, need))
    throw new ServiceError(
      403,
      'scope',
      `This needs the scope "${need}", and the token of ${stored.name} has "${scope}".`,
    )
  return { name: stored.name, scope }
}
