/* Owns the order and the words of environments' states. Troubled first. */
import type { ENVIRONMENT_STATES, EnvironmentRow } from '@/lib/contract/environment'
import { formatNumber } from './format'
import { type QuotaState, quotaState } from './quota-state'

export type EnvironmentState = (typeof ENVIRONMENT_STATES)[number]

const FAILING = 0.5

/** The state to show: the server's, unless it is quieter than rollouts of which the statuses say that they mostly fail. */
export function stateOf(row: EnvironmentRow): EnvironmentState {
  const failing = row.failureShare !== null && row.failureShare >= FAILING
  return failing && RANK[row.state] > RANK.failing ? 'failing' : row.state
}

const RANK: Record<EnvironmentState, number> = {
  contract: 0,
  starved: 1,
  forgetting: 2,
  failing: 3,
  noisy_verifier: 4,
  self_lock: 5,
  drifts: 6,
  at_upper_quota: 7,
  paused: 8,
  nearly_solved: 9,
  saturating: 10,
  unseen: 11,
  ok: 12,
}

export const STATE_TONE: Record<EnvironmentState, 'plain' | 'warn' | 'bad' | 'info'> = {
  contract: 'bad',
  starved: 'bad',
  forgetting: 'bad',
  failing: 'bad',
  noisy_verifier: 'warn',
  self_lock: 'warn',
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
  return RANK[stateOf(row)]
}

/** The words of a state; null where all is well. A pause is told beside a state that is worse. */
export function stateWords(row: EnvironmentRow): string | null {
  const words: Record<EnvironmentState, string | null> = {
    contract: 'hardly pays',
    starved: 'starved',
    forgetting: 'forgetting',
    failing: 'failing',
    noisy_verifier: 'noisy verifier',
    self_lock: 'tasks never paid',
    drifts: 'drifts',
    at_upper_quota: 'at upper quota',
    paused: row.paused === null ? 'paused' : `paused, ${row.paused.mode}`,
    nearly_solved: 'nearly solved',
    saturating: 'saturating',
    unseen: 'not seen yet',
    ok: null,
  }
  const state = stateOf(row)
  return row.paused !== null && state !== 'paused' ? `${words[state]}, paused` : words[state]
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

/** Where its use stands against its quota; inside before the first pick. */
export function quotaStateOf(row: EnvironmentRow): QuotaState {
  const used = usedShare(row)
  if (used === null) return 'inside'
  const options = { paused: row.paused !== null, onePick: 1 / row.quota.window }
  return quotaState(used, row.quota.lower, row.quota.upper, options)
}

/** The share at the right end of all quota meters of the table. */
export function quotaScale(rows: readonly EnvironmentRow[]): number {
  const reach = rows.flatMap((row) => [usedShare(row) ?? 0, row.quota.upper < 1 ? row.quota.upper : 0])
  return Math.min(1, Math.max(0.1, ...reach) * 1.1)
}

/** One sentence about the row: the server's, or what the statuses say. null when all is well. */
export function stateSentence(row: EnvironmentRow): string | null {
  if (row.state === 'failing' || stateOf(row) !== 'failing' || row.failureShare === null) return row.sentence
  const worst = Object.entries(row.statuses)
    .filter(([status]) => status !== 'ok' && status !== 'truncated')
    .sort((a, b) => b[1] - a[1])[0]
  const most = worst === undefined ? '' : `, most with ${worst[0]}`
  return `${formatNumber('share', row.failureShare, '', { decimals: 0 })} of its rollouts of the last 10 batches failed${most}.`
}

/** What a hover over its failures says: each status with its share, and how many carry an error text; null before the first report. */
export function failureWords(row: EnvironmentRow): string | null {
  const all = Object.values(row.statuses).reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const share = (value: number) => formatNumber('share', value, '', { decimals: 0 })
  const statuses = ['ok', 'truncated', 'infra_error', 'verifier_error', 'cancelled'].flatMap((status) => {
    const count = row.statuses[status] ?? 0
    return count === 0 ? [] : `${status.replace('_', ' ')} ${share(count / all)}`
  })
  const failed = `${share(row.failureShare ?? 0)} failed`
  const texts = row.errorShare === null ? '' : `, ${share(row.errorShare)} carry an error text`
  return `${failed}${texts}; by status: ${statuses.join(', ')}`
}
