/**
 * One agent's trace of verifiers: a graph of messages with its calls, errors and times. Owns: which path of the graph is the
 * conversation (the one that ends in the last message); how an error's type tells the verifier's failure from the infrastructure's.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { type Call, calledTools, type Message, messageOf } from './chat'
import { inChatForm } from './chat-form'
import { asCount, asNumber, asRow, asRows, asText, type Row } from './untyped'

const LIMITS = new Set(['max_turns', 'max_input_tokens', 'max_output_tokens', 'max_total_tokens', 'compaction_failed'])
/** expired deadlines by stage: before the agent ran, while it ran, while it was judged */
const DEADLINES = new Map<string, RolloutStatus>([
  ['setup_timeout', 'infra_error'],
  ['agent_timeout', 'truncated'],
  ['finalize_timeout', 'verifier_error'],
  ['scoring_timeout', 'verifier_error'],
])
/** errors of a task's own hooks, its scoring among them, and of judges */
const VERIFIER = /^(?:TaskError|.*Judge.*|.*Reward.*|.*Rubric.*)$/

export interface Ending {
  status: RolloutStatus
  error: string
}

export function branchOf(trace: Row): Message[] {
  const nodes = asRows(trace.nodes)
  const path: Message[] = []
  let at: number | null = nodes.length - 1
  // a parent comes before its child, so the walk ends
  while (at !== null && at >= 0) {
    const node: Row | undefined = nodes[at]
    const message = messageOf(node?.message)
    if (message !== null) path.push(inChatForm(message))
    const parent: number | null = asCount(node?.parent)
    at = parent !== null && parent < at ? parent : null
  }
  return path.reverse()
}

/** Of all branches; messages that were put into the prompt are no turns. */
export function callsOf(trace: Row): Call[] {
  return calledTools(sampled(trace).flatMap((node) => messageOf(node.message) ?? []))
}

export function turnsOf(trace: Row): number {
  return sampled(trace).length
}

function sampled(trace: Row): Row[] {
  const nodes = asRows(trace.nodes)
  const marked = nodes.filter((node) => node.sampled === true)
  return marked.length > 0 ? marked : nodes.filter((node) => asRow(node.message)?.role === 'assistant')
}

export function outputTokens(traces: readonly Row[]): number | null {
  const counts = traces.flatMap((trace) => {
    const stored = asCount(trace.num_output_tokens)
    const usage = asRows(trace.calls).flatMap((call) => asCount(asRow(call.usage)?.completion_tokens) ?? [])
    return stored !== null ? [stored] : usage
  })
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

/** From the first start to the last end that is told. */
export function secondsOf(trace: Row): number | null {
  const timing = asRow(trace.timing)
  const start = asNumber(timing?.start)
  if (timing === null || start === null) return null
  const ends = Object.values(timing).flatMap((span) => asNumber(asRow(span)?.end) ?? [])
  const seconds = Math.max(...ends, start) - start
  return seconds > 0 ? seconds : null
}

/** How a trace that did not fail ended before its agent was done; null where it was. A deadline is no failure there, yet a zero after it may be. */
export function endOf(trace: Row): Ending | null {
  const condition = asText(trace.stop_condition)
  if (condition !== null) {
    const status = DEADLINES.get(condition) ?? (LIMITS.has(condition) ? 'truncated' : null)
    if (status !== null) return { status, error: condition }
  }
  const last = asRows(trace.calls).findLast((call) => asRow(call.error) === null)
  return last?.finish_reason === 'length' ? { status: 'truncated', error: 'length' } : null
}

export function failureOf(error: Row | null): Ending {
  const type = asText(error?.type) ?? ''
  const text = [type, asText(error?.message) ?? ''].filter((part) => part !== '').join(': ')
  if (text === '') return { status: 'infra_error', error: 'The episode failed without a word.' }
  return { status: VERIFIER.test(type) ? 'verifier_error' : 'infra_error', error: text }
}
