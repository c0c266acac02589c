/**
 * Bytes to rows, streaming: JSON Lines, one list, or pretty-printed objects, whatever the file is called.
 * Owns: where a row begins and ends. Must never know what a row means.
 * Invariant: one bad row never loses the others; each is told with its place (a line, or a position in the list).
 * Cost: linear in the text; memory of the longest row.
 */
import { looseJson } from '@/lib/contract/loose-json'
import { textOf } from './text'

/** in characters: what is longer is no row that anybody wrote */
const LONGEST = 64 * 2 ** 20

export interface JsonRow {
  /** line number in JSON Lines, position in a list, both from 1 */
  line: number
  /** undefined where `problem` says why it could not be read */
  value: unknown
  problem: string | null
  /** how a row that could not be read begins */
  text?: string
}

const NOT_JSON = 'it is not JSON'
const CUT_OFF = 'the file ends inside it'

const TOO_LONG = 'it is longer than 64 MB'
const SHOWN = 400

export function jsonRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRow> {
  return jsonTextRows(textOf(chunks))
}

export async function* jsonTextRows(texts: AsyncGenerator<string>): AsyncGenerator<JsonRow> {
  const iterator = texts
  let head = ''
  // looked at anew where a line ends or it has doubled: at each piece the time would grow with the square of a long line
  let next = 0
  let form: 'lines' | 'values' | null = null
  // not for-await: leaving that loop would close the stream that is read on below
  while (form === null) {
    const { value, done } = await iterator.next()
    if (done === true) break
    head += value
    if (head.length < next && head.length <= LONGEST && !value.includes('\n')) continue
    next = 2 * head.length
    form = formOf(head, head.length > LONGEST)
  }
  form ??= formOf(head, true)
  const rest = joined(head, iterator)
  yield* form === 'values' ? valueRows(rest) : lineRows(rest)
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
  let open: string[] = []
  let length = 0
  let line = 0
  for await (const text of texts) {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      line += 1
      const piece = text.slice(from, end)
      const whole = open.length === 0 ? piece : open.join('') + piece
      const tooLong = length > LONGEST
      open = []
      length = 0
      from = end + 1
      if (tooLong) yield tooLongRow(line, whole)
      else if (whole.trim() !== '') yield rowOf(whole, line)
    }
    if (from === text.length) continue
    length += text.length - from
    if (length <= LONGEST || open.length === 0) open.push(text.slice(from))
  }
  const last = open.join('')
  if (length > LONGEST) yield tooLongRow(line + 1, last)
  else if (last.trim() !== '') yield rowOf(last, line + 1)
}

function tooLongRow(line: number, text: string): JsonRow {
  return { line, value: undefined, problem: TOO_LONG, text: text.slice(0, SHOWN) }
}

function rowOf(text: string, line: number): JsonRow {
  const value = looseJson(text)
  if (value !== undefined) return { line, value, problem: null }
  return { line, value, problem: NOT_JSON, text: text.trimStart().slice(0, SHOWN) }
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
  private kept: string[] = []
  private length = 0
  private start = -1

  unfinished(): JsonRow | null {
    if (this.kept.length === 0) return null
    if (this.length > LONGEST) return tooLongRow(this.line, this.kept.join(''))
    return { line: this.line, value: undefined, problem: CUT_OFF, text: this.kept.join('').slice(0, SHOWN) }
  }

  *take(text: string): Generator<JsonRow> {
    this.start = this.kept.length === 0 ? -1 : 0
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
    if (this.start >= 0) this.keep(text.slice(this.start))
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
    this.keep(text.slice(this.start, at + 1))
    const whole = this.kept.length === 1 ? (this.kept[0] ?? '') : this.kept.join('')
    const row = this.length > LONGEST ? tooLongRow(this.line, whole) : rowOf(whole, this.line)
    this.kept = []
    this.length = 0
    this.start = -1
    return row
  }

  /** What is too long keeps its beginning only. */
  private keep(piece: string): void {
    this.length += piece.length
    if (this.length <= LONGEST || this.kept.length === 0) this.kept.push(piece)
  }
}
