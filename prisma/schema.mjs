// Makes prisma/postgresql/schema.prisma from prisma/sqlite/schema.prisma: only the header, the provider and the
// client's folder differ. `node prisma/schema.mjs` writes it; a test checks that the two are equal.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = import.meta.dirname
export const sqliteSchema = path.join(folder, 'sqlite', 'schema.prisma')
export const postgresqlSchema = path.join(folder, 'postgresql', 'schema.prisma')

/** @param {string} text the SQLite schema @returns {string} the same model for PostgreSQL */
export function toPostgresql(text) {
  const body = text.slice(text.indexOf('generator client'))
  return `// Made from prisma/sqlite/schema.prisma by prisma/schema.mjs: change that file.\n\n${body
    .replace('lib/generated/sqlite', 'lib/generated/postgresql')
    .replace('provider = "sqlite"', 'provider = "postgresql"')}`
}

/** Writes the PostgreSQL schema if it differs. */
export function writePostgresqlSchema() {
  const wanted = toPostgresql(readFileSync(sqliteSchema, 'utf8'))
  let found = null
  try {
    found = readFileSync(postgresqlSchema, 'utf8')
  } catch {
    mkdirSync(path.dirname(postgresqlSchema), { recursive: true })
  }
  if (found !== wanted) writeFileSync(postgresqlSchema, wanted)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePostgresqlSchema()
