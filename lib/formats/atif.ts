/**
 * Trajectories in the Agent Trajectory Interchange Format (ATIF 1.x): steps of system, user and agent, calls and what came back.
 * Must never know: rewards, which the format does not hold.
 */
import type { Message } from './chat'
import { contentText } from './prompt-key'
import { asKey, asRow, asRows, asText, type Row } from './untyped'

export function isAtif(row: Row): boolean {
  return typeof row.schema_version === 'string' && row.schema_version.startsWith('ATIF') && Array.isArray(row.steps)
}

export function atifMessages(trajectory: Row): Message[] {
  return asRows(trajectory.steps).flatMap((step) => [ofStep(step), ...answers(step)])
}

function ofStep(step: Row): Message {
  const role = step.source === 'agent' ? 'assistant' : step.source === 'system' ? 'system' : 'user'
  const thought = asText(step.reasoning_content)
  const calls = asRows(step.tool_calls).map((call) => ({
    id: asKey(call.tool_call_id) ?? '',
    type: 'function',
    function: { name: asText(call.function_name) ?? 'unknown', arguments: written(call.arguments) },
  }))
  return {
    role,
    content: typeof step.message === 'string' ? step.message : contentText(step.message),
    ...(thought === null ? {} : { reasoning_content: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

/** What came back, each to the call that it names; the only call of a step needs no naming. */
function answers(step: Row): Message[] {
  const calls = asRows(step.tool_calls)
  const only = calls.length === 1 ? asKey(calls[0]?.tool_call_id) : null
  return asRows(asRow(step.observation)?.results).map((result) => {
    const id = asKey(result.source_call_id) ?? only
    return {
      role: calls.length === 0 ? 'user' : 'tool',
      ...(id === null ? {} : { tool_call_id: id }),
      content: contentText(result.content) ?? '',
    }
  })
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {})
}
