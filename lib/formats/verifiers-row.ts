/**
 * A row of verifiers' results.jsonl, in all its ages: metrics in an object or flat beside the reward, prompt and completion as
 * messages or texts, calls as JSON texts. Invariant: a zero that no scoring gave is no reward.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { type Call, calledTools, type Message, messagesOf } from './chat'
import { inChatForm } from './chat-form'
import { errorStatus } from './error-status'
import { finitePart, type Part, rewardValue } from './reward-value'
import { textCalls } from './text-calls'
import { asCount, asList, asNumber, asRow, asText, type Row } from './untyped'

const OWN = new Set([
  'id',
  'example_id',
  'reward',
  'answer',
  'task',
  'is_completed',
  'is_truncated',
  'num_input_tokens',
])
/** what is counted or timed, not judged */
const COUNTED = /_ms$|_calls$|^num_|_tokens$|^generation_|^scoring_|^rollout_/

export function partsOfRow(row: Row): Part[] | null {
  const metrics = asRow(row.metrics)
  const source = metrics ?? row
  const parts = Object.entries(source).flatMap(([name, value]): Part[] => {
    const judged = typeof value === 'number' || (metrics !== null && value === null)
    if (!judged || COUNTED.test(name) || (metrics === null && OWN.has(name))) return []
    return [{ name, value: finitePart(rewardValue(value)) }]
  })
  return parts.length === 0 ? null : parts
}

export function standingOf(row: Row): { status: RolloutStatus; error: string | null } {
  const error = errorOf(row.error)
  if (error !== null) {
    const status = errorStatus(error)
    // whatever stopped the rollout, its reward was not given for what the policy did
    return { status: status === 'ok' || status === 'truncated' ? 'infra_error' : status, error }
  }
  if (wasNotRun(row))
    return { status: 'infra_error', error: 'The file holds no completion and no time for this rollout.' }
  const stop = asText(row.stop_condition)
  const ended = row.is_truncated === true || (stop !== null && errorStatus(stop) === 'truncated')
  return ended ? { status: 'truncated', error: stop } : { status: 'ok', error: null }
}

function errorOf(value: unknown): string | null {
  const row = asRow(value)
  if (row === null) return asText(value)
  const parts = ['error', 'type', 'error_chain_repr', 'message', 'error_chain_str'].flatMap(
    (name) => asText(row[name]) ?? [],
  )
  return parts.length > 0 ? parts.join(': ') : 'The file tells an error without a word.'
}

function wasNotRun(row: Row): boolean {
  const reward = rewardValue(row.reward)
  const empty = asList(row.completion)?.length === 0 || row.completion === '' || row.completion === null
  if (!empty || (reward !== null && reward !== 0)) return false
  return asList(row.completion) !== null || (milliseconds(row) ?? 0) === 0
}

export function conversationOf(row: Row): { messages: Message[]; calls: Call[]; turns: number } {
  const prompt = messagesOf(row.prompt).map(inChatForm)
  const completion = messagesOf(row.completion, 'assistant').map(inChatForm)
  const text = asText(row.completion)
  return {
    messages: [...prompt, ...completion],
    // what the prompt shows as an example was not called
    calls: text === null ? calledTools(completion) : textCalls(text),
    turns: completion.filter(({ role }) => role === 'assistant').length,
  }
}

export function tokensOf(row: Row): number | null {
  const usage = asRow(row.token_usage)
  return asCount(usage?.output_tokens) ?? asCount(usage?.completion_tokens)
}

export function secondsOf(row: Row): number | null {
  const total = milliseconds(row)
  return total === null || total === 0 ? null : total / 1000
}

function milliseconds(row: Row): number | null {
  const timing = asRow(row.timing)
  return (
    asNumber(timing?.total_ms) ??
    asNumber(row.total_ms) ??
    asNumber(timing?.generation_ms) ??
    asNumber(row.generation_ms)
  )
}
