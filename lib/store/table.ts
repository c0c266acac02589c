/**
 * How a typed row lies in a table: one description serves bulk writes, single writes and reads.
 * Owns: the column kinds and the door for JSON and text. Must never know: SQL, what the rows mean.
 * Invariant: null stays null; 0, false and '' survive. JSON columns are text, so floats come back to the bit.
 */
export type ColumnKind = 'text' | 'int' | 'float' | 'bool' | 'json'

/** `owner` is the column that every row of one write shares (the run or the task set); rows leave it out. */
export interface Table<Row> {
  readonly name: string
  readonly owner: 'runId' | 'taskSetId'
  readonly key: readonly (keyof Row & string)[]
  readonly columns: { readonly [Name in keyof Row & string]-?: ColumnKind }
}

export type Columns = Readonly<Record<string, ColumnKind>>

/** A JSON column's text; undefined and null are both null. */
export function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T
}

/** NUL cannot be stored by PostgreSQL, nor half a surrogate pair: both become the replacement character. */
export function cleanText(text: string): string {
  return /[\0\ud800-\udfff]/.test(text) ? Buffer.from(text).toString().replaceAll('\0', '\ufffd') : text
}

/** One value as it goes to the database. */
export function toColumn(kind: ColumnKind, value: unknown): unknown {
  if (kind === 'json') return toJson(value)
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? cleanText(value) : value
}

/** A row as Prisma read it, to the typed row: JSON parsed, columns that the row does not name left out. */
export function fromRecord<Row>(
  table: { columns: { readonly [Name in keyof Row & string]-?: ColumnKind } },
  record: object,
): Row {
  const source = record as Record<string, unknown>
  const row: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries<ColumnKind>(table.columns)) {
    const value = source[name] ?? null
    row[name] = kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value
  }
  return row as Row
}

/** The part of a row that a patch names, as it goes to Prisma. */
export function toRecord(columns: Columns, patch: object): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(patch)) {
    const kind = columns[name]
    if (kind !== undefined && value !== undefined) record[name] = toColumn(kind, value)
  }
  return record
}
