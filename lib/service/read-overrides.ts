/**
 * Overrides as people read them: a sentence, before and after, how long they hold. Owns: the wording of a change.
 */

import type { OverridePoint } from '@/lib/contract/overview'
import type { Override } from '@/lib/contract/steering'
import type { WeightName } from '@/lib/engine/config'
import type { OverrideChange } from '@/lib/engine/log-entry'
import { listOverrides, type OverrideRow } from '@/lib/store/override'
import { type Catalog, environmentAt, taskAt } from './catalog'
import { environmentId, letterOf, overrideId, taskId } from './ids'
import { requireRun } from './open-run'
import { beside, onLine, spanOf } from './override-span'
import { restorePoints } from './restore/restore-points'
import type { Runtime } from './runtime'

export const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`

const BOUND = /^(lower|upper) (.+) %$/

/** "upper quota 100 to 8 %"; both bounds where both were changed: "lower quota 0 to 5 %, upper 100 to 8 %". */
function quotaSentence(before: string, after: string): string {
  const from = before.split(', ').map((part) => BOUND.exec(part))
  const to = after.split(', ').map((part) => BOUND.exec(part))
  const parts = to.map((match, i) => {
    const was = from[i]
    if (match === null || was === null || was === undefined || was[1] !== match[1]) return null
    return `${match[1]}${i === 0 ? ' quota' : ''} ${was[2]} to ${match[2]} %`
  })
  // Entries written before bounds were named apart.
  if (parts.length !== from.length || parts.includes(null)) return `quota ${before}, now ${after}`
  return parts.join(', ')
}

/** "coverage weight"; the similarity penalty and headroom are called by their own names. */
function weightName(name: WeightName): string {
  if (name === 'similarity') return 'similarity penalty'
  return name === 'headroom' ? name : `${name} weight`
}

/** What a change does, in a few words: "coverage weight 0.8 to 1.1", "TRV upper quota 17 to 20 %". `before` and `after` as `beforeAndAfter` words them. */
export function changeSentence(catalog: Catalog, change: OverrideChange, before: string, after: string): string {
  const codeOf = (environment: number) => environmentAt(catalog, environment).code
  switch (change.kind) {
    case 'weight':
      return `${weightName(change.name)} ${before} to ${after}`
    case 'uniform_share':
      return `uniform share ${before} to ${after}`
    case 'group_sizing':
      return `group sizes ${before} to ${after}`
    case 'quota':
      return `${codeOf(change.environment)} ${quotaSentence(before, after)}`
    case 'pause':
      return `${codeOf(change.environment)} paused, ${change.mode}`
    case 'resume':
      return `${codeOf(change.environment)} resumed`
    case 'pin':
      return `${taskAt(catalog, change.task).key} pinned`
    case 'ban':
      return `${taskAt(catalog, change.task).key} banned`
    case 'boost': {
      const name = change.task === null ? codeOf(change.environment ?? -1) : taskAt(catalog, change.task).key
      return `${name} boosted ${change.factor} times`
    }
    case 'lift':
      return `undo of ${letterOf(change.override)}`
  }
}

/** What a change sets, as drafts of the page name it: two with one name cannot stand side by side. */
function settingOf(change: OverrideChange): string {
  switch (change.kind) {
    case 'weight':
      return `weight:${change.name}`
    case 'uniform_share':
    case 'group_sizing':
      return change.kind
    case 'quota':
      return `quota:${environmentId(change.environment)}`
    case 'pause':
    case 'resume':
      return `pause:${environmentId(change.environment)}`
    case 'pin':
    case 'ban':
      return `task:${taskId(change.task)}`
    case 'boost':
      return `boost:${change.task === null ? environmentId(change.environment ?? -1) : taskId(change.task)}`
    case 'lift':
      return `lift:${overrideId(change.override)}`
  }
}

/** `rows`: all overrides of the run, oldest first; `left`: batches left by number, of those in force. */
export function overrideView(
  catalog: Catalog,
  row: OverrideRow<OverrideChange>,
  rows: readonly OverrideRow<OverrideChange>[],
  left: ReadonlyMap<number, number | null>,
): Override {
  const { change } = row
  // An undo is about what it undid.
  const lifted = change.kind === 'lift' ? rows.find(({ number }) => number === change.override) : undefined
  const about = lifted?.change ?? change
  const environment =
    'environment' in about && about.environment !== null ? environmentAt(catalog, about.environment) : null
  const task = 'task' in about && about.task !== null ? taskAt(catalog, about.task) : null
  const inForce = left.has(row.number)
  const { later, backTo } = beside(rows, row, (number) => left.has(number))
  return {
    id: overrideId(row.number),
    number: row.number,
    kind: change.kind,
    letter: letterOf(row.number),
    sentence: rowSentence(catalog, row),
    setting: settingOf(about),
    environment,
    task,
    from: row.fromBatch,
    batches: row.batches,
    until: spanOf(rows, row)?.until ?? null,
    batchesLeft: left.get(row.number) ?? null,
    inForce,
    superseded: row.superseded,
    before: row.before,
    after: row.after,
    author: row.author,
    note: row.note === '' ? null : row.note,
    at: new Date(row.at).toISOString(),
    undoneBy: row.undoneBy === null ? null : overrideId(row.undoneBy),
    undoes: row.lifts === null ? null : overrideId(row.lifts),
    laterBy: later === null ? null : namedOverride(catalog, later),
    backTo,
  }
}

/** The sentence of an entry; one that puts an undone change in force again says so. */
export function rowSentence(catalog: Catalog, row: OverrideRow<OverrideChange>): string {
  const sentence = changeSentence(catalog, row.change, row.before, row.after)
  return row.lifts === null || row.change.kind === 'lift'
    ? sentence
    : `${sentence} again, ${letterOf(row.lifts)} taken back`
}

export function namedOverride(
  catalog: Catalog,
  row: OverrideRow<OverrideChange>,
): { id: string; letter: string; sentence: string } {
  return { id: overrideId(row.number), letter: letterOf(row.number), sentence: rowSentence(catalog, row) }
}

/** Markers for time axes, oldest first, each with whether it held for a batch. */
export async function overridePoints(
  runtime: Runtime,
  runId: string,
  catalog: Catalog,
): Promise<(OverridePoint & { holds: (batch: number) => boolean })[]> {
  const rows = onLine(
    await listOverrides<OverrideChange>(runtime.database.db, runId),
    await restorePoints(runtime, await requireRun(runtime, runId)),
  )
  return rows.map((row) => {
    const span = spanOf(rows, row)
    return {
      ...namedOverride(catalog, row),
      batch: row.fromBatch,
      before: row.before,
      after: row.after,
      author: row.author,
      note: row.note === '' ? null : row.note,
      holds: (batch: number) => span !== null && batch >= span.from && batch < (span.until ?? Number.POSITIVE_INFINITY),
    }
  })
}
