/**
 * What becomes of a run's groups and leases when it goes back to an earlier state. Pure.
 * Owns: which groups are superseded whole, which are as they were then, and which are split because some of their rollouts came
 * later. Invariant: a group that the line has absorbed is left alone; every other one ends up as the rollouts that had come by
 * then make it, so the next batch absorbs what it absorbed then; no rollout is lost, and none counts on both sides.
 */

import { emptyGroup, GroupBook } from '@/lib/service/group-book'
import type { GroupRow } from '@/lib/store/group'
import type { LeaseRow } from '@/lib/store/lease'
import type { RolloutRow } from '@/lib/store/rollout'

export interface Place {
  /** log number and arrival number of rollouts that the run goes back to */
  seq: number
  rollouts: number
}

export interface RegroupedRun {
  /** rows to write: changed ones, and new ones with numbers after `groupCount` */
  groups: GroupRow[]
  /** numbers of groups that are superseded whole */
  superseded: number[]
  /** later rollouts of a split group move to a group of their own */
  moves: { group: number; to: number }[]
  leases: { number: number; state: 'open' | 'complete' }[]
  /** number of the newest group */
  groupCount: number
}

/** What is superseded: batches, and leases that a batch of the line got later. */
export interface Gone {
  batches: ReadonlySet<number>
  leases: ReadonlySet<number>
}

/** Groups of the run's line that the state at a place may not have as they are now. */
export function groupsToLookAt(groups: readonly GroupRow[], place: Place, gone: Gone): GroupRow[] {
  return groups.filter(
    (group) => !group.superseded && !isGone(group, gone) && !(group.logSeq !== null && group.logSeq <= place.seq),
  )
}

const isGone = ({ batch, lease }: GroupRow, gone: Gone) =>
  (batch !== null && gone.batches.has(batch)) || (lease !== null && gone.leases.has(lease))

export function regroup(
  groups: readonly GroupRow[],
  /** of `groupsToLookAt`, in the order they arrived */
  rollouts: readonly RolloutRow[],
  leases: ReadonlyMap<number, LeaseRow>,
  place: Place,
  gone: Gone,
  groupCount: number,
): RegroupedRun {
  const made: RegroupedRun = { groups: [], superseded: [], moves: [], leases: [], groupCount }
  for (const group of groups) if (!group.superseded && isGone(group, gone)) made.superseded.push(group.number)
  for (const group of groupsToLookAt(groups, place, gone)) {
    const own = rollouts.filter((rollout) => rollout.group === group.number)
    const kept = own.filter(({ seq }) => seq <= place.rollouts)
    const later = own.filter(({ seq }) => seq > place.rollouts)
    const isFirst = group.lease !== null && !group.late
    const then =
      kept.length > 0 ? keptPart(made, group, kept, later, leases) : emptied(made, group, later, isFirst, leases)
    if (isFirst && then !== null)
      made.leases.push({ number: group.lease ?? -1, state: then.state === 'complete' ? 'complete' : 'open' })
  }
  return made
}

/** Something had come by then: the group goes on with it, and what came later becomes a group of its own. */
function keptPart(
  made: RegroupedRun,
  group: GroupRow,
  kept: readonly RolloutRow[],
  later: readonly RolloutRow[],
  leases: ReadonlyMap<number, LeaseRow>,
): GroupRow {
  const then = rebuilt(group, group.number, kept, leases)
  // a report of whole groups completed it
  if (group.lease === null && later.length === 0 && group.completedOrder === kept.at(-1)?.seq)
    Object.assign(then, { state: 'complete', completedOrder: group.completedOrder, completedAt: group.completedAt })
  made.groups.push(then)
  if (later.length === 0) return then
  made.groupCount += 1
  made.groups.push({ ...rebuilt(group, made.groupCount, later, new Map()), superseded: true })
  made.moves.push({ group: group.number, to: made.groupCount })
  return then
}

/** Nothing had come by then: a lease waits again, with an empty group; any other group was not there. */
function emptied(
  made: RegroupedRun,
  group: GroupRow,
  later: readonly RolloutRow[],
  isFirst: boolean,
  leases: ReadonlyMap<number, LeaseRow>,
): GroupRow | null {
  const keepsNumber = isFirst && later.length === 0
  if (!keepsNumber) made.superseded.push(group.number)
  if (!isFirst) return null
  if (!keepsNumber) made.groupCount += 1
  const then = rebuilt(group, keepsNumber ? group.number : made.groupCount, [], leases)
  made.groups.push(then)
  return then
}

/** The group as its rollouts make it, counted in the way a report counts them. */
export function rebuilt(
  group: GroupRow,
  number: number,
  rollouts: readonly RolloutRow[],
  leases: ReadonlyMap<number, LeaseRow>,
): GroupRow {
  const { lease, batch, slot, task, policyVersion, late, shares } = group
  const fresh = { ...emptyGroup({ number, lease, batch, slot, task, policyVersion }), late }
  const { firstStage, restStage, boughtBy, decidedBy, secondStage } = group
  Object.assign(fresh, { firstStage, restStage, boughtBy })
  // of a first stage that stops, the decision and the group's end are one entry of the log, which this line has not
  if (secondStage !== 0 && rollouts.some(({ id }) => id === decidedBy)) Object.assign(fresh, { decidedBy, secondStage })
  // a pick's shares are those of its decision
  if (lease !== null) fresh.shares = shares
  const book = new GroupBook(number, [fresh], leases)
  for (const rollout of rollouts) book.count({ ...rollout, group: number }, rollout.seq, rollout.at)
  return fresh
}
