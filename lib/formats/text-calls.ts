/**
 * Tool calls inside a model's text: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as trainers that store decoded text keep
 * them. Cost: linear in the text, whatever is in it.
 */
import type { Call } from './chat'
import { asRow, asText } from './untyped'

const BEGIN = '<tool_call>'
const END = '</tool_call>'

export function textCalls(text: string): Call[] {
  const calls: Call[] = []
  for (let from = text.indexOf(BEGIN); from >= 0; ) {
    const end = text.indexOf(END, from)
    if (end < 0) break
    // a model that repeats the opening tag means the last one
    const begin = text.lastIndexOf(BEGIN, end) + BEGIN.length
    const call = callOf(text.slice(begin, end))
    if (call !== null) calls.push(call)
    from = text.indexOf(BEGIN, end)
  }
  return calls
}

function callOf(text: string): Call | null {
  let row: ReturnType<typeof asRow>
  try {
    row = asRow(JSON.parse(text))
  } catch {
    return null
  }
  const name = asText(row?.name)
  return name === null ? null : { name, parameters: Object.keys(asRow(row?.arguments) ?? {}) }
}
