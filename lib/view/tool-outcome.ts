/**
 * Owns what came of a tool call in a few words, and JSON as a person reads it.
 * Invariant: says "failed" only where the answer itself does; text that is no JSON stays as it is.
 */

const SHORT = 60
/** Longer texts are not parsed to be summed up or indented. */
const PARSED = 200_000

export interface ToolOutcome {
  words: string
  failed: boolean
}

export function parsedJson(text: string): unknown {
  // most answers that are no JSON show it by their first sign, which is much quicker than a parser that gives up
  if (text.length > PARSED || !/^\s*([[{"\d-]|true|false|null)/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Indented where it is JSON. */
export function indented(text: string): string {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text
}

/** One line of the text, short enough to stand beside a name. */
export function oneLine(text: string, most = SHORT): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > most || text.length > most * 4 ? `${line.slice(0, most)}…` : line
}

/** `text` null: no answer to the call was sent. */
export function toolOutcome(text: string | null): ToolOutcome {
  if (text === null) return { words: 'no answer', failed: false }
  const value = parsedJson(text)
  if (value === undefined || typeof value === 'string') return plain(typeof value === 'string' ? value : text)
  if (Array.isArray(value)) return { words: value.length === 1 ? '1 item' : `${value.length} items`, failed: false }
  if (typeof value !== 'object' || value === null) return { words: String(value), failed: false }
  return ofObject(value as Record<string, unknown>)
}

function ofObject(value: Record<string, unknown>): ToolOutcome {
  const { error } = value
  const refused = value.ok === false || value.success === false || value.is_error === true
  if (refused || (error !== undefined && error !== null && error !== false && error !== '')) {
    const words = typeof error === 'string' ? error : typeof value.message === 'string' ? value.message : ''
    return { words: words === '' ? 'failed' : `failed: ${oneLine(words)}`, failed: true }
  }
  if (value.ok === true || value.success === true) return { words: 'ok', failed: false }
  const fields = Object.keys(value).length
  return { words: fields === 1 ? '1 field' : `${fields} fields`, failed: false }
}

function plain(text: string): ToolOutcome {
  const failed = /^\s*(error|exception|traceback|fatal)\b/i.test(text.slice(0, 200))
  return { words: text.trim() === '' ? 'empty' : oneLine(text), failed }
}
