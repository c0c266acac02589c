/* Owns the order and the words of environments' states. Troubled first. */
import type { ENVIRONMENT_STATES, EnvironmentRow } from '@/lib/contract/environment'

export type EnvironmentState = (typeof ENVIRONMENT_STATES)[number]

const RANK: Record<EnvironmentState, number> = {
  contract: 0,
  starved: 1,
  forgetting: 2,
  drifts: 3,
  at_upper_quota: 4,
  paused: 5,
  nearly_solved: 6,
  saturating: 7,
  unseen: 8,
  ok: 9,
}

export const STATE_TONE: Record<EnvironmentState, 'plain' | 'warn' | 'bad' | 'info'> = {
  contract: 'bad',
  starved: 'bad',
  forgetting: 'bad',
  drifts: 'warn',
  at_upper_quota: 'warn',
  paused: 'info',
  nearly_solved: 'plain',
  saturating: 'plain',
  unseen: 'plain',
  ok: 'plain',
}

/** A number to sort states by: what needs a person first. */
export function stateRank(row: EnvironmentRow): number {
  return RANK[row.state]
}

/** The words of a state; null where all is well. */
export function stateWords(row: EnvironmentRow): string | null {
  const words: Record<EnvironmentState, string | null> = {
    contract: 'pays nothing',
    starved: 'starved',
    forgetting: 'forgetting',
    drifts: 'drifts',
    at_upper_quota: 'at upper quota',
    paused: row.paused === null ? 'paused' : `paused, ${row.paused.mode}`,
    nearly_solved: 'nearly solved',
    saturating: 'saturating',
    unseen: 'not seen yet',
    ok: null,
  }
  return words[row.state]
}

/** Troubled first; equals keep the task set's order. */
export function troubledFirst(rows: readonly EnvironmentRow[]): EnvironmentRow[] {
  return [...rows].sort((a, b) => stateRank(a) - stateRank(b))
}

/** In the order of ids that was shown before; new ones last. So that a refresh moves no row. */
export function inOrder(rows: readonly EnvironmentRow[], ids: readonly string[]): EnvironmentRow[] {
  const place = new Map(ids.map((id, i) => [id, i]))
  return [...rows].sort((a, b) => (place.get(a.id) ?? ids.length) - (place.get(b.id) ?? ids.length))
}

/** Share of the window's picks, 0 to 1; null before the first pick. */
export function usedShare(row: EnvironmentRow): number | null {
  return row.quota.window > 0 ? row.quota.used / row.quota.window : null
}

/** The share at the right end of all quota meters of the table. */
export function quotaScale(rows: readonly EnvironmentRow[]): number {
  const reach = rows.flatMap((row) => [usedShare(row) ?? 0, row.quota.upper < 1 ? row.quota.upper : 0])
  return Math.min(1, Math.max(0.1, ...reach) * 1.1)
}
