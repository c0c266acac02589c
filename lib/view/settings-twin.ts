/* Owns the plain tables behind the panels of Settings. */

import { SCOPES } from '@/lib/contract/access'
import type { DiskUse } from '@/lib/contract/disk'
import type { ScopeRule, TokenRow } from '@/lib/contract/token'
import { KIND_WORDS, kindDetail } from './settings-words'
import type { TableTwin } from './table-twin'

export function tokensTwin(tokens: readonly TokenRow[]): TableTwin {
  return {
    name: 'tokens',
    columns: ['name', 'scope', 'made by', 'made', 'valid until', 'expired', 'last used', 'from', 'start-up'],
    rows: tokens.map((token) => [
      token.name,
      token.scope,
      token.madeBy,
      token.madeAt,
      token.validUntil,
      token.expired,
      token.lastUsedAt,
      token.from,
      token.startUp,
    ]),
  }
}

/** Scopes are ordered: whatever the least one may do, the larger ones may. */
export const mayDo = (rule: ScopeRule, scope: (typeof SCOPES)[number]) =>
  SCOPES.indexOf(scope) >= SCOPES.indexOf(rule.scope)

export function scopesTwin(rules: readonly ScopeRule[]): TableTwin {
  return {
    name: 'scopes',
    columns: ['what', ...SCOPES],
    rows: rules.map((rule) => [rule.what, ...SCOPES.map((scope) => mayDo(rule, scope))]),
  }
}

export function diskTwin(disk: DiskUse): TableTwin {
  return {
    name: 'disk',
    columns: ['kind', 'of', 'bytes', 'share'],
    rows: disk.parts.map(({ kind, bytes }) => [
      KIND_WORDS[kind],
      kindDetail(kind, disk),
      bytes,
      disk.bytes > 0 ? bytes / disk.bytes : null,
    ]),
  }
}
