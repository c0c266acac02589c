/* Owns how rollouts that are not ok are counted in words. Keys are rollout statuses and reasons of distrust. */
import { formatFixed } from './format'

const SHORT: Record<string, string> = {
  infra_error: 'infra',
  verifier_error: 'verifier',
  cancelled: 'cancelled',
  truncated: 'truncated',
}

/** Untrusted rollouts whose status is no reason for it: their reward was missing, no number or out of its range. */
export function withoutReward(statuses: Record<string, number>, untrusted: number): number {
  const byStatus = Object.entries(statuses).reduce(
    (sum, [status, count]) => (status === 'ok' || status === 'truncated' ? sum : sum + count),
    0,
  )
  return Math.max(0, untrusted - byStatus)
}

/**
 * "12 infra, 8 verifier errors, 3 cancelled, 2 without a usable reward": what kept rollouts out; truncated ones are
 * trusted and left out here.
 */
export function distrustWords(statuses: Record<string, number>, untrusted: number): string {
  const known = Object.entries(statuses).filter(
    ([status, count]) => count > 0 && status !== 'ok' && status !== 'truncated',
  )
  const rewardless = withoutReward(statuses, untrusted)
  if (known.length === 0 && rewardless === 0) return 'no rollout was refused'
  const errors = known.filter(([status]) => status.endsWith('_error'))
  const rest = known.filter(([status]) => !status.endsWith('_error'))
  const word = ([status, count]: [string, number]) =>
    `${formatFixed(count, 0)} ${SHORT[status] ?? status.replaceAll('_', ' ')}`
  const parts: string[] = []
  if (errors.length > 0) {
    const total = errors.reduce((sum, [, count]) => sum + count, 0)
    parts.push(`${errors.map(word).join(', ')} ${total === 1 ? 'error' : 'errors'}`)
  }
  const last = rewardless > 0 ? [`${formatFixed(rewardless, 0)} without a usable reward`] : []
  return [...parts, ...rest.map(word), ...last].join(', ')
}
