/**
 * Access tokens. Invariant: only a hash is stored; a revoked token stays, so that its name keeps its meaning in the audit.
 */
import type { Db, Tx } from './database'
import { newId } from './id'

export interface TokenRow {
  id: string
  hash: string
  name: string
  scope: string
  createdAt: number
  lastUsedAt: number | null
  revokedAt: number | null
}

/** Throws when the hash is there already. */
export async function createToken(
  tx: Tx,
  token: Pick<TokenRow, 'hash' | 'name' | 'scope' | 'createdAt'>,
): Promise<TokenRow> {
  return await tx.client.token.create({ data: { id: newId(), ...token } })
}

/** The token of that hash, revoked or not, or null. */
export async function findTokenByHash(db: Db, hash: string): Promise<TokenRow | null> {
  return await db.client.token.findUnique({ where: { hash } })
}

/** Oldest first. */
export async function listTokens(db: Db): Promise<TokenRow[]> {
  return await db.client.token.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
}

export async function touchToken(tx: Tx, id: string, at: number): Promise<void> {
  await tx.client.token.updateMany({ where: { id }, data: { lastUsedAt: at } })
}

/** Answers false when there is no such token or it was revoked before. */
export async function revokeToken(tx: Tx, id: string, at: number): Promise<boolean> {
  const { count } = await tx.client.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } })
  return count === 1
}
