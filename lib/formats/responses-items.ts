/**
 * Items of the OpenAI Responses API as chat messages: texts, reasoning, calls and their outputs. Owns: which items are one message
 * of the model (its reasoning, its text and its calls up to the next output).
 */
import type { Message } from './chat'
import { contentText } from './prompt-key'
import { asKey, asList, asRow, asText, type Row } from './untyped'

/** `input` of a request, a text or items, or `output` of its answer. */
export function responsesMessages(items: unknown): Message[] {
  const text = asText(items)
  if (text !== null) return [{ role: 'user', content: text }]
  const messages: Message[] = []
  for (const item of asList(items) ?? []) {
    const row = asRow(item)
    if (row !== null) addItem(messages, row)
  }
  return messages
}

function addItem(messages: Message[], item: Row): void {
  switch (asText(item.type) ?? 'message') {
    case 'function_call_output':
    case 'mcp_call_output':
      messages.push(outputOf(asKey(item.call_id), item.output))
      return
    case 'function_call':
    case 'mcp_call':
    case 'custom_tool_call':
      addCall(messages, item)
      return
    case 'reasoning':
      addReasoning(messages, item)
      return
    default:
      addText(messages, item)
  }
}

function addCall(messages: Message[], item: Row): void {
  const id = asKey(item.call_id) ?? asKey(item.id)
  const call = { id, type: 'function', function: { name: item.name, arguments: item.arguments ?? item.input } }
  const last = messages.at(-1)
  const own = last?.role === 'assistant' ? last : begun(messages)
  own.tool_calls = [...(asList(own.tool_calls) ?? []), call]
  // a call over MCP holds its output itself
  if (item.output !== undefined && item.output !== null) messages.push(outputOf(id, item.output))
}

/** Opens the model's next message, though what it thought is often kept back. */
function addReasoning(messages: Message[], item: Row): void {
  const own = waiting(messages) ?? begun(messages)
  const thought = contentText(item.summary) ?? contentText(item.content)
  if (thought !== null) own.reasoning_content = thought
}

function addText(messages: Message[], item: Row): void {
  const role = asText(item.role)
  if (role === null) return
  const content = asList(item.content) === null ? item.content : (contentText(item.content) ?? '')
  if (role === 'assistant') (waiting(messages) ?? begun(messages)).content = content
  else messages.push({ role: role === 'developer' ? 'system' : role, content })
}

/** The model's last message where it still waits for its text or its calls. */
function waiting(messages: readonly Message[]): Message | null {
  const last = messages.at(-1)
  if (last === undefined || last.role !== 'assistant') return null
  return last.content === null && last.tool_calls === undefined ? last : null
}

function begun(messages: Message[]): Message {
  const own: Message = { role: 'assistant', content: null }
  messages.push(own)
  return own
}

function outputOf(id: string | null, output: unknown): Message {
  const content = typeof output === 'string' ? output : (contentText(output) ?? JSON.stringify(output ?? ''))
  return { role: 'tool', tool_call_id: id ?? '', content }
}
