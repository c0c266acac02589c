/**
 * The rollouts of some groups that match a filter, and the groups as pages show them.
 * Owns: reading them together: rollouts, ranges, sizes of leases, ended leases, text.
 */
import type { RolloutGroup } from '@/lib/contract/rollout-group'
import type { GroupRow } from '@/lib/store/group'
import { leasesByNumber } from '@/lib/store/lease'
import { rolloutsOfGroups } from '@/lib/store/rollout'
import { rolloutsWithText } from '@/lib/store/rollout-text'
import { slotOf } from './batch-record'
import { resultView } from './batch-view'
import { type Catalog, environmentOf, taskAt } from './catalog'
import { releasedAmong } from './end-leases'
import { groupId } from './ids'
import { rangesOf } from './read-batches'
import { type RolloutFilter, rolloutMatches, wholeGroups } from './rollout-filter'
import { type Component, rolloutLine, type StoredRollout, statusOf } from './rollout-view'
import type { Runtime } from './runtime'

/** Rollouts and squares of one group that a page lists; larger groups say how many more there are. */
const LISTED = 400

export interface FilledRollout {
  row: StoredRollout
  /** place in its group, from 1 on */
  position: number
  /** its value on [0, 1], null when untrusted */
  fill: number | null
}

export interface ReadGroup {
  group: GroupRow
  rollouts: FilledRollout[]
  matching: FilledRollout[]
}

/** In the order given, each with those that match and all its rollouts; without these where a search found nothing in it. */
export async function readGroups(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  groups: readonly GroupRow[],
  filter: RolloutFilter,
): Promise<ReadGroup[]> {
  const numbers = groups.map((group) => group.number)
  const { db } = runtime.database
  const holding = filter.text === null ? null : await rolloutsWithText(db, runId, numbers, filter.text)
  // a group whose task is named holds nothing but matches
  const named = new Set(groups.filter((group) => isNamed(catalog, filter, group)).map((group) => group.number))
  // of a search only what it found is read
  const rows = await rolloutsOfGroups<Component>(
    db,
    runId,
    holding === null ? numbers : [...new Set([...holding.values(), ...named])],
  )
  const ranges = rows.length === 0 ? [] : await rangesOf(runtime, runId, catalog, groups)
  const byGroup = new Map<number, FilledRollout[]>()
  for (const row of rows) {
    const [low, high] = ranges[environmentOf(catalog, row.task)] ?? [0, 1]
    const fill = row.value === null ? null : Math.min(1, Math.max(0, (row.value - low) / (high - low)))
    const list = byGroup.get(row.group)
    if (list === undefined) byGroup.set(row.group, [{ row, position: 1, fill }])
    else list.push({ row, position: list.length + 1, fill })
  }
  return groups.map((group) => {
    const rollouts = byGroup.get(group.number) ?? []
    const matching = rollouts.filter(
      ({ row, fill }) =>
        rolloutMatches(filter, statusOf(row.status), fill) &&
        (holding === null || holding.has(row.seq) || named.has(row.group)),
    )
    return { group, rollouts, matching }
  })
}

function isNamed(catalog: Catalog, { text }: RolloutFilter, group: GroupRow): boolean {
  return text !== null && taskAt(catalog, group.task).key.toLowerCase().includes(text.toLowerCase())
}

/** Whether a page shows the group: it holds a match, or all groups are asked for. */
export const isShown = (read: ReadGroup, filter: RolloutFilter) => read.matching.length > 0 || wholeGroups(filter)

export async function groupViews(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  read: readonly ReadGroup[],
): Promise<RolloutGroup[]> {
  const groups = read.map(({ group }) => group)
  const leases = groups.flatMap((group) => (group.lease === null || group.late ? [] : [group.lease]))
  const sizes = new Map(
    (await leasesByNumber(runtime.database.db, runId, leases)).map((lease) => [lease.number, lease.groupSize]),
  )
  const released = await releasedAmong(runtime, runId, groups)
  return read.map(({ group, rollouts, matching }) => {
    const size = group.late ? group.returned : (sizes.get(group.lease ?? -1) ?? group.returned)
    const squares = rollouts.slice(0, LISTED).map(({ row, fill }) => ({ id: row.id, value: fill }))
    return {
      id: groupId(group.number),
      number: group.number,
      task: taskAt(catalog, group.task),
      policyVersion: group.policyVersion,
      batch: group.batch,
      slot: group.slot === null ? null : slotOf(group.slot),
      late: group.late,
      superseded: group.superseded,
      predictedVariance: group.predictedVariance,
      result: resultView(group, rollouts.length > LISTED ? squares.length : size, squares, released),
      rollouts: matching.slice(0, LISTED).map(({ row, position, fill }) => rolloutLine(row, position, fill)),
      hidden: Math.max(0, matching.length - LISTED),
    }
  })
}
