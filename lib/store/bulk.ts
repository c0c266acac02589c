/**
 * Many rows in one statement with one JSON parameter, about ten times as fast as Prisma's createMany.
 * Owns: the two SQL dialects (json_each, jsonb_array_elements). Must never know: what the rows mean.
 * Invariant: rows go in slices with a pause between, so that SQLite, being synchronous, never blocks the process for long.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Db, Tx } from './database'
import { type ColumnKind, type Columns, type Table, toColumn } from './table'

const SLICE_ROWS = 1000
const LOOKUP_VALUES = 500

/** What happens to a row whose key is taken: an error, nothing, or all its other columns are written anew. */
export type OnConflict = 'fail' | 'ignore' | 'update'

/** Inserts the rows, which may be made as they are taken; answers how many were inserted or updated. */
export async function bulkInsert<Row extends object>(
  tx: Tx,
  table: Table<Row>,
  owner: string,
  rows: Iterable<Row>,
  conflict: OnConflict = 'fail',
): Promise<number> {
  const statement = insertStatement(tx, table, conflict)
  let written = 0
  for await (const json of slices(table.columns, rows)) {
    written += await tx.client.$executeRawUnsafe(statement, json, owner)
  }
  return written
}

/** Runs a query for slices of a long list of values, since a statement takes only so many parameters. */
export async function inSlices<Value, Found>(
  values: readonly Value[],
  query: (slice: Value[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  for (let start = 0; start < values.length; start += LOOKUP_VALUES) {
    // one by one: a slice of groups can hold more rollouts than a call takes arguments
    for (const row of await query(values.slice(start, start + LOOKUP_VALUES))) found.push(row)
  }
  return found
}

/**
 * The values of a JSON array as a list for `in (...)`: one statement for lists of any length, which Prisma would compile anew
 * for each. `parameter` counts from 1.
 */
export function listOf(db: Db, kind: 'int' | 'text', parameter: number): string {
  if (db.provider === 'sqlite') return 'select value from json_each(?)'
  return `select v::${POSTGRESQL_TYPES[kind]} from jsonb_array_elements_text($${parameter}::jsonb) as j(v)`
}

function insertStatement<Row>(db: Db, table: Table<Row>, conflict: OnConflict): string {
  const names = Object.keys(table.columns)
  const quoted = names.map((name) => `"${name}"`).join(', ')
  const key = [table.owner, ...table.key].map((name) => `"${name}"`).join(', ')
  const rest = names.filter((name) => !(table.key as readonly string[]).includes(name))
  const update = rest.map((name) => `"${name}" = excluded."${name}"`).join(', ')
  const clause = {
    fail: '',
    ignore: `on conflict (${key}) do nothing`,
    update: `on conflict (${key}) do update set ${update}`,
  }
  return `with v as (${sourceOf(db, table.columns)}) insert into "${table.name}" ("${table.owner}", ${quoted}) select ${ownerParameter(db)}, ${quoted} from v where true ${clause[conflict]}`
}

/** A select that unfolds the JSON parameter, an array of arrays in the order of the columns. */
function sourceOf(db: Db, columns: Columns): string {
  const kinds = Object.entries(columns)
  if (db.provider === 'sqlite') {
    const values = kinds.map(([name], index) => `value ->> ${index} as "${name}"`)
    return `select ${values.join(', ')} from json_each(?)`
  }
  const values = kinds.map(([name, kind], index) => `(r ->> ${index})::${POSTGRESQL_TYPES[kind]} as "${name}"`)
  return `select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as j(r)`
}

const POSTGRESQL_TYPES: Record<ColumnKind, string> = {
  text: 'text',
  int: 'int4',
  float: 'float8',
  bool: 'bool',
  json: 'text',
}

/** The JSON is the first parameter of every statement, the owner the second. */
function ownerParameter(db: Db): string {
  return db.provider === 'sqlite' ? '?' : '$2::text'
}

async function* slices(columns: Columns, rows: Iterable<object>): AsyncGenerator<string> {
  const kinds = Object.entries(columns)
  let slice: unknown[] = []
  for (const row of rows) {
    if (slice.length === SLICE_ROWS) {
      yield JSON.stringify(slice)
      slice = []
      await pause()
    }
    const named = row as Record<string, unknown>
    slice.push(kinds.map(([name, kind]) => toColumn(kind, named[name])))
  }
  if (slice.length > 0) yield JSON.stringify(slice)
}
