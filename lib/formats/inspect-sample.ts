/**
 * A sample of an Inspect log: references resolved, its conversation in the OpenAI form, its scores as numbers.
 * Owns: `attachment://` texts and messages that events point to in a pool; what C, P, I, N and texts are worth; that NaN is unscored.
 */
import { type Message, messageOf } from './chat'
import { contentText } from './prompt-key'
import { partOf, type ToldPart, totalOf } from './reward-parts'
import { asList, asNumber, asRow, asRows, asText, type Row } from './untyped'

/** as Inspect's value_to_float reads them */
const WORTH: Record<string, number> = { c: 1, p: 0.5, i: 0, n: 0, yes: 1, true: 1, no: 0, false: 0 }
const REFERENCE = /^(?:attachment|tc):\/\/(.+)$/

/** The value with every reference in it replaced by the text it stands for; one that leads nowhere stays. */
export function resolved(value: unknown, attachments: Row): unknown {
  if (typeof value === 'string') {
    const key = REFERENCE.exec(value)?.[1]
    const text = key === undefined ? undefined : attachments[key]
    return typeof text === 'string' ? text : value
  }
  const list = asList(value)
  if (list !== null) return list.map((item) => resolved(item, attachments))
  const row = asRow(value)
  return row === null
    ? value
    : Object.fromEntries(Object.entries(row).map(([key, item]) => [key, resolved(item, attachments)]))
}

/** The conversation; where the sample itself keeps none, what its last call of a model was given, and its answer. */
export function conversation(sample: Row): Message[] {
  const attachments = asRow(sample.attachments) ?? {}
  const own = asList(sample.messages) ?? []
  const listed = own.length > 0 ? own : fromEvents(sample)
  return listed.flatMap((item) => {
    const message = messageOf(resolved(item, attachments))
    return message === null ? [] : inOpenAiForm(message)
  })
}

function fromEvents(sample: Row): unknown[] {
  const last = asRows(sample.events).findLast((event) => event.event === 'model')
  if (last === undefined) return []
  const pool = asList(asRow(sample.events_data)?.messages) ?? asList(sample.message_pool) ?? []
  const given = asList(last.input) ?? []
  const input = given.length > 0 ? given : (asList(last.input_refs) ?? []).flatMap((ref) => fromPool(ref, pool))
  const answer = asRow(asRows(asRow(last.output)?.choices)[0]?.message)
  return answer === null ? input : [...input, answer]
}

/** A reference is a place in the pool, or where a stretch of it begins and ends. */
function fromPool(ref: unknown, pool: readonly unknown[]): unknown[] {
  const place = asNumber(ref)
  if (place !== null) return pool.slice(place, place + 1)
  const [from, to] = (asList(ref) ?? []).map(asNumber)
  return from === null || from === undefined || to === null || to === undefined ? [] : pool.slice(from, to)
}

/** Calls name their function as a text there; parts of reasoning stand among those of the content. */
function inOpenAiForm(message: Message): Message {
  const { role, tool_call_id, content, tool_calls, error } = message
  const thoughts = asRows(content).flatMap((part) => (part.type === 'reasoning' ? (asText(part.reasoning) ?? []) : []))
  const calls = asRows(tool_calls).map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: asText(call.function) ?? 'unknown', arguments: JSON.stringify(call.arguments ?? {}) },
  }))
  const wrong = asText(asRow(error)?.message)
  return {
    role,
    content: contentText(content) ?? wrong ?? (asList(content) === null ? content : null),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
    ...(role === 'tool' && typeof message.function === 'string' ? { name: message.function } : {}),
    ...(wrong === null ? {} : { is_error: true }),
  }
}

/** Tools that the evaluated model was offered, as its first call tells. */
export function offeredTools(sample: Row, model: string | null): unknown[] {
  const attachments = asRow(sample.attachments) ?? {}
  const calls = asRows(sample.events).filter((event) => event.event === 'model')
  const own = calls.find((event) => model === null || event.model === undefined || event.model === model)
  return (asList(own?.tools) ?? []).map((tool) => resolved(tool, attachments))
}

export interface Scored {
  reward: number | null
  parts: ToldPart[]
}

/** `first`: the scorer that an evaluation is judged by, where its header tells one. */
export function scoresOf(sample: Row, first: string | null): Scored {
  const scores = Object.entries(asRow(sample.scores) ?? asRow(sample.score) ?? {})
  const single = asRow(sample.scores) === null && asRow(sample.score) !== null
  const named: [string, Row][] = single
    ? [['score', asRow(sample.score) ?? {}]]
    : scores.flatMap(([name, score]) => {
        const row = asRow(score)
        return row === null ? [] : [[name, row]]
      })
  const told = named.map(([name, score]) => ({ name, parts: partsOfScore(name, score) }))
  const deciding = told.find(({ name }) => name === first) ?? told[0]
  return { reward: deciding === undefined ? null : totalOf(deciding.parts), parts: told.flatMap(({ parts }) => parts) }
}

function partsOfScore(name: string, { value, explanation }: Row): ToldPart[] {
  const list = asList(value)
  if (list !== null) return list.map((item, place) => partOf(`${name}.${place}`, worth(item), explanation))
  const row = asRow(value)
  if (row !== null) return Object.entries(row).map(([key, item]) => partOf(`${name}.${key}`, worth(item), explanation))
  return [partOf(name, worth(value), explanation)]
}

function worth(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string') return asNumber(value)
  const known = WORTH[value.trim().toLowerCase()]
  if (known !== undefined) return known
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}
