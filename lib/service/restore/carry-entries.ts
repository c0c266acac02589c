/**
 * A run's entries as another run takes them over: tasks and environments renumbered, what is gone left out. Pure.
 * Owns: what is carried. Invariant: batches stay, even without picks, since ages count them; numbers of leases and overrides are
 * moved behind those that the other run has used; an unchanged task set gives the same entries but for these numbers.
 */
import type { LogEntry, OverrideChange, OverrideEntry } from '@/lib/engine/log-entry'

export interface Carrying {
  /** positions in the other task set, null = not there */
  taskTo: (task: number) => number | null
  environmentTo: (environment: number) => number | null
  /** the other set declares the reward range of that environment of its own */
  isDeclared: (environment: number) => boolean
  /** leases and overrides that the other run has used */
  leases: number
  overrides: number
}

/** Null: nothing of it is left. */
export function carriedEntry(entry: LogEntry, on: Carrying): LogEntry | null {
  switch (entry.kind) {
    case 'policy':
      return entry
    case 'restore':
      return null
    case 'batch': {
      const picks = entry.picks.flatMap((pick) => {
        const task = on.taskTo(pick.task)
        return task === null ? [] : [{ ...pick, task, lease: pick.lease + on.leases }]
      })
      return { ...entry, picks }
    }
    case 'shares':
      return { ...entry, uniform: entry.uniform.flatMap((task) => on.taskTo(task) ?? []) }
    case 'group': {
      const task = on.taskTo(entry.task)
      return task === null ? null : { ...entry, task, lease: entry.lease === null ? null : entry.lease + on.leases }
    }
    case 'lease_end':
      return { ...entry, lease: entry.lease + on.leases }
    case 'range': {
      const environment = on.environmentTo(entry.environment)
      return environment === null || on.isDeclared(environment) ? null : { ...entry, environment }
    }
    case 'override':
      return carriedOverride(entry, on)
  }
}

function carriedOverride(entry: OverrideEntry, on: Carrying): OverrideEntry | null {
  const change = carriedChange(entry.change, on)
  return change === null ? null : { ...entry, change, override: entry.override + on.overrides }
}

/** Null where its task or environment is gone. */
export function carriedChange(change: OverrideChange, on: Carrying): OverrideChange | null {
  switch (change.kind) {
    case 'weight':
    case 'uniform_share':
    case 'group_sizing':
      return change
    case 'lift':
      return { ...change, override: change.override + on.overrides }
    case 'pin':
    case 'ban': {
      const task = on.taskTo(change.task)
      return task === null ? null : { ...change, task }
    }
    case 'quota':
    case 'pause':
    case 'resume': {
      const environment = on.environmentTo(change.environment)
      return environment === null ? null : { ...change, environment }
    }
    case 'boost': {
      const task = change.task === null ? null : on.taskTo(change.task)
      const environment = change.environment === null ? null : on.environmentTo(change.environment)
      return task === null && environment === null ? null : { ...change, task, environment }
    }
  }
}

/** Leases that are open after these entries. */
export function openAfter(entries: readonly LogEntry[]): Set<number> {
  const open = new Set<number>()
  for (const entry of entries) {
    if (entry.kind === 'batch') for (const { lease } of entry.picks) open.add(lease)
    else if (entry.kind === 'group' && entry.lease !== null && !entry.late) open.delete(entry.lease)
    else if (entry.kind === 'lease_end') open.delete(entry.lease)
  }
  return open
}
