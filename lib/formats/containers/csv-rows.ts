/**
 * Tables as text: quotes over lines, semicolons and tabs, a first line of names.
 * Owns: which text is a table, which sign parts its cells, and that a quote that never closes spoils its own line and no more
 * (which is why no library reads it). Must never know what columns mean.
 */
import type { JsonRow } from './json-rows'
import { textCell } from './table-cells'

const DELIMITERS = [',', ';', '\t', '|'] as const
/** of one row, in characters; a quote that never closes would take the rest of the file */
const LONGEST_ROW = 16 * 2 ** 20
const MOST_COLUMNS = 5000
const SHOWN = 400

/** The sign between the cells of a text that begins so, or null where it is no table. `named`: its name says it is one. */
export function delimiterOf(head: string, named: boolean): string | null {
  const [first = '', second] = head.trimStart().split(/\r?\n/)
  if (first.trim() === '' || /^[[{<]/.test(first)) return null
  const counts = DELIMITERS.map((sign) => ({ sign, count: cellsIn(first, sign) }))
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a))
  if (named) return best.count > 1 ? best.sign : ','
  // prose has commas too: a table has names without blanks around them, and its next line as many cells
  const names = first.split(best.sign).map((name) => name.trim().replace(/^"|"$/g, ''))
  const wordLike = names.every((name) => /^[\p{L}\p{N}_][\p{L}\p{N}_ ./:()#-]{0,79}$/u.test(name))
  if (best.count < 2 || !wordLike || new Set(names).size !== names.length) return null
  return second === undefined || cellsIn(second, best.sign) >= best.count || second.includes('"') ? best.sign : null
}

function cellsIn(line: string, sign: string): number {
  return line.replaceAll(/"(?:[^"]|"")*"/g, '').split(sign).length
}

export async function* csvRows(
  texts: AsyncIterable<string>,
  delimiter: string,
  onColumns?: (columns: string[]) => void,
): AsyncGenerator<JsonRow> {
  let columns: string[] | null = null
  for await (const { line, cells, text } of records(texts, delimiter)) {
    if (cells === null) yield { line, value: undefined, problem: 'a quote in it does not close', text }
    else if (cells.length === 1 && cells[0]?.trim() === '') continue
    else if (columns === null) {
      columns = namesOf(cells)
      onColumns?.(columns)
    } else yield rowOf(columns, cells, line)
  }
}

/** `cells` null: the record does not end, and reading goes on in the line after its first. */
type Found = { line: number; cells: string[]; text?: undefined } | { line: number; cells: null; text: string }

async function* records(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<Found> {
  let open = ''
  let line = 1
  let enough = 0
  const step = function* (final: boolean): Generator<Found> {
    let from = 0
    while (from < open.length) {
      const record = recordAt(open, from, delimiter, final)
      if (record !== null) {
        yield { line, cells: record.cells }
        line += newlines(open, from, record.end)
        from = record.end
      } else if (final || open.length - from > LONGEST_ROW) {
        const end = open.indexOf('\n', from)
        yield { line, cells: null, text: open.slice(from, end < 0 ? open.length : end).slice(0, SHOWN) }
        from = end < 0 ? open.length : end + 1
        line += 1
      } else break
    }
    open = open.slice(from)
    // a record that is not whole yet is tried again when there is twice as much of it: linear over all
    enough = 2 * open.length
  }
  for await (const text of texts) {
    open += text
    if (open.length >= enough) yield* step(false)
  }
  yield* step(true)
}

/** The record that begins at `from`; null where the text ends inside it. */
function recordAt(
  text: string,
  from: number,
  delimiter: string,
  final: boolean,
): { cells: string[]; end: number } | null {
  const cells: string[] = []
  let at = from
  while (true) {
    let cell = ''
    if (text[at] === '"') {
      const quoted = quotedAt(text, at)
      if (quoted === null) return null
      cell = quoted.value
      at = quoted.end
    }
    const stop = cellEnd(text, at, delimiter)
    if (stop === text.length && !final) return null
    cell += text.slice(at, stop)
    at = stop + 1
    const isLast = stop >= text.length || text[stop] === '\n'
    cells.push(isLast ? cell.replace(/\r$/, '') : cell)
    if (isLast) return { cells, end: Math.min(at, text.length) }
  }
}

function cellEnd(text: string, at: number, delimiter: string): number {
  for (let place = at; place < text.length; place++) {
    const sign = text[place]
    if (sign === delimiter || sign === '\n') return place
  }
  return text.length
}

/** What stands in quotes, two of them being one; null where they do not close. */
function quotedAt(text: string, at: number): { value: string; end: number } | null {
  const parts: string[] = []
  for (let from = at + 1; ; ) {
    const end = text.indexOf('"', from)
    if (end < 0) return null
    parts.push(text.slice(from, end))
    if (text[end + 1] !== '"') return { value: parts.join('"'), end: end + 1 }
    from = end + 2
  }
}

function newlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Names are made to differ; one that is missing is named by its place. */
function namesOf(record: string[]): string[] {
  const names: string[] = []
  for (const [place, cell] of record.slice(0, MOST_COLUMNS).entries()) {
    const name = cell.trim() === '' ? `column ${place + 1}` : cell.trim()
    names.push(names.includes(name) ? `${name} ${place + 1}` : name)
  }
  return names
}

function rowOf(columns: string[], record: string[], line: number): JsonRow {
  if (record.length > columns.length && record.slice(columns.length).some((cell) => cell.trim() !== ''))
    return { line, value: undefined, problem: 'it has more cells than the first line has names' }
  const cells = columns.map((name, place) => [name, textCell(record[place] ?? '')])
  return { line, value: Object.fromEntries(cells), problem: null }
}
