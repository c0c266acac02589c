/**
 * Conversations that a file keeps as texts without roles: one text of the whole with a chat template's marks, or a text a message.
 * Owns: where the prompt ends. In one text before the model's first mark; in a list after the system's and the user's text, which
 * marks tell, else their number (an environment answers every turn, so an even one begins with a system text).
 */
import type { Message } from './chat'
import { asList, asRow, asText, asTexts } from './untyped'

const MARK = /<\|im_start\|>\s*(\w+)[ \t]*\n?|<\|start_header_id\|>\s*(\w+)\s*<\|end_header_id\|>\s*/g
const ENDS = /(?:<\|im_end\|>|<\|eot_id\|>|<\|end_of_text\|>|<\|endoftext\|>|\s)+$/
const SYSTEM = /^\s*(?:<\|begin_of_text\|>)?\s*(?:<\|im_start\|>\s*system|<\|start_header_id\|>\s*system|<\|system\|>)/
const USER = /<\|im_start\|>\s*user|<\|start_header_id\|>\s*user|<\|user\|>/

export interface FlatChat {
  /** null where it cannot be told from the rest */
  prompt: Message[] | null
  messages: Message[]
}

/** `content`: a text, a list of texts, or messages. */
export function flatChat(content: unknown): FlatChat {
  const text = asText(content)
  if (text !== null) return marked(text)
  const list = asList(content) ?? []
  const given = asTexts(list)
  const texts = given.length > 0 ? given : list.flatMap((item) => asText(asRow(item)?.content) ?? [])
  const [only] = texts
  if (only === undefined) return { prompt: null, messages: [] }
  return texts.length === 1 ? marked(only) : byTurns(texts)
}

function marked(text: string): FlatChat {
  const marks = [...text.matchAll(MARK)]
  if (marks.length === 0) return { prompt: null, messages: [{ role: 'assistant', content: text }] }
  const messages = marks.map((mark, at): Message => {
    const content = text.slice(mark.index + mark[0].length, marks[at + 1]?.index ?? text.length)
    return { role: mark[1] ?? mark[2] ?? 'user', content: content.replace(ENDS, '') }
  })
  const first = messages.findIndex(({ role }) => role === 'assistant')
  return { prompt: first > 0 ? messages.slice(0, first) : null, messages }
}

function byTurns(texts: readonly string[]): FlatChat {
  const prompts = promptLength(texts)
  const messages = texts.map((text, at): Message => {
    if (at < prompts) return { role: at === prompts - 1 ? 'user' : 'system', content: text }
    return { role: (at - prompts) % 2 === 0 ? 'assistant' : 'user', content: text }
  })
  return { prompt: messages.slice(0, prompts), messages }
}

function promptLength(texts: readonly string[]): number {
  const first = texts[0] ?? ''
  if (SYSTEM.test(first)) return USER.test(first) ? 1 : 2
  return !USER.test(first) && texts.length >= 4 && texts.length % 2 === 0 ? 2 : 1
}
