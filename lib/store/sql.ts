/**
 * Raw queries with parameters by place, for sums that Prisma cannot write.
 * Owns: how a parameter is written on each database, and how large a stored text or blob is. Must never know: tables.
 */
import type { Db } from './database'

export class Sql {
  readonly values: unknown[] = []

  constructor(private readonly db: Db) {}

  /** A parameter, a text or a whole number; each call is one more. */
  take(value: string | number): string {
    this.values.push(value)
    if (this.db.provider === 'sqlite') return '?'
    return `$${this.values.length}::${typeof value === 'string' ? 'text' : 'int8'}`
  }

  /** Bytes of a text or blob as stored; 0 for null. Neither database reads what lies outside the row for it. */
  bytes(column: string): string {
    return `coalesce(${this.db.provider === 'sqlite' ? 'octet_length' : 'pg_column_size'}(${column}), 0)`
  }

  /** A sum that comes as a number on both; 0 without rows. */
  sum(what: string): string {
    return `coalesce(sum(${what}), 0)${this.db.provider === 'sqlite' ? '' : '::float8'}`
  }

  /** The number at a place of a JSON array, given as text. */
  numberAt(array: string, place: string): string {
    return this.db.provider === 'sqlite' ? `(${array} ->> ${place})` : `((${array}::jsonb ->> ${place})::float8)`
  }

  /** Rows with numbers as numbers: counts come as bigint. */
  async rows<Row extends Record<string, number | string | null>>(statement: string): Promise<Row[]> {
    const found = await this.db.client.$queryRawUnsafe<Record<string, unknown>[]>(statement, ...this.values)
    return found.map(
      (row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
        ) as Row,
    )
  }
}
