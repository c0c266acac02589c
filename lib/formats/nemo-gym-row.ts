/** What a row of NeMo-Gym tells of the answer and how it ended. Invariant: a failed or masked row keeps no reward. */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { type Call, calledTools, type Message } from './chat'
import { inChatForm } from './chat-form'
import { responsesMessages } from './responses-items'
import { asCount, asRow, asText, type Row } from './untyped'

interface Answer {
  model: string | null
  messages: Message[]
  calls: Call[]
  turns: number | null
  tokens: number | null
}

export function answerOf(row: Row): Answer {
  const response = asRow(row.response)
  const messages = responsesMessages(response?.output).map(inChatForm)
  const turns = messages.filter(({ role }) => role === 'assistant').length
  return {
    model: asText(response?.model),
    messages,
    calls: calledTools(messages),
    turns: response === null ? null : turns,
    tokens: asCount(asRow(response?.usage)?.total_tokens),
  }
}

export function standingOf(row: Row): { status: RolloutStatus; error: string | null } {
  const failure = asText(row._ng_failure_class)
  if (failure !== null) {
    const more = Object.entries(row).flatMap(([key, value]) =>
      /error|_ng_failure_(?!class|terminal)/.test(key) ? (asText(value) ?? []) : [],
    )
    const status = /judge|verif|grad/i.test(failure) ? 'verifier_error' : 'infra_error'
    return { status, error: [failure, ...more].join(': ') }
  }
  // masked rows carry a reward of 0 that nobody gave
  if (row.mask_sample === true) {
    const why = [row.failure_kind, row.failure_reason].flatMap((part) => asText(part) ?? [])
    return { status: 'verifier_error', error: why.length === 0 ? 'The sample is masked.' : why.join(': ') }
  }
  const response = asRow(row.response)
  const error = asText(response?.error) ?? asText(asRow(response?.error)?.message)
  if (error !== null) return { status: 'infra_error', error }
  const incomplete = asText(asRow(response?.incomplete_details)?.reason)
  const cut = incomplete !== null || row.truncated === true
  return cut ? { status: 'truncated', error: incomplete } : { status: 'ok', error: null }
}
