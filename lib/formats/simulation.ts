/**
 * A simulation of tau2-bench: its conversation in the OpenAI form, its parts of the reward, and how it ended.
 * Owns: that the user has tools of his own, which are none of the policy; that a spoken conversation lies in ticks; which ends
 * are no failure of the policy.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import type { Message } from './chat'
import { contentText } from './prompt-key'
import { joined, partOf, type ToldPart } from './reward-parts'
import { asKey, asRow, asRows, asText, type Row } from './untyped'

const STATUS: Record<string, RolloutStatus> = {
  max_steps: 'truncated',
  timeout: 'truncated',
  context_window_exceeded: 'truncated',
  user_error: 'infra_error',
  infrastructure_error: 'infra_error',
  unexpected_error: 'infra_error',
}

/** An agent that errs or errs too often is the policy's own failure. */
export function simulationEnd(simulation: Row): { status: RolloutStatus; error: string | null } {
  const reason = asText(simulation.termination_reason)
  const status = STATUS[reason ?? ''] ?? 'ok'
  const told = asText(asRow(simulation.info)?.error)
  return { status, error: status === 'ok' ? null : [reason, told].filter((part) => part !== null).join(': ') }
}

export function simulationMessages(simulation: Row): Message[] {
  const messages = asRows(simulation.messages)
  return (messages.length > 0 ? messages : spoken(asRows(simulation.ticks))).flatMap(inOpenAiForm)
}

function inOpenAiForm(message: Row): Message[] {
  const role = asText(message.role)
  if (role === null) return []
  // several answers in one message
  const several = asRows(message.tool_messages)
  if (several.length > 0) return several.flatMap(inOpenAiForm)
  const thought = asText(message.reasoning) ?? asText(message.reasoning_content)
  const calls = asRows(message.tool_calls).map(callForm)
  const answered = role === 'tool' ? (asKey(message.id) ?? asKey(message.tool_call_id)) : null
  return [
    {
      role,
      content: typeof message.content === 'string' ? message.content : contentText(message.content),
      ...(thought === null ? {} : { reasoning_content: thought }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(answered === null ? {} : { tool_call_id: answered }),
      ...(message.requestor === 'user' ? { requestor: 'user' } : {}),
      ...(message.error === true ? { is_error: true } : {}),
    },
  ]
}

function callForm(call: Row): Row {
  const inner = asRow(call.function) ?? call
  const given = inner.arguments ?? {}
  return {
    id: asKey(call.id) ?? '',
    type: 'function',
    function: {
      name: asText(inner.name) ?? 'unknown',
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    },
    ...(call.requestor === 'user' ? { requestor: 'user' } : {}),
  }
}

/** What was said tick by tick, a stretch of one speaker as one message. */
function spoken(ticks: readonly Row[]): Row[] {
  const messages: Row[] = []
  for (const tick of ticks) {
    for (const [side, role] of [['agent', 'assistant'] as const, ['user', 'user'] as const]) {
      const chunk = asRow(tick[`${side}_chunk`]) ?? {}
      const calls = [...asRows(chunk.tool_calls), ...asRows(tick[`${side}_tool_calls`])]
      if (typeof chunk.content === 'string' && chunk.content !== '') say(messages, role, chunk.content)
      if (calls.length > 0) messages.push({ role, content: null, tool_calls: calls })
      for (const answer of asRows(tick[`${side}_tool_results`])) messages.push({ ...answer, role: 'tool' })
    }
  }
  return messages
}

function say(messages: Row[], role: string, text: string): void {
  const last = messages.at(-1)
  if (last !== undefined && last.role === role && typeof last.content === 'string') last.content += text
  else messages.push({ role, content: text })
}

const LONGEST_NAME = 120

/** What the reward is made of, and every single check under it. A check that stands several times holds only if it always did. */
export function rewardParts(info: Row | null): ToldPart[] {
  if (info === null) return []
  const parts = Object.entries(asRow(info.reward_breakdown) ?? {}).map(([name, value]) => partOf(name, value))
  const db = asRow(info.db_check)
  if (db !== null && !parts.some(({ name }) => name === 'DB')) parts.push(partOf('DB', db.db_reward ?? db.db_match))
  const checks = [
    ...asRows(info.env_assertions).map((one) =>
      partOf(asText(asRow(one.env_assertion)?.func_name) ?? 'assertion', one.met ?? one.reward),
    ),
    ...asRows(info.action_checks).map((one) =>
      partOf(`action ${asText(asRow(one.action)?.name) ?? '?'}`, one.action_match ?? one.action_reward),
    ),
    ...asRows(info.nl_assertions).map((one) => partOf(short(one.nl_assertion), one.met, one.justification)),
    ...asRows(info.communicate_checks).map((one) => partOf(`says ${short(one.info)}`, one.met, one.justification)),
  ]
  return joined([...parts, ...checks])
}

function short(value: unknown): string {
  const text = asText(value) ?? '?'
  return text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME - 1)}…`
}
