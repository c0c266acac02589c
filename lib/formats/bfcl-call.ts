/**
 * Calls in results of BFCL: objects {function: arguments as text} or texts ("[ls(a=True)]"), of one turn or nested by turns and
 * steps. Owns: that models which may not write dots in names write underscores; nesting of counts and times.
 */
import { callNames } from './call-names'
import type { Call, Message } from './chat'
import { asList, asNumber, asRow, type Row } from './untyped'

/** Names as the tools are called, by how a model had to write them. */
export function unmangling(names: readonly string[]): (name: string) => string {
  const known = new Set(names)
  const dotted = new Map(names.map((name) => [name.replaceAll('.', '_'), name]))
  return (name) => (known.has(name) ? name : (dotted.get(name) ?? name))
}

/** Steps of each turn; a result without nesting is one turn of one step. */
export function turnsOf(result: unknown): unknown[][] {
  const list = asList(result)
  if (list === null) return [[result]]
  if (!list.some((item) => asList(item) !== null)) return list.length === 0 ? [] : [[list]]
  return list.map((turn) => asList(turn) ?? [turn])
}

export function callsIn(step: unknown): { name: string; arguments: string; parameters: string[] }[] {
  if (typeof step === 'string') return callNames(step).map((name) => ({ name, arguments: step, parameters: [] }))
  const list = asList(step)
  if (list !== null) return list.flatMap(callsIn)
  return Object.entries(asRow(step) ?? {}).map(([name, given]) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    return { name, arguments: text, parameters: Object.keys(parsed(text)) }
  })
}

export function namesIn(result: unknown, known: (name: string) => string): Call[] {
  return turnsOf(result).flatMap((turn) =>
    turn.flatMap((step) => callsIn(step).map(({ name, parameters }) => ({ name: known(name), parameters }))),
  )
}

/** What was asked and what was called, turn by turn; the file keeps no answers of the tools. */
export function conversationOf(question: unknown, result: unknown, known: (name: string) => string): Message[] {
  const asked = asList(question) ?? []
  const turns = turnsOf(result)
  return Array.from({ length: Math.max(asked.length, turns.length) }, (_, turn) => [
    ...(asList(asked[turn]) ?? []).flatMap((item): Message[] => {
      const row = asRow(item)
      return row === null || typeof row.role !== 'string' ? [] : [{ role: row.role, content: row.content ?? '' }]
    }),
    ...(turns[turn] ?? []).map((step): Message => ofStep(step, known)),
  ]).flat()
}

function ofStep(step: unknown, known: (name: string) => string): Message {
  const calls = typeof step === 'string' ? [] : callsIn(step)
  if (calls.length === 0) return { role: 'assistant', content: typeof step === 'string' ? step : JSON.stringify(step) }
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map((call) => ({
      type: 'function',
      function: { name: known(call.name), arguments: call.arguments },
    })),
  }
}

/** The sum of a number that is nested by turns and steps; null where there is none. */
export function nestedSum(value: unknown): number | null {
  const list = asList(value)
  if (list === null) return asNumber(value)
  const sums = list.flatMap((item) => nestedSum(item) ?? [])
  return sums.length === 0 ? null : sums.reduce((sum, one) => sum + one, 0)
}

function parsed(text: string): Row {
  try {
    return asRow(JSON.parse(text)) ?? {}
  } catch {
    return {}
  }
}
