/**
 * Chat messages as files hold them: kept whole, and read for the tools that the policy called.
 * Owns: the ways a call is written: OpenAI (`function` with arguments as text), flat {name, arguments}, each call a JSON text,
 * content blocks of type tool_use, and Responses items (function_call, mcp_call).
 * Invariant: what a user, a judge or a verifier calls is no tool of the policy.
 */
import type { RolloutInput } from '@/lib/contract/rollout'
import { asList, asRow, asText, type Row } from './untyped'

export type Message = NonNullable<RolloutInput['messages']>[number]

export interface Call {
  name: string
  /** names of its arguments, as far as they can be read */
  parameters: string[]
}

/** A list of messages, those without a role left out; a text is one message of `role`. */
export function messagesOf(value: unknown, role = 'user'): Message[] {
  const text = asText(value)
  if (text !== null) return [{ role, content: text }]
  return (asList(value) ?? []).flatMap((item) => messageOf(item) ?? [])
}

export function messageOf(value: unknown): Message | null {
  const row = asRow(value)
  const role = asText(row?.role)
  return row === null || role === null ? null : { ...row, role }
}

/** Calls of the policy, in order: those in assistant messages whose requestor is not the user. */
export function calledTools(messages: readonly Row[]): Call[] {
  return messages.flatMap((message) => {
    if (message.role !== undefined && message.role !== 'assistant') return []
    if (message.type === 'function_call' || message.type === 'mcp_call') return callOf(message) ?? []
    const blocks = (asList(message.content) ?? []).filter((part) => asRow(part)?.type === 'tool_use')
    const old = message.function_call === undefined || message.function_call === null ? [] : [message.function_call]
    return [...(asList(message.tool_calls) ?? []), ...old, ...blocks].flatMap((call) => callOf(call) ?? [])
  })
}

function callOf(value: unknown): Call | null {
  const row = asRow(typeof value === 'string' ? parsed(value) : value)
  if (row === null || row.requestor === 'user') return null
  const inner = asRow(row.function) ?? row
  const name = asText(inner.name)
  return name === null ? null : { name, parameters: argumentNames(inner.arguments ?? inner.input) }
}

function argumentNames(value: unknown): string[] {
  return Object.keys(asRow(typeof value === 'string' ? parsed(value) : value) ?? {})
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
