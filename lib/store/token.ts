/**
 * Access tokens. Invariant: only a hash is stored; a revoked token stays, so that its name keeps its meaning in the audit.
 */
import type { Db, Tx } from './database'
import { newId } from './id'
import { cleanText } from './table'

export interface TokenRow {
  id: string
  hash: string
  name: string
  scope: string
  madeBy: string
  createdAt: number
  /** null = until revoked */
  expiresAt: number | null
  lastUsedAt: number | null
  /** address of the last use, null where the request had none */
  lastFrom: string | null
  revokedAt: number | null
}

/** Whose doing a token is that no person made on a page. */
export const AT_START = 'start-up'

/** Throws when the hash is there already. */
export async function createToken(
  tx: Tx,
  token: Pick<TokenRow, 'hash' | 'name' | 'scope' | 'createdAt'> & Partial<Pick<TokenRow, 'madeBy' | 'expiresAt'>>,
): Promise<TokenRow> {
  const { name, madeBy = AT_START, ...rest } = token
  return await tx.client.token.create({
    data: { id: newId(), ...rest, name: cleanText(name), madeBy: cleanText(madeBy) },
  })
}

/** The token of that hash, revoked or not, or null. */
export async function findTokenByHash(db: Db, hash: string): Promise<TokenRow | null> {
  return await db.client.token.findUnique({ where: { hash } })
}

/** Oldest first, revoked and expired ones too. */
export async function listTokens(db: Db): Promise<TokenRow[]> {
  return await db.client.token.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
}

/** Writes the last use, unless one was written after `unlessSince` (several requests may see the same old one). */
export async function touchToken(
  tx: Tx,
  id: string,
  at: number,
  from: string | null = null,
  unlessSince = at,
): Promise<boolean> {
  const { count } = await tx.client.token.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: unlessSince } }] },
    data: { lastUsedAt: at, lastFrom: from },
  })
  return count === 1
}

/** Answers false when there is no such token or it was revoked before. */
export async function revokeToken(tx: Tx, id: string, at: number): Promise<boolean> {
  const { count } = await tx.client.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } })
  return count === 1
}
