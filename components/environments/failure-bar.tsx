/* Owns the bar of rollouts that were not ok, by status. Ends at 20 %, where it is clipped. */
import { formatFixed } from '@/lib/view/format'

const ORDER = ['truncated', 'infra_error', 'verifier_error', 'cancelled'] as const
const END = 0.2

export function FailureBar({ statuses }: { statuses: Record<string, number> }) {
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const said = ['ok', ...ORDER].map(
    (status) => `${status.replace('_', ' ')} ${formatFixed(((statuses[status] ?? 0) / all) * 100, 0)} %`,
  )
  return (
    <div className="failures" role="img" aria-label={said.join(', ')}>
      {ORDER.map((status) => (
        <i key={status} data-failure={status} style={{ width: `${((statuses[status] ?? 0) / all / END) * 100}%` }} />
      ))}
    </div>
  )
}
