/**
 * Which rollouts enter the statistics, and with what value. decided.md 4.
 * Owns: the rule. Invariant: a reward that is null, missing, no number or outside a declared range is never 0 and never
 * clipped: the rollout is kept, untrusted, with its reason.
 */
import { MOST_REWARD } from '@/lib/contract/bounds'
import type { Distrust, RolloutInput } from '@/lib/contract/rollout'

interface Judged {
  reward: number | null
  outcome: number | null
  /** what enters the statistics, on the reward's scale; null when untrusted */
  value: number | null
  distrust: Distrust | null
}

/** `declared` null: no range was declared, so any finite reward may be. `range` is the one in force. */
export function judgeReward(
  rollout: RolloutInput,
  declared: readonly [number, number] | null,
  range: readonly [number, number],
): Judged {
  const reward = numberIn(rollout.reward)
  const outcome = numberIn(rollout.outcome)
  const kept = { reward: finite(reward), outcome: finite(outcome) }
  const distrusted = (distrust: Distrust): Judged => ({ ...kept, value: null, distrust })
  if (rollout.status !== 'ok' && rollout.status !== 'truncated') return distrusted('status')
  if (reward === null) return distrusted('reward_missing')
  if (kept.reward === null || Math.abs(kept.reward) > MOST_REWARD) return distrusted('reward_invalid')
  if (declared !== null && (kept.reward < declared[0] || kept.reward > declared[1])) return distrusted('out_of_range')
  if (outcome === null) return { ...kept, value: kept.reward, distrust: null }
  if (kept.outcome === null) return distrusted('reward_invalid')
  if (kept.outcome < 0 || kept.outcome > 1) return distrusted('out_of_range')
  return { ...kept, value: range[0] + kept.outcome * (range[1] - range[0]), distrust: null }
}

/** null = not given; NaN = given, but no number. Booleans are 0 and 1; strings are numbers written out, or NaN. */
function numberIn(value: RolloutInput['reward']): number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value.trim() === '' ? Number.NaN : Number(value)
  return Number(value)
}

const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null)
