/* Owns the plain table behind a chart or a rich table: what "show as table" shows and what is exported.
   Must never know how it is drawn. Invariant: an unknown cell stays empty in CSV and null in JSON, never 0. */

export type TwinCell = string | number | boolean | null

/** `name` is the file name without ending; every row has one cell a column. */
export interface TableTwin {
  name: string
  columns: string[]
  rows: TwinCell[][]
}

// A cell that starts like a formula would run in a spreadsheet: names come from outside.
function csvCell(cell: TwinCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = String(cell)
  const safe = /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** RFC 4180 with a head line. */
export function twinToCsv(twin: TableTwin): string {
  return `${[twin.columns, ...twin.rows].map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`
}

/** One object a row, keyed by the column's name. */
export function twinToJson(twin: TableTwin): string {
  const rows = twin.rows.map((row) => Object.fromEntries(twin.columns.map((column, i) => [column, row[i] ?? null])))
  return `${JSON.stringify(rows, null, 2)}\n`
}
