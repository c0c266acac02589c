/* Owns the sign of a run's status. Invariant: each status has its own shape; the word stands beside it or is read out. */
import type { RunStatus } from '@/lib/contract/run'

export function StatusDot({ status, beat = false }: { status: RunStatus; beat?: boolean }) {
  return <i className="dot" data-status={status} data-beat={beat === true ? '' : undefined} aria-hidden="true" />
}
