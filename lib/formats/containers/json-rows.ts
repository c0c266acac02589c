/**
 * Bytes to rows, streaming: JSON Lines, one list, or pretty-printed objects, whatever the file is called.
 * Owns: where a row begins and ends. Must never know what a row means.
 * Invariant: one bad row never loses the others; each is told with its place (a line, or a position in the list).
 * Cost: linear in the text; memory of the longest row.
 */
import { parseJson } from './parse-json'

export interface JsonRow {
  /** line number in JSON Lines, position in a list, both from 1 */
  line: number
  /** undefined where `problem` says why it could not be read */
  value: unknown
  problem: string | null
}

const NOT_JSON = 'it is not JSON'
const CUT_OFF = 'the file ends inside it'

export async function* jsonRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRow> {
  const decoder = new TextDecoder()
  const iterator = decoded(chunks, decoder)
  let head = ''
  let form: 'lines' | 'values' | null = null
  // not for-await: leaving that loop would close the stream that is read on below
  while (form === null) {
    const { value, done } = await iterator.next()
    if (done === true) break
    head += value
    form = formOf(head, false)
  }
  form ??= formOf(head, true)
  const rest = joined(head, iterator)
  yield* form === 'values' ? valueRows(rest) : lineRows(rest)
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function* joined(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head
  yield* rest
}

/** A list and a pretty-printed object are read by their brackets, everything else by its lines. */
function formOf(head: string, complete: boolean): 'lines' | 'values' | null {
  const start = head.trimStart()
  if (start === '') return complete ? 'lines' : null
  if (start.startsWith('[')) return 'values'
  if (!start.startsWith('{')) return 'lines'
  const end = start.indexOf('\n')
  if (end < 0 && !complete) return null
  const line = (end < 0 ? start : start.slice(0, end)).trimEnd()
  return /[{[,:]$/.test(line) ? 'values' : 'lines'
}

async function* lineRows(texts: AsyncGenerator<string>): AsyncGenerator<JsonRow> {
  let open = ''
  let line = 0
  for await (const text of texts) {
    const parts = text.split('\n')
    parts[0] = open + (parts[0] ?? '')
    open = parts.pop() ?? ''
    for (const part of parts) {
      line += 1
      if (part.trim() !== '') yield rowOf(part, line)
    }
  }
  if (open.trim() !== '') yield rowOf(open, line + 1)
}

function rowOf(text: string, line: number): JsonRow {
  const value = parseJson(text)
  return { line, value, problem: value === undefined ? NOT_JSON : null }
}

/** Objects at the top of the file or right inside its one outer list. */
async function* valueRows(texts: AsyncGenerator<string>): AsyncGenerator<JsonRow> {
  const scan = new BracketScan()
  for await (const text of texts) yield* scan.take(text)
  const open = scan.unfinished()
  if (open !== null) yield open
}

class BracketScan {
  private depth = 0
  private base = 0
  private inText = false
  private escaped = false
  private begun = false
  private line = 0
  private kept = ''
  private start = -1

  unfinished(): JsonRow | null {
    return this.kept === '' ? null : { line: this.line, value: undefined, problem: CUT_OFF }
  }

  *take(text: string): Generator<JsonRow> {
    this.start = this.kept === '' ? -1 : 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.inText) this.insideText(code)
      else if (code === 34) this.inText = true
      else if (code === 123 || code === 91) this.opens(code, at)
      else if (code === 125 || code === 93) {
        const row = this.closes(text, at)
        if (row !== null) yield row
      }
    }
    if (this.start >= 0) this.kept += text.slice(this.start)
  }

  private insideText(code: number): void {
    if (this.escaped) this.escaped = false
    else if (code === 92) this.escaped = true
    else if (code === 34) this.inText = false
  }

  private opens(code: number, at: number): void {
    if (!this.begun) {
      this.begun = true
      if (code === 91) {
        this.base = 1
        this.depth = 1
        return
      }
    }
    if (this.depth === this.base && this.start < 0) {
      this.start = at
      this.line += 1
    }
    this.depth += 1
  }

  private closes(text: string, at: number): JsonRow | null {
    this.depth = Math.max(0, this.depth - 1)
    if (this.depth !== this.base || this.start < 0) return null
    const row = rowOf(this.kept + text.slice(this.start, at + 1), this.line)
    this.kept = ''
    this.start = -1
    return row
  }
}
