/* Owns the sign of a run's status. Invariant: each status has its own shape; the word stands beside it or is read out. */
export type RunStatusName = 'live' | 'silent' | 'paused' | 'finished' | 'failed'

export function StatusDot({ status, beat = false }: { status: RunStatusName; beat?: boolean }) {
  return <i className="dot" data-status={status} data-beat={beat === true ? '' : undefined} aria-hidden="true" />
}
