/**
 * Who is asking. Owns: what a token lets through, scopes, and the sentence that a person without one reads.
 * Invariant: a token's text exists only where it was made; comparing is by hash. The start-up token is put in at start.
 */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { type Principal, SCOPES, type Scope } from '@/lib/contract/access'
import { createToken, findTokenByHash, type TokenRow, touchToken } from '@/lib/store/token'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'

/** Writes of last use are spared: once a minute a token. */
const TOUCH_MS = 60_000

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

const allows = (have: Scope, need: Scope) => SCOPES.indexOf(have) >= SCOPES.indexOf(need)

export const scopeOf = (token: Pick<TokenRow, 'scope'>): Scope => SCOPES.find((name) => name === token.scope) ?? 'view'

/** Whether it lets anything through at that time. */
export const isValid = (token: TokenRow, now: number) =>
  token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now)

/** Makes the start-up token valid, if the server was given one. Safe to repeat; one that was revoked stays so. */
export async function admitStartToken(runtime: Runtime, now: number): Promise<void> {
  const { startToken, author } = runtime.settings
  if (startToken === null) return
  const hash = hashToken(startToken)
  if ((await findTokenByHash(runtime.database.db, hash)) !== null) return
  await runtime.database.transaction((tx) => createToken(tx, { hash, name: author, scope: 'operate', createdAt: now }))
}

/** The first address that the request's way here tells; null where there is none or it is no address. */
export function addressIn(forwarded: string | null): string | null {
  const first = forwarded?.split(',')[0]?.trim() ?? ''
  const plain = first.startsWith('::ffff:') ? first.slice(7) : first
  return isIP(plain) === 0 ? null : plain
}

/**
 * The principal behind a token. Throws 401 without a valid one and 403 when its scope is too small.
 * `forwarded` is where the request came from, as its header says; `isProgram`: the token came in the header that programs send.
 */
export async function authorise(
  runtime: Runtime,
  token: string | null,
  need: Scope,
  now: number,
  forwarded: string | null = null,
  isProgram = false,
): Promise<Principal> {
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
      isProgram
        ? 'This token is not known here or was revoked: make a token on the Connect page and set ENVSCHED_TOKEN.'
        : 'This token is not known here or was revoked: open the address that the server printed at its start.',
    )
  if (!isValid(stored, now))
    throw new ServiceError(
      401,
      'expired_token',
      `The token "${stored.name}" was valid until ${new Date(stored.expiresAt ?? now).toISOString()}: ask for a new one.`,
    )
  if (stored.lastUsedAt === null || now - stored.lastUsedAt > TOUCH_MS)
    await runtime.database.transaction((tx) => touchToken(tx, stored.id, now, addressIn(forwarded), now - TOUCH_MS))
  const scope = scopeOf(stored)
  if (!allows(scope, need))
    throw new ServiceError(
      403,
      'scope',
      `This needs the scope "${need}", and the token of ${stored.name} has "${scope}".`,
    )
  return { name: stored.name, scope, token: stored.id }
}
