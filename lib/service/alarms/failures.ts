/**
 * Failures in a row: rollouts come back without anything that can be trusted.
 * Formula: the lower Wilson bound of the failed share of an environment's rollouts of the last batches is above .3, bad from half
 * of them on; or, before that can show, its newest 4 groups or more (16 rollouts at least) in a row have no trusted rollout. The
 * share is told first, so that one lucky rollout changes neither the words nor the colour. Over the whole run, 8 groups of two
 * environments or more in a row: then the trouble is the trainer's, and single environments stay silent.
 * Why: with one rollout in ten failing by chance a group of 8 fails whole once in 10^8; so any row of them has a cause.
 */

import { addCounts, wilson } from '@/lib/service/tally'
import type { GroupRow } from '@/lib/store/group'
import { type AlarmRule, percent, perEnvironment } from './ring'

const ROW_GROUPS = 4
const RUN_GROUPS = 8
const ROLLOUTS = 16
const FAILING = 0.3
const MOSTLY = 0.5

/** Groups without a trusted rollout since the last one that had any. */
export interface FailureRow {
  groups: number
  rollouts: number
  statuses: Record<string, number>
  environments: Set<number>
}

export const emptyRow = (): FailureRow => ({ groups: 0, rollouts: 0, statuses: {}, environments: new Set() })

export function foldFailures(row: FailureRow, group: GroupRow, environment: number): void {
  if (group.trusted > 0) {
    row.groups = 0
    row.rollouts = 0
    row.statuses = {}
    row.environments.clear()
    return
  }
  row.groups += 1
  row.rollouts += group.returned
  row.environments.add(environment)
  addCounts(row.statuses, group.statuses)
}

function most(statuses: Record<string, number>): string {
  const worst = Object.entries(statuses)
    .filter(([status]) => status !== 'ok' && status !== 'truncated')
    .sort((a, b) => b[1] - a[1])[0]
  return worst === undefined ? 'most without a reward' : `most with ${worst[0]}`
}

export const failures: AlarmRule = (run) => {
  const all = run.book.failures
  if (all.groups >= RUN_GROUPS && all.rollouts >= ROLLOUTS && all.environments.size > 1)
    return [
      {
        key: 'failures',
        kind: 'failures',
        severity: 'bad',
        environment: null,
        title: 'Every rollout fails.',
        sentence: `The last ${all.groups} groups (${all.rollouts} rollouts of ${all.environments.size} environments) have no trusted rollout, ${most(all.statuses)}: look at the trainer and its sandbox.`,
        ago: 0,
      },
    ]
  return perEnvironment(run, ({ name, paused, recent, book }) => {
    if (paused) return null
    const base = { kind: 'failures' as const, title: `${name} fails.`, ago: 0 }
    const counts: Record<string, number> = {}
    for (const group of recent) addCounts(counts, group.statuses)
    const returned = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const failed = returned - (counts.ok ?? 0) - (counts.truncated ?? 0)
    if (returned >= ROLLOUTS && wilson(failed, returned).low > FAILING)
      return {
        ...base,
        severity: failed / returned >= MOSTLY ? 'bad' : 'warn',
        sentence: `${failed} of its ${returned} rollouts (${percent(failed / returned)}) of the last ${run.recentBatches} batches failed, ${most(counts)}: repair it or pause it.`,
      }
    const { groups, rollouts, statuses } = book.failures
    if (groups < ROW_GROUPS || rollouts < ROLLOUTS) return null
    return {
      ...base,
      severity: 'bad',
      sentence: `Its last ${groups} groups (${rollouts} rollouts) have no trusted rollout, ${most(statuses)}: repair it or pause it.`,
    }
  })
}
