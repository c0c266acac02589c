/**
 * The list of the Rollouts page: groups, newest first, with the rollouts that match.
 * Owns: how far one call looks. Invariant: groups are chosen by their sums in memory and only those of the page are read; a
 * search for text goes on where the page before stopped, and never holds the process for long.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { RolloutGroupQuery, RolloutGroups } from '@/lib/contract/rollout-group'
import type { GroupRow } from '@/lib/store/group'
import { findRollout } from '@/lib/store/rollout'
import type { Catalog } from './catalog'
import { requireRun } from './open-run'
import { countIn, filterOf, mayHold, type RolloutFilter } from './rollout-filter'
import { groupViews, isShown, type ReadGroup, readGroups } from './rollouts-in-groups'
import { everyGroup, groupOf, historyOf, type RunHistory } from './run-history'
import type { Runtime } from './runtime'

/** Milliseconds that a page may look for text, most groups looked through at a time, rollouts on a page. */
const LOOK_MS = 300
const AT_MOST_ONCE = 200
const MOST_ROLLOUTS = 800
/** Groups that are read to count what their sums do not tell, such as those not absorbed yet. */
const COUNTED = 200

export async function readRolloutGroups(
  runtime: Runtime,
  runId: string,
  query: RolloutGroupQuery,
): Promise<RolloutGroups> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const filter = filterOf(catalog, query)
  const newest = newestOf(history)
  const cursor = Math.min(query.cursor ?? newest + 1, newest + 1)
  // an id names one rollout: the search begins there
  const named = filter.text === null ? null : await groupOfId(runtime, runId, filter.text)
  const walk = new Walk(catalog, filter, history, Math.min(cursor, named === null ? cursor : named + 1))
  const { read, searched } = await lookThrough(runtime, runId, walk, query.limit)
  const next = walk.next()
  return {
    items: await groupViews(runtime, runId, catalog, read),
    next: next === null ? null : String(next),
    total: await totalOf(runtime, runId, catalog, filter, history),
    of: run.rolloutCount,
    newer: newerThan(catalog, filter, history, cursor),
    searched,
  }
}

/** Groups to show, `limit` at most, fewer where the time or the rollouts of a page are used up. */
async function lookThrough(
  runtime: Runtime,
  runId: string,
  walk: Walk,
  limit: number,
): Promise<{ read: ReadGroup[]; searched: number }> {
  const { catalog, filter } = walk
  const read: ReadGroup[] = []
  let searched = 0
  let listed = 0
  // few at first, since many words are everywhere
  let atOnce = limit
  const full = () => read.length >= limit || listed >= MOST_ROLLOUTS
  const until = performance.now() + LOOK_MS
  while (!full() && performance.now() < until) {
    const slice = walk.take(filter.text === null ? limit - read.length : atOnce)
    if (slice.length === 0) break
    for (const found of await readGroups(runtime, runId, catalog, slice, filter)) {
      if (full()) {
        walk.back(found.group.number)
        break
      }
      searched += found.group.returned
      if (!isShown(found, filter)) continue
      read.push(found)
      listed += found.matching.length
    }
    atOnce = Math.min(AT_MOST_ONCE, atOnce * 2)
    await pause()
  }
  return { read, searched }
}

/** Groups that may hold matches, from a number downwards. */
class Walk {
  constructor(
    readonly catalog: Catalog,
    readonly filter: RolloutFilter,
    private readonly history: RunHistory,
    /** groups below this number are left */
    private below: number,
  ) {}

  take(count: number): GroupRow[] {
    const taken: GroupRow[] = []
    while (taken.length < count) {
      const group = this.following()
      if (group === null) break
      this.below = group.number
      taken.push(group)
    }
    return taken
  }

  /** The group of that number was not looked at after all. */
  back(number: number): void {
    this.below = number + 1
  }

  /** Cursor of the next page, null when nothing is left. */
  next(): number | null {
    const group = this.following()
    return group === null ? null : group.number + 1
  }

  private following(): GroupRow | null {
    for (let number = this.below - 1; number >= 1; number -= 1) {
      const group = groupOf(this.history, number)
      if (group !== undefined && mayHold(this.catalog, this.filter, group)) return group
    }
    return null
  }
}

/** Numbers count from 1 without gaps, since each group takes the next one. */
const newestOf = (history: RunHistory) => history.groups.size + history.superseded.groups.size

async function groupOfId(runtime: Runtime, runId: string, text: string): Promise<number | null> {
  return (await findRollout(runtime.database.db, runId, { id: text }))?.group ?? null
}

/** null where more groups than a few would have to be read. */
async function totalOf(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
  filter: RolloutFilter,
  history: RunHistory,
): Promise<number | null> {
  if (filter.text !== null) return null
  let total = 0
  const unknown: GroupRow[] = []
  for (const group of everyGroup(history)) {
    if (!mayHold(catalog, filter, group)) continue
    const count = countIn(catalog, filter, group)
    if (count !== null) total += count
    else if (unknown.push(group) > COUNTED) return null
  }
  const read = await readGroups(runtime, runId, catalog, unknown, filter)
  return read.reduce((sum, { matching }) => sum + matching.length, total)
}

function newerThan(catalog: Catalog, filter: RolloutFilter, history: RunHistory, cursor: number): number {
  let newer = 0
  for (let number = newestOf(history); number >= cursor; number -= 1) {
    const group = groupOf(history, number)
    if (group !== undefined && mayHold(catalog, filter, group)) newer += 1
  }
  return newer
}
