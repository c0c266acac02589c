/**
 * The state of an environment and the sentence that says why. Pure.
 * Owns: the order of what is said: a pause, then the worst alarm that holds, then where it stands. Must never know: alarm rules.
 */
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { Ring } from './alarms/ring'
import { percent } from './alarms/ring'

const SOLVED = 0.9
const SATURATING = 0.8

const STATE_OF: Partial<Record<Ring['kind'], EnvironmentRow['state']>> = {
  contract: 'contract',
  starved: 'starved',
  forgetting: 'forgetting',
  failures: 'failing',
  noisy_verifier: 'noisy_verifier',
  self_lock: 'self_lock',
  drift: 'drifts',
}

/** `rings`: of this environment, worst first. */
export function stateOf(row: EnvironmentRow, rings: readonly Ring[]): Pick<EnvironmentRow, 'state' | 'sentence'> {
  if (row.paused !== null) {
    const left = row.paused.batchesLeft
    return {
      state: 'paused',
      sentence: `Paused (${row.paused.mode})${left === null ? ' until resumed' : `, ${Math.ceil(left)} batches left`}.`,
    }
  }
  const worst = rings.find((ring) => STATE_OF[ring.kind] !== undefined)
  const alarmed = worst === undefined ? undefined : STATE_OF[worst.kind]
  if (worst !== undefined && alarmed !== undefined) return { state: alarmed, sentence: worst.sentence }
  if (row.seen === 0) return { state: 'unseen', sentence: null }
  if (row.quota.state === 'near' || row.quota.state === 'over')
    return { state: 'at_upper_quota', sentence: `At its upper quota of ${percent(row.quota.upper)}.` }
  if (row.ability >= SOLVED) return { state: 'nearly_solved', sentence: null }
  if (row.ability >= SATURATING) return { state: 'saturating', sentence: null }
  return { state: 'ok', sentence: null }
}
