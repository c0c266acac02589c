/** Lists written as YAML: each item at the left edge is read for itself, so that a bad one loses no other. */
import { parse } from 'yaml'
import type { JsonRow } from './json-rows'
import { within } from './within'

const LONGEST_ITEM = 16 * 2 ** 20
/** Time for an item: a floor, and so many characters for each millisecond more. */
const LEAST_MS = 2000
const CHARACTERS_A_MS = 100
const ITEM = /^-(\s|$)/

/** A text that begins so is a list in YAML: an item with a key, or an item alone on its line. */
export function isYamlList(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^(#|---|%YAML)/.test(line))
  return (
    /^-\s+[\w"'-][^:]*:(\s|$)/.test(lines[0] ?? '') || (/^-\s*$/.test(lines[0] ?? '') && /^\s+\S/.test(lines[1] ?? ''))
  )
}

export async function* yamlRows(texts: AsyncIterable<string>): AsyncGenerator<JsonRow> {
  let open = ''
  let item: string[] = []
  let length = 0
  let begun = 0
  let line = 0
  const taken = (text: string): JsonRow | null => {
    line += 1
    let row: JsonRow | null = null
    if (ITEM.test(text)) {
      row = itemOf(item, begun, length)
      item = []
      length = 0
      begun = line
    } else if (begun === 0) return null
    length += text.length
    if (length <= LONGEST_ITEM) item.push(text)
    return row
  }
  for await (const text of texts) {
    const lines = (open + text).split('\n')
    open = lines.pop() ?? ''
    for (const one of lines) {
      const row = taken(one.replace(/\r$/, ''))
      if (row !== null) yield row
    }
  }
  const row = open === '' ? null : taken(open)
  if (row !== null) yield row
  const last = itemOf(item, begun, length)
  if (last !== null) yield last
}

function itemOf(lines: string[], line: number, length: number): JsonRow | null {
  if (line === 0) return null
  if (length > LONGEST_ITEM) return { line, value: undefined, problem: 'it is too long' }
  try {
    const text = lines.join('\n')
    const list: unknown = within(LEAST_MS + text.length / CHARACTERS_A_MS, () =>
      parse(text, { maxAliasCount: 100, logLevel: 'error' }),
    )
    return {
      line,
      value: Array.isArray(list) ? list[0] : undefined,
      problem: Array.isArray(list) ? null : 'it is not YAML',
    }
  } catch {
    return { line, value: undefined, problem: 'it is not YAML' }
  }
}
