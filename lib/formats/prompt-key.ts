/**
 * The key of a task that its file does not name: told by its prompt, so that the same prompt is the same task.
 * Invariant: white space and the way a text is packed (text, parts, messages) change nothing; the key begins readably.
 */
import { createHash } from 'node:crypto'
import { asList, asRow, asText } from './untyped'

const READABLE = 48

/** `prompt`: a text, or chat messages. Null where it holds no text. */
export function promptKey(prompt: unknown): string | null {
  const text = promptText(prompt)
  if (text === null) return null
  const plain = oneLine(text.normalize('NFC'))
  // the beginning of a text says what the whole would
  const shown = oneLine((userText(prompt) ?? plain).slice(0, 20 * READABLE))
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 12)
  return `${shown
    .slice(0, READABLE)
    .replaceAll(/\0|\p{Surrogate}/gu, '')
    .trim()} #${hash}`.trim()
}

/** Each run of white space as one space. Single spaces, nearly all of them, are passed over: prompts are long, and many. */
function oneLine(text: string): string {
  return text.replaceAll(/ *[^\S ]\s*| {2,}/g, ' ').trim()
}

/** All text of a prompt; messages as "role: text", a line each. */
export function promptText(prompt: unknown): string | null {
  const list = asList(prompt)
  if (list === null) return asText(prompt) ?? contentText(asRow(prompt)?.content)
  const lines = list.flatMap((item) => {
    const row = asRow(item)
    if (row === null) return asText(item) ?? []
    const text = contentText(row.content)
    return text === null ? [] : `${asText(row.role) ?? 'user'}: ${text}`
  })
  return asText(lines.join('\n'))
}

/** The text of a message's content: a text, or parts with a text. */
export function contentText(content: unknown): string | null {
  const parts = asList(content)
  if (parts === null) return asText(content)
  return asText(parts.flatMap((part) => asText(part) ?? asText(asRow(part)?.text) ?? []).join('\n'))
}

function userText(prompt: unknown): string | null {
  for (const item of asList(prompt) ?? []) {
    const row = asRow(item)
    if (row?.role === 'user') return contentText(row.content)
  }
  return null
}
