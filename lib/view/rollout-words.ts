/* Owns the small sentences of a rollout: why it is not counted, what it cost, what failed alike. */
import type { RolloutDetail } from '@/lib/contract/rollout-group'
import { formatCount, formatFixed } from './format'

/** Why its reward is out of the statistics, or what is to be known of it though it counts; null for nothing. */
export function countedSentence({ distrust, status, in: group }: RolloutDetail): string | null {
  const rest = group.result.trusted
  const goesOn =
    rest === 0 ? 'no rollout of its group counts' : `the group goes on with ${formatCount(rest, 'rollout')}`
  switch (distrust) {
    case null:
      return status === 'truncated' ? 'It was cut off before its end. Its reward counts.' : null
    case 'status':
      return `Not counted. It is neither a failure nor a 0; ${goesOn}.`
    case 'reward_missing':
      return `Not counted: no reward was reported. Missing is never 0; ${goesOn}.`
    case 'reward_invalid':
      return `Not counted: what was reported is no finite number; ${goesOn}.`
    case 'out_of_range':
      return `Not counted: its reward or outcome lies outside the declared range; ${goesOn}.`
  }
}

/** "12 turns, 6 300 tokens, 14.9 s": what was reported of it. */
export function costWords({ turns, tokens, seconds }: Pick<RolloutDetail, 'turns' | 'tokens' | 'seconds'>): string {
  const parts = [
    turns === null ? null : formatCount(turns, 'turn'),
    tokens === null ? null : formatCount(tokens, 'token'),
    seconds === null ? null : `${formatFixed(seconds, 1)}\u00a0s`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'No turns, tokens or seconds were reported' : parts.join(', ')
}

/** "The same error: 5 times in AIR in the last 10 batches, all from worker-06." */
export function alikeSentence({ alike, task, worker }: RolloutDetail): string | null {
  if (alike === null || alike.batches === 0) return null
  const where = `in ${task.environment.code} in the last ${formatCount(alike.batches, 'batch', 'batches')}`
  if (alike.count <= 1) return `No other rollout ${where} has this error.`
  const from = alike.workers.length === 1 && worker !== null ? `, all from ${alike.workers[0] ?? ''}` : ''
  return `The same error: ${formatFixed(alike.count, 0)} times ${where}${from}.`
}

/** First line of an error, for its head; the rest is shown below when there is any. */
export function errorHead(error: string): { head: string; more: boolean } {
  const line = (error.split('\n', 1)[0] ?? '').trim()
  const head = line.length > 160 ? `${line.slice(0, 160)}…` : line
  return { head: head === '' ? 'An error without words' : head, more: error.trim() !== line || line.length > 160 }
}
