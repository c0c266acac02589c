/**
 * The server's access tokens: who has one, making one, revoking one.
 * Owns: that revoking the last token that may operate, or the start-up token, is said before it is done.
 * Invariant: the text of a token is in the answer that made it and nowhere else.
 */
import { randomBytes } from 'node:crypto'
import type { Principal, Scope } from '@/lib/contract/access'
import { type NewToken, type TokenList, type TokenRow, tokenInput, VALID_FOR } from '@/lib/contract/token'
import { appendAudit } from '@/lib/store/audit'
import { createToken, listTokens, revokeToken as revoke, type TokenRow as Stored } from '@/lib/store/token'
import { hashToken, isValid, scopeOf } from './access'
import type { Runtime } from './runtime'
import { scopeRules } from './scope-rules'
import { invalid, notFound, ServiceError } from './service-error'

/** Expired ones are shown this long, so that whoever asks why a trainer is refused sees it. */
const SHOW_EXPIRED_MS = 30 * 86_400_000

const PREFIX: Record<Scope, string> = { view: 'es_view_', report: 'es_rep_', operate: 'es_op_' }

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

function rowOf(token: Stored, all: readonly Stored[], runtime: Runtime, who: Principal, now: number): TokenRow {
  const operates = (one: Stored) => isValid(one, now) && scopeOf(one) === 'operate'
  return {
    id: token.id,
    name: token.name,
    scope: scopeOf(token),
    madeBy: token.madeBy,
    madeAt: new Date(token.createdAt).toISOString(),
    validUntil: iso(token.expiresAt),
    expired: !isValid(token, now),
    lastUsedAt: iso(token.lastUsedAt),
    from: who.scope === 'operate' ? token.lastFrom : null,
    startUp: runtime.settings.startToken !== null && token.hash === hashToken(runtime.settings.startToken),
    yours: token.id === who.token,
    lastToOperate: operates(token) && !all.some((other) => other.id !== token.id && operates(other)),
  }
}

export async function readTokens(runtime: Runtime, who: Principal, now: number): Promise<TokenList> {
  const all = await listTokens(runtime.database.db)
  const shown = all.filter((token) => token.revokedAt === null && (token.expiresAt ?? now) > now - SHOW_EXPIRED_MS)
  const items = shown.map((token) => rowOf(token, all, runtime, who, now))
  const used = (row: TokenRow) => row.lastUsedAt ?? ''
  items.sort(
    (a, b) => Number(a.expired) - Number(b.expired) || used(b).localeCompare(used(a)) || a.name.localeCompare(b.name),
  )
  return { items, rules: scopeRules() }
}

export async function makeToken(runtime: Runtime, body: unknown, who: Principal, now: number): Promise<NewToken> {
  const parsed = tokenInput.safeParse(body)
  if (!parsed.success) throw invalid('token', parsed.error.issues)
  const { name, scope, validFor } = parsed.data
  const seconds = VALID_FOR[validFor]
  const token = PREFIX[scope] + randomBytes(24).toString('base64url')
  const stored = await runtime.database.transaction(async (tx) => {
    const taken = (await listTokens(tx)).some((one) => isValid(one, now) && one.name === name)
    if (taken)
      throw new ServiceError(
        409,
        'name_taken',
        `There is a valid token "${name}": give this one another name, or revoke that one first.`,
      )
    const made = await createToken(tx, {
      hash: hashToken(token),
      name,
      scope,
      madeBy: who.name,
      createdAt: now,
      expiresAt: seconds === null ? null : now + seconds * 1000,
    })
    await appendAudit(tx, {
      runId: null,
      at: now,
      actor: who.name,
      action: 'token.make',
      detail: JSON.stringify({ name, scope, validFor }),
    })
    return made
  })
  const all = await listTokens(runtime.database.db)
  return { ...rowOf(stored, all, runtime, who, now), token }
}

/**
 * Revokes at once: the next request with it is refused. The last one that may operate needs `anyway`: without it nobody
 * can steer, delete or make tokens until the server is started with a new start-up token.
 */
export async function revokeToken(
  runtime: Runtime,
  id: string,
  { anyway }: { anyway: boolean },
  who: Principal,
  now: number,
): Promise<TokenList> {
  await runtime.database.transaction(async (tx) => {
    const all = await listTokens(tx)
    const token = all.find((one) => one.id === id)
    if (token === undefined) throw notFound('token', id)
    if (token.revokedAt !== null) return
    if (rowOf(token, all, runtime, who, now).lastToOperate && !anyway)
      throw new ServiceError(
        409,
        'last_operate',
        `"${token.name}" is the last token that may operate: without it nobody can steer, delete or make tokens. Make another one first, or revoke it anyway.`,
      )
    await revoke(tx, id, now)
    await appendAudit(tx, {
      runId: null,
      at: now,
      actor: who.name,
      action: 'token.revoke',
      detail: JSON.stringify({ name: token.name, scope: token.scope }),
    })
  })
  return readTokens(runtime, who, now)
}
