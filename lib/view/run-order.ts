/* Owns the two orders of runs. Invariant: unknown shares come last; ties by the newest start. */
import type { RunStatus, RunSummary } from '@/lib/contract/run'
import { formatTime } from './format'

/** For the rail: best informative share first. */
export function byInformativeShare(runs: readonly RunSummary[]): RunSummary[] {
  return [...runs].sort(
    (a, b) => (b.informativeShare ?? -1) - (a.informativeShare ?? -1) || b.createdAt.localeCompare(a.createdAt),
  )
}

/**
 * The same order as long as the same runs are there, so that no entry moves under the pointer; anew when runs come or go.
 * `order`: ids of the last answer; it is given back itself where it still holds.
 */
export function keptOrder(order: readonly string[], runs: readonly RunSummary[]): readonly string[] {
  const here = new Set(runs.map(({ id }) => id))
  if (order.length === here.size && order.every((id) => here.has(id))) return order
  return byInformativeShare(runs).map(({ id }) => id)
}

/** The start of each run that shares its name with another, by id: the time, with the day where they are of several. */
export function startsOfNamesakes(runs: readonly RunSummary[]): Map<string, string> {
  const starts = new Map<string, string>()
  for (const name of new Set(runs.map((run) => run.name))) {
    const same = runs.filter((run) => run.name === name)
    if (same.length < 2) continue
    const days = new Set(same.map(({ createdAt }) => createdAt.slice(0, 10)))
    for (const { id, createdAt } of same) {
      const start = formatTime(createdAt, 'n/a')
      starts.set(id, days.size === 1 ? (start.split(' ').at(-1) ?? start) : start)
    }
  }
  return starts
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
