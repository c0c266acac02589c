/**
 * Rows of objects as CSV (RFC 4180): nested objects become dotted columns, lists become JSON text.
 * A cell that a spreadsheet would take for a formula gets an apostrophe before it. null is an empty cell, 0 is 0.
 */
export function csvOf(rows: readonly unknown[]): string {
  const flat = rows.map((row) => flatten(row))
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  const lines = [columns.map(cell), ...flat.map((row) => columns.map((column) => cell(row[column] ?? null)))]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

/** One row with exactly these columns. */
export function csvLine(row: unknown, columns: readonly string[]): string {
  const flat = flatten(row)
  return columns.map((column) => cell(flat[column] ?? null)).join(',')
}

/** The same as a stream, a line a row: the columns are those of the first row, so that all rows must have the same. */
export async function* csvLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let columns: string[] | null = null
  for await (const row of rows) {
    const flat = flatten(row)
    if (columns === null) {
      columns = Object.keys(flat)
      yield `${columns.map(cell).join(',')}\r\n`
    }
    yield `${columns.map((column) => cell(flat[column] ?? null)).join(',')}\r\n`
  }
}

export type Flat = Record<string, string | number | boolean | null>

/** Nested objects as dotted columns, lists as JSON text. */
export function flatten(value: unknown, prefix = '', into: Flat = {}): Flat {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) flatten(inner, prefix === '' ? key : `${prefix}.${key}`, into)
  } else if (Array.isArray(value)) into[prefix] = JSON.stringify(value)
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') into[prefix] = value
  else into[prefix] = null
  return into
}

function cell(value: string | number | boolean | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^\s*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
