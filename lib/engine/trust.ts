/**
 * How much of what a task is asked for comes back usable: untrusted rollouts lower a score, dry tasks wait.
 * Owns: the Beta counts by environment and task, and the doubling wait. Must never know: rewards.
 * Invariant: 1 where nothing untrusted was ever seen; never 0, so that a task can recover.
 */
import type { GroupEntry } from './log-entry'
import type { State } from './state'

const FADE = 0.9
/** prior trusted rollouts of an environment: a first failure alone says little */
const ENVIRONMENT_PRIOR = 16
/** how many rollouts of its own a task needs to weigh as much as its environment */
const TASK_PRIOR = 8
const DRY_GROUPS = 3
const LONGEST_WAIT = 64

/** Expected trusted share of the next group of task i, in (0, 1]. */
export function trustOf(state: State, task: number, environment: number): number {
  const { environments, tasks } = state
  const usable = environments.trusted[environment]! + ENVIRONMENT_PRIOR
  const share = usable / (usable + environments.untrusted[environment]!)
  const own = tasks.trusted[task]!
  return (own + TASK_PRIOR * share) / (own + tasks.untrusted[task]! + TASK_PRIOR)
}

/** Batches until a task that waits is free, 0 = it does not wait. */
export function waitOf(state: State, task: number): number {
  return Math.max(0, state.tasks.waitUntil[task]! - state.totals.clock)
}

/** Folds the counts of one group; after 3 groups in a row without any trusted rollout the task waits 2, 4, 8… batches. */
export function foldTrust(state: State, entry: GroupEntry, environment: number): void {
  const { environments, tasks, totals } = state
  const i = entry.task
  tasks.trusted[i] = tasks.trusted[i]! * FADE + entry.trusted
  tasks.untrusted[i] = tasks.untrusted[i]! * FADE + entry.untrusted
  environments.trusted[environment] = environments.trusted[environment]! * FADE + entry.trusted
  environments.untrusted[environment] = environments.untrusted[environment]! * FADE + entry.untrusted
  environments.trustedRollouts[environment]! += entry.trusted
  environments.untrustedRollouts[environment]! += entry.untrusted
  environments.verifierErrors[environment]! += entry.verifierErrors
  if (entry.trusted > 0) {
    tasks.dry[i] = 0
    tasks.waitUntil[i] = 0
    return
  }
  if (entry.untrusted === 0) return
  tasks.dry[i]!++
  const beyond = tasks.dry[i]! - DRY_GROUPS
  if (beyond >= 0) tasks.waitUntil[i] = totals.clock + Math.min(LONGEST_WAIT, 2 ** (beyond + 1))
}
