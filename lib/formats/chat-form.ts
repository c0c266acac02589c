/**
 * Messages brought to the OpenAI chat form: calls that lie flat or as JSON texts get their `function`, token arrays that trainers put
 * beside a text go. Must never know: who wrote the file.
 */
import type { Message } from './chat'
import { asList, asRow } from './untyped'

/** per-token data, useless to a reader and far longer than the text */
const TOKEN_DATA = /token_ids$|^logprobs$|log_probs$|^routed_experts$|^encrypted_content$/

export function inChatForm(message: Message): Message {
  const calls = asList(message.tool_calls)
  const kept = Object.fromEntries(Object.entries(message).filter(([key]) => !TOKEN_DATA.test(key)))
  return { ...kept, role: message.role, ...(calls === null ? {} : { tool_calls: calls.map(callForm) }) }
}

function callForm(call: unknown): unknown {
  const row = asRow(typeof call === 'string' ? parsed(call) : call)
  if (row === null || asRow(row.function) !== null || typeof row.name !== 'string') return row ?? call
  const { name, arguments: given, id, type: _type, ...rest } = row
  return { ...rest, id, type: 'function', function: { name, arguments: given } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
