/**
 * The overview: is it learning, is the scheduler earning its keep. Pure over a run's history.
 * Owns: which slots a number is measured on. Invariant: chosen and whole-set reward never mix; the whole set is measured
 * on the uniform slots, never estimated.
 */
import type { Overview } from '@/lib/contract/overview'
import type { BatchRow } from '@/lib/store/batch'
import type { GroupRow } from '@/lib/store/group'
import { judgedSize } from './batch-record'
import { type Catalog, environmentOf } from './catalog'
import { groupsByBatch, type RunHistory, recentGroups } from './run-history'
import { RECENT } from './run-summary'
import { shownSteps } from './shown-steps'
import { addCounts, informativeShare, meanInterval, meanOf, rewardsDiffer, shareInterval } from './tally'

/** The first batches, against which learning is judged. */
const FIRST = 5

const chosenSlots = (groups: readonly GroupRow[]) => groups.filter((group) => group.slot !== 'uniform')
const uniformSlots = (groups: readonly GroupRow[]) => groups.filter((group) => group.slot === 'uniform')

export function overviewSeries(history: RunHistory): Overview['series'] {
  const byBatch = groupsByBatch(history)
  const groupsOf = (batches: readonly BatchRow[]) => batches.flatMap((batch) => byBatch.get(batch.index) ?? [])
  return shownSteps(history.batches.length).flatMap((position) => {
    const batch = history.batches[position]
    if (batch === undefined) return []
    const window = groupsOf(history.batches.slice(Math.max(0, position - RECENT + 1), position + 1))
    const uniform = shareInterval(uniformSlots(window))
    const here = byBatch.get(batch.index) ?? []
    const point = {
      batch: batch.index,
      policyVersion: batch.policyVersion,
      // a few groups of a batch say little of it, and would draw a fall that is none
      informativeShare: here.some((group) => group.state === 'open') ? null : informativeShare(chosenSlots(here)),
      informativeMean: informativeShare(chosenSlots(window)),
      uniformMean: uniform?.value ?? null,
      uniformLow: uniform?.low ?? null,
      uniformHigh: uniform?.high ?? null,
      rewardChosen: meanOf(chosenSlots(here), (group) => group.mean),
      rewardWhole: meanOf(uniformSlots(window), (group) => group.mean),
    }
    return [point]
  })
}

/** Groups that were asked for in the last batches, without late ones. */
export function recentlyAsked(history: RunHistory): GroupRow[] {
  return recentGroups(history, RECENT).filter((group) => !group.late)
}

/** Mean reward; of a group that is not absorbed yet on the raw scale, from its sums. */
const rawMean = (group: GroupRow) => group.mean ?? group.sum / group.trusted

/** `released`: leases that were given back before anything came of them. */
export function yieldOf(history: RunHistory, released: ReadonlySet<number>): Overview['yield'] {
  const batches = history.batches.slice(-RECENT)
  const newest = batches.at(-1)
  const groups = recentlyAsked(history)
  const returned = groups.filter((group) => group.state !== 'open' && group.returned > 0)
  const empty = groups.filter((group) => group.state !== 'open' && group.returned === 0)
  const trusted = returned.filter((group) => group.trusted > 0)
  const statuses: Record<string, number> = {}
  for (const group of groups) addCounts(statuses, group.statuses)
  delete statuses.ok
  const equal = trusted.filter((group) => rewardsDiffer(group) === false)
  const allSolved = equal.filter((group) => rawMean(group) === 1).length
  const allFailed = equal.filter((group) => rawMean(group) === 0).length
  return {
    batches: batches.length,
    groupSize: newest === undefined ? null : judgedSize(newest),
    stages: newest?.record.stages === undefined ? null : [...newest.record.stages],
    asked: groups.length,
    returned: returned.length,
    trusted: trusted.length,
    informative: trusted.filter((group) => rewardsDiffer(group) === true).length,
    allSolved,
    allFailed,
    allEqual: equal.length - allSolved - allFailed,
    single: trusted.filter((group) => rewardsDiffer(group) === null).length,
    expired: empty.filter((group) => !released.has(group.lease ?? -1)).length,
    released: empty.filter((group) => released.has(group.lease ?? -1)).length,
    untrusted: groups.reduce((sum, group) => sum + group.untrusted, 0),
    statuses,
  }
}

/** Environments, tasks and patterns with a trusted group, as they grew; one value a point of the series. `inherited`: tasks observed in the run that this one's history came from. */
export function coverageOf(history: RunHistory, catalog: Catalog, inherited: readonly number[]): Overview['coverage'] {
  const byBatch = groupsByBatch(history)
  const seen = { environments: new Set<number>(), tasks: new Set<number>(), patterns: new Set<number>() }
  const series = { environments: [] as number[], tasks: [] as number[], patterns: [] as number[] }
  const see = (task: number) => {
    seen.tasks.add(task)
    seen.environments.add(environmentOf(catalog, task))
    seen.patterns.add(catalog.pattern[task] ?? -1)
  }
  const look = (groups: readonly GroupRow[]) => {
    for (const group of groups) if (group.trusted > 0) see(group.task)
  }
  for (const task of inherited) see(task)
  const shown = new Set(shownSteps(history.batches.length))
  let before: number | null = null
  for (const [position, batch] of history.batches.entries()) {
    if (position === history.batches.length - RECENT) before = seen.tasks.size
    look(byBatch.get(batch.index) ?? [])
    if (!shown.has(position)) continue
    for (const kind of ['environments', 'tasks', 'patterns'] as const) series[kind].push(seen[kind].size)
  }
  const now = seen.tasks.size
  look([...history.groups.values()].filter((group) => group.batch === null))
  const of = (kind: keyof typeof seen, all: number) => ({ seen: seen[kind].size, all, series: series[kind] })
  return {
    environments: of('environments', catalog.environments.length),
    tasks: of('tasks', catalog.tasks.length),
    patterns: of('patterns', catalog.patternNames.length),
    newTasks: before === null ? null : now - before,
  }
}

export function headline(
  history: RunHistory,
): Pick<Overview, 'chosen' | 'uniform' | 'rewardChosen' | 'rewardWhole' | 'rewardWholeFirst'> {
  const byBatch = groupsByBatch(history)
  const groupsOf = (batches: readonly BatchRow[]) => batches.flatMap((batch) => byBatch.get(batch.index) ?? [])
  const recent =
    history.batches.length > 0
      ? groupsOf(history.batches.slice(-RECENT))
      : [...history.groups.values()].slice(-RECENT * 64)
  const first = groupsOf(history.batches.slice(0, FIRST))
  return {
    chosen: shareInterval(chosenSlots(recent)),
    uniform: shareInterval(uniformSlots(recent)),
    rewardChosen: meanInterval(chosenSlots(recent)),
    rewardWhole: meanInterval(uniformSlots(recent)),
    rewardWholeFirst: meanOf(uniformSlots(first), (group) => group.mean),
  }
}
