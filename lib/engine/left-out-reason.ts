/**
 * One sentence for a task that was left out, and a second one with the smallest change that lets it in.
 * Owns: the words. Must never know: state. Names are passed in. Invariant: tells only what the entry holds.
 */
import type { Change, LeftOut } from './decision'

export interface LeftOutNames {
  environment: string
  /** the task it is like */
  like: string | null
  /** batches since it was picked, null = never */
  batchesSincePick: number | null
  /** picks its environment has in this batch */
  environmentPicks: number
}

const batches = (count: number) => (count === 1 ? '1 batch' : `${count} batches`)
const percent = (share: number) => `${Math.round(100 * share)} %`

const SETTING: Record<Exclude<Change['setting'], 'ban' | 'pause'>, string> = {
  exploitation: 'exploitation',
  coverage: 'coverage',
  similarity: 'penalty weight',
  recency: 'recency weight',
  headroom: 'headroom',
  uniform_share: 'uniform share',
  upper_quota: 'upper quota',
}

function cause(entry: Omit<LeftOut, 'sentence'>, names: LeftOutNames): string {
  switch (entry.rule) {
    case 'similarity':
      return `${(entry.similarity ?? 0).toFixed(2)} similar to ${names.like ?? 'a pick'}.`
    case 'upper_quota':
      return `${names.environment} is at its upper quota.`
    case 'lower_quota':
      return 'A lower quota took its place.'
    case 'recency':
      return names.batchesSincePick === null ? 'Picked lately.' : `Picked ${batches(names.batchesSincePick)} ago.`
    case 'banned':
      return 'Banned by hand.'
    case 'paused':
      return `${names.environment} is paused.`
    case 'leased':
      return 'Its last pick is still out.'
    case 'waiting':
      return 'Its last groups held no trusted rollout.'
    case 'concurrency':
      return `${names.environment} has as many picks out as it can run.`
    case 'environment_cap':
      return `${names.environment} has its most picks in this batch, ${names.environmentPicks}.`
    case 'score':
      return `Score ${Math.max(0, entry.margin).toFixed(3)} below the last pick.`
  }
}

function way(entry: Omit<LeftOut, 'sentence'>): string {
  const { change, rule, wait } = entry
  if (change !== null && change.now !== null && change.needed !== null) {
    if (change.setting === 'ban') return 'Enters when the ban is lifted.'
    if (change.setting === 'pause') return 'Enters when the pause ends.'
    const share = change.setting === 'uniform_share' || change.setting === 'upper_quota'
    const written = share ? percent : (value: number) => value.toFixed(2)
    const sign = change.needed > change.now ? '≥' : '≤'
    return `Enters at ${SETTING[change.setting]} ${sign} ${written(change.needed)}, now ${written(change.now)}.`
  }
  if (wait !== null) return `Free in ${batches(wait)}.`
  const settable =
    rule === 'score' || rule === 'similarity' || rule === 'recency' || rule === 'lower_quota' || rule === 'upper_quota'
  return settable ? 'No single change found.' : ''
}

export function leftOutReason(entry: Omit<LeftOut, 'sentence'>, names: LeftOutNames): string {
  return `${cause(entry, names)} ${way(entry)}`.trimEnd()
}
