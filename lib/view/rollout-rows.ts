/* Owns the rows of the list: a head for each group, its rollouts, and a word for those not listed. Pure. */
import type { RolloutGroup, RolloutLine } from '@/lib/contract/rollout-group'
import { formatCount, formatFixed } from './format'
import { stageWords } from './stage-words'

export type RolloutListRow =
  | { kind: 'group'; key: string; group: RolloutGroup }
  | { kind: 'rollout'; key: string; group: RolloutGroup; line: RolloutLine }
  | { kind: 'hidden'; key: string; group: RolloutGroup }
  /** groups of one batch, one after the other, of which nothing is back */
  | { kind: 'out'; key: string; groups: RolloutGroup[] }

/** More groups than this that are wholly out stand in one row. */
const SINGLE = 2

/** Of what a restore left behind nothing is waited for. */
const whollyOut = ({ result, superseded }: RolloutGroup) => result.state === 'out' && !superseded

export function rolloutRows(groups: readonly RolloutGroup[]): RolloutListRow[] {
  const rows: RolloutListRow[] = []
  for (let at = 0; at < groups.length; ) {
    const group = groups[at]
    if (group === undefined) break
    const after = groups.findIndex((other, place) => place >= at && !(whollyOut(other) && other.batch === group.batch))
    const out = groups.slice(at, after === -1 ? undefined : after)
    if (out.length > SINGLE) rows.push({ kind: 'out', key: `${group.id}-out`, groups: out })
    else rows.push(...(out.length > 0 ? out : [group]).flatMap(rowsOf))
    at += Math.max(1, out.length)
  }
  return rows
}

function rowsOf(group: RolloutGroup): RolloutListRow[] {
  return [
    { kind: 'group', key: group.id, group },
    ...group.rollouts.map((line): RolloutListRow => ({ kind: 'rollout', key: line.ref, group, line })),
    ...(group.hidden > 0 ? [{ kind: 'hidden' as const, key: `${group.id}-hidden`, group }] : []),
  ]
}

/** "21 groups of batch 13 are still out, 168 rollouts." */
export function outSentence(groups: readonly RolloutGroup[]): string {
  const rollouts = groups.reduce((sum, { result }) => sum + result.size, 0)
  const batch = groups[0]?.batch ?? null
  const where = batch === null ? '' : ` of batch ${formatFixed(batch, 0)}`
  return `${formatCount(groups.length, 'group')}${where} still out, ${formatCount(rollouts, 'rollout')}`
}

/** What a group's head says on its right: how many are out, or why nothing is. */
export function groupNote({ result, late, superseded, rollouts, hidden }: RolloutGroup): string {
  if (superseded) return 'superseded'
  const out = result.squares.filter(({ state }) => state === 'out').length
  if (out > 0) return `${formatFixed(out, 0)} still out`
  if (result.returned === 0) return result.state === 'released' ? 'given back' : 'lease expired'
  const matching = rollouts.length + hidden
  if (matching < result.returned) return `${formatFixed(matching, 0)} of ${formatFixed(result.returned, 0)} match`
  if (late) return 'late'
  return result.stages === null ? '' : stageWords(result.stages)
}

/** "35 of 33 096", or what is known of it while a search for text goes on. */
export function foundWords(list: {
  total: number | null
  of: number
  shown: number
  searched: number
  done: boolean
}): string {
  const { total, of, shown, searched, done } = list
  if (total !== null)
    return total === of ? formatCount(of, 'rollout') : `${formatFixed(total, 0)} of ${formatFixed(of, 0)}`
  if (done) return `${formatFixed(shown, 0)} of ${formatFixed(of, 0)}`
  if (searched >= of) return `at least ${formatFixed(shown, 0)} of ${formatFixed(of, 0)}`
  return `${formatFixed(shown, 0)} in the newest ${formatFixed(searched, 0)}`
}

/** The rollout before or after another in the list, by its server id; the first where it is not in it. */
export function stepInList(rows: readonly RolloutListRow[], from: string | null, by: 1 | -1): string | null {
  const refs = rows.flatMap((row) => (row.kind === 'rollout' ? [row.key] : []))
  const at = from === null ? -1 : refs.indexOf(from)
  if (at === -1) return refs[0] ?? null
  return refs[Math.min(refs.length - 1, Math.max(0, at + by))] ?? null
}
