/**
 * Messages in OpenAI chat form as turns that a person reads: who, text, calls with their arguments and results.
 * Owns: pairing calls with their answers, in old forms and new. Invariant: everything that was sent is in some turn, as text;
 * what is malformed is shown as JSON, never dropped; nothing is interpreted as markup.
 */
import { toolOutcome } from './tool-outcome'

export interface CallView {
  key: string
  name: string
  /** arguments as sent */
  args: string
  result: string | null
  outcome: string
  failed: boolean
  seconds: number | null
}

export interface TurnView {
  key: string
  who: string
  /** "turn 3", "turns 2 to 4"; null for what no policy said */
  turns: string | null
  text: string | null
  calls: CallView[]
  /** opened by a press: what is long and rarely read */
  folded: boolean
}

type Fields = Record<string, unknown>
/** Calls of one turn, so that a turn stays small enough to draw. */
const CALLS = 20

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text of a message's content: parts are joined, what is no text stays JSON. */
export function textOf(content: unknown): string | null {
  if (content === null || content === undefined) return null
  if (typeof content === 'string') return content
  if (Array.isArray(content)) {
    const parts = content.map((part: unknown) => {
      if (typeof part === 'string') return part
      return isFields(part) && typeof part.text === 'string' ? part.text : JSON.stringify(part)
    })
    return parts.join('\n')
  }
  return typeof content === 'object' ? JSON.stringify(content) : String(content)
}

interface Draft extends TurnView {
  first: number
  last: number
}

/** `broken`: the rollout ended in an error, so a last call without an answer is what failed. */
export function rolloutTurns(messages: readonly unknown[], broken = false): TurnView[] {
  const turns: Draft[] = []
  const waiting: { id: string | null; call: CallView }[] = []
  let said = 0
  for (const [at, message] of messages.entries()) {
    const fields: Fields = isFields(message) ? message : { role: 'unknown', content: message }
    const role = typeof fields.role === 'string' ? fields.role : 'unknown'
    const text = textOf(fields.content)
    if (role === 'assistant') {
      said += 1
      takeReasoning(turns, fields, at, said)
      takeAgent(turns, waiting, fields, { at, text, said })
    } else if (role === 'tool' || role === 'function') {
      if (answer(waiting, fields, text)) continue
      turns.push(turn(at, 'tool', text ?? ''))
    } else {
      turns.push({
        ...turn(at, whoOf(role), text ?? restOf(fields)),
        folded: role === 'system' || role === 'developer',
      })
    }
  }
  const last = waiting.at(-1)
  if (broken && last !== undefined) last.call.failed = true
  return turns.map(({ first, last, ...rest }) => ({ ...rest, turns: named(first, last) }))
}

const whoOf = (role: string) => (role === 'developer' ? 'system' : role)
const named = (first: number, last: number) =>
  first === 0 ? null : first === last ? `turn ${first}` : `turns ${first} to ${last}`

function turn(at: number, who: string, text: string | null, said = 0): Draft {
  return { key: `m${at}`, who, turns: null, text, calls: [], folded: false, first: said, last: said }
}

/** A message without content still says what it has. */
function restOf(fields: Fields): string {
  const { role: _, content: __, ...rest } = fields
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
}

function takeReasoning(turns: Draft[], fields: Fields, at: number, said: number): void {
  const thought = textOf(fields.reasoning_content ?? fields.reasoning)
  if (thought === null || thought === '') return
  turns.push({ ...turn(at, 'thought', thought, said), key: `m${at}-thought`, folded: true })
}

function takeAgent(
  turns: Draft[],
  waiting: { id: string | null; call: CallView }[],
  fields: Fields,
  { at, text, said }: { at: number; text: string | null; said: number },
): void {
  const calls = callsOf(fields, at)
  const before = turns.at(-1)
  const silent = text === null || text === ''
  if (silent && calls.length > 0 && before?.who === 'agent' && before.calls.length > 0 && before.calls.length < CALLS) {
    before.calls.push(...calls.map(({ call }) => call))
    before.last = said
  } else {
    turns.push({
      ...turn(at, 'agent', silent && calls.length > 0 ? null : (text ?? restOf(fields)), said),
      calls: calls.map(({ call }) => call),
    })
  }
  waiting.push(...calls)
}

function callsOf(fields: Fields, at: number): { id: string | null; call: CallView }[] {
  const listed: unknown[] = Array.isArray(fields.tool_calls) ? fields.tool_calls : []
  const all = isFields(fields.function_call) ? [...listed, { function: fields.function_call }] : listed
  return all.map((one, position) => {
    const parts: Fields = isFields(one) ? one : { function: { name: 'unknown', arguments: one } }
    const called: Fields = isFields(parts.function) ? parts.function : parts
    return {
      id: typeof parts.id === 'string' ? parts.id : null,
      call: {
        key: `m${at}-${position}`,
        name: typeof called.name === 'string' ? called.name : 'unknown',
        args: textOf(called.arguments ?? called.input) ?? '',
        result: null,
        outcome: 'no answer',
        failed: false,
        seconds: null,
      },
    }
  })
}

/** Gives the answer to the call that it names, else to the first that waits; false where none does. */
function answer(waiting: { id: string | null; call: CallView }[], fields: Fields, text: string | null): boolean {
  const id = typeof fields.tool_call_id === 'string' ? fields.tool_call_id : null
  const name = typeof fields.name === 'string' ? fields.name : null
  const byId = id === null ? -1 : waiting.findIndex((one) => one.id === id)
  const byName = byId === -1 && name !== null ? waiting.findIndex((one) => one.call.name === name) : byId
  const at = byName === -1 && id === null && waiting.length > 0 ? 0 : byName
  const [found] = at === -1 ? [] : waiting.splice(at, 1)
  if (found === undefined) return false
  const result = text ?? ''
  const { words, failed } = toolOutcome(result)
  const seconds = typeof fields.seconds === 'number' && Number.isFinite(fields.seconds) ? fields.seconds : null
  Object.assign(found.call, { result, outcome: words, failed: failed || fields.is_error === true, seconds })
  return true
}

/**
 * Keys of the calls that the messages of failed checks name: by a value after "found", else by any value or tool with a
 * digit or an underscore in it. The last such call of each message.
 */
export function callsNamed(turns: readonly TurnView[], messages: readonly string[]): Set<string> {
  const calls = turns.flatMap((one) => one.calls)
  const named = new Set<string>()
  for (const message of messages) {
    const words = valuesIn(message)
    const call = calls.findLast(({ name, args }) => words.some((word) => name === word || args.includes(word)))
    if (call !== undefined) named.add(call.key)
  }
  return named
}

function valuesIn(message: string): string[] {
  const found = /\bfound\s+["'`]?([\w.@/-]+)/i.exec(message)?.[1]
  const words = found === undefined ? (message.slice(0, 2000).match(/[\w.@/-]+/g) ?? []) : [found]
  return words.map((word) => word.replace(/[.]+$/, '')).filter((word) => word.length >= 4 && /[\d_]/.test(word))
}
