/**
 * The state of an environment and the sentence that says why. Pure.
 * Owns: the rules (starved, contract, drifts, …) and their order: the worst that holds is the state.
 */
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { GroupRow } from '@/lib/store/group'
import { judged, mean, meanOf } from './tally'

export const STARVED_BATCHES = 6
/** predicted and realised variance over this many groups at least before a drift is called one */
const DRIFT_GROUPS = 12
/** a difference that matters, and the standard errors it must lie from zero */
const DRIFT_SIZE = 0.06
const DRIFT_ERRORS = 3
const SOLVED = 0.9
const SATURATING = 0.8
const CONTRACT_GROUPS = 4

const percent = (share: number) => `${Math.round(share * 100)} %`

/** `groups`: all of the environment, oldest first; `batch`: the newest. */
export function stateOf(
  row: EnvironmentRow,
  groups: readonly GroupRow[],
  batch: number,
  /** whether any environment was picked of late: when none was, none of them starves the others */
  pickedLately: boolean,
): Pick<EnvironmentRow, 'state' | 'sentence'> {
  if (row.paused !== null) {
    const left = row.paused.batchesLeft
    return {
      state: 'paused',
      sentence: `Paused (${row.paused.mode})${left === null ? ' until resumed' : `, ${Math.ceil(left)} batches left`}.`,
    }
  }
  const done = groups.filter((group) => group.state === 'absorbed' && group.returned > 0)
  const broken = new Set(
    done.filter((group) => group.verifierErrors > 0 && group.trusted === 0).map((group) => group.task),
  ).size
  const since = row.batchesSincePick ?? batch
  if (pickedLately && batch >= STARVED_BATCHES && since >= STARVED_BATCHES) {
    const why = broken > 0 ? `: ${broken} of its ${row.tasks} tasks ended in verifier errors` : ''
    const quota = row.quota.lower > 0 ? ` although its lower quota is ${percent(row.quota.lower)}` : ''
    return { state: 'starved', sentence: `No picks for ${since} batches${quota}${why}.` }
  }
  const trusted = done.filter((group) => group.trusted > 0)
  const errors = done.filter((group) => group.errors > 0 || group.verifierErrors > 0).length
  if (trusted.length >= CONTRACT_GROUPS && trusted.every((group) => group.mean === 0) && errors * 2 >= done.length) {
    return {
      state: 'contract',
      sentence: `Its first ${trusted.length} groups are all zero and ${errors} of ${done.length} report errors: the contract may not match.`,
    }
  }
  const drift = driftSentence(groups)
  if (drift !== null) return { state: 'drifts', sentence: drift }
  if (row.seen === 0) return { state: 'unseen', sentence: null }
  if (row.quota.state === 'near' || row.quota.state === 'over')
    return { state: 'at_upper_quota', sentence: `At its upper quota of ${percent(row.quota.upper)}.` }
  if (row.ability >= SOLVED) return { state: 'nearly_solved', sentence: null }
  if (row.ability >= SATURATING) return { state: 'saturating', sentence: null }
  return { state: 'ok', sentence: null }
}

/** The newest judged groups, when predicted and realised variance are further apart than chance and than what matters. */
function driftSentence(groups: readonly GroupRow[]): string | null {
  const known = judged(groups).slice(-DRIFT_GROUPS * 3)
  const gaps = known.flatMap(({ predictedVariance, realisedVariance }) =>
    predictedVariance === null || realisedVariance === null ? [] : [predictedVariance - realisedVariance],
  )
  const gap = mean(gaps)
  if (gap === null || gaps.length < DRIFT_GROUPS || Math.abs(gap) <= DRIFT_SIZE) return null
  const squares = gaps.reduce((sum, one) => sum + (one - gap) ** 2, 0)
  const error = Math.sqrt(squares / (gaps.length - 1) / gaps.length)
  if (Math.abs(gap) <= DRIFT_ERRORS * error) return null
  const predicted = meanOf(known, (group) => group.predictedVariance) ?? 0
  const realised = meanOf(known, (group) => group.realisedVariance) ?? 0
  return `Predicted variance ${predicted.toFixed(3)}, realised ${realised.toFixed(3)} over ${gaps.length} groups.`
}
