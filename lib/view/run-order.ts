/* Owns the two orders of runs. Invariant: unknown shares come last; ties by the newest start. */
import type { RunStatus, RunSummary } from '@/lib/contract/run'

/** For the rail: best informative share first. */
export function byInformativeShare(runs: readonly RunSummary[]): RunSummary[] {
  return [...runs].sort(
    (a, b) => (b.informativeShare ?? -1) - (a.informativeShare ?? -1) || b.createdAt.localeCompare(a.createdAt),
  )
}

const RANK: Record<RunStatus, number> = { live: 0, silent: 1, paused: 2, failed: 3, waiting: 4, finished: 5 }

/** A number to sort statuses by: what needs a person first. */
export function statusRank(status: RunStatus): number {
  return RANK[status]
}

/** For the table: live first, then what needs a person, finished last; inside by the newest report. */
export function liveFirst(runs: readonly RunSummary[]): RunSummary[] {
  return [...runs].sort(
    (a, b) =>
      statusRank(a.status) - statusRank(b.status) ||
      (b.lastReportAt ?? b.createdAt).localeCompare(a.lastReportAt ?? a.createdAt),
  )
}
