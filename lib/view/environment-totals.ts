/* Owns the last row of the table of environments. Invariant: only what can be summed is; a median of medians is not shown. */
import type { EnvironmentRow } from '@/lib/contract/environment'

export interface EnvironmentTotals {
  seen: number
  tasks: number
  /** 1 once there is a window, null before the first pick */
  used: number | null
  /** mean over tasks */
  ability: number | null
  informative: number | null
  failures: number | null
}

/** `informative` of all groups comes from the run, since shares of environments cannot be averaged without their counts. */
export function environmentTotals(rows: readonly EnvironmentRow[], informative: number | null): EnvironmentTotals {
  const sum = (value: (row: EnvironmentRow) => number) => rows.reduce((total, row) => total + value(row), 0)
  const tasks = sum((row) => row.tasks)
  const window = Math.max(0, ...rows.map((row) => row.quota.window))
  const anew = rows.some((row) => row.quota.window < window)
  const rollouts = sum((row) => Object.values(row.statuses).reduce((total, count) => total + count, 0))
  // truncated rollouts can be used: they are no failures
  const usable = sum((row) => (row.statuses.ok ?? 0) + (row.statuses.truncated ?? 0))
  return {
    seen: sum((row) => row.seen),
    tasks,
    // A window that a changed quota started anew counts fewer picks; all picks together are the whole.
    used: window > 0 ? (anew ? 1 : sum((row) => row.quota.used) / window) : null,
    ability: tasks > 0 ? sum((row) => row.ability * row.tasks) / tasks : null,
    informative,
    failures: rollouts > 0 ? (rollouts - usable) / rollouts : null,
  }
}
