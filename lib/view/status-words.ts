/* Owns how rollouts that are not ok are counted in words. Keys are rollout statuses and reasons of distrust. */
import { formatFixed } from './format'

const SHORT: Record<string, string> = {
  infra_error: 'infra',
  verifier_error: 'verifier',
  cancelled: 'cancelled',
  truncated: 'truncated',
}

/** "12 infra, 8 verifier errors, 3 cancelled": what kept rollouts out; truncated ones are trusted and left out here. */
export function distrustWords(statuses: Record<string, number>): string {
  const known = Object.entries(statuses).filter(
    ([status, count]) => count > 0 && status !== 'ok' && status !== 'truncated',
  )
  if (known.length === 0) return 'no rollout was refused'
  const errors = known.filter(([status]) => status.endsWith('_error'))
  const rest = known.filter(([status]) => !status.endsWith('_error'))
  const word = ([status, count]: [string, number]) =>
    `${formatFixed(count, 0)} ${SHORT[status] ?? status.replaceAll('_', ' ')}`
  const parts: string[] = []
  if (errors.length > 0) {
    const total = errors.reduce((sum, [, count]) => sum + count, 0)
    parts.push(`${errors.map(word).join(', ')} ${total === 1 ? 'error' : 'errors'}`)
  }
  return [...parts, ...rest.map(word)].join(', ')
}
