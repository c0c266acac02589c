// Prisma's own schema engine as WebAssembly over a driver adapter, so that no engine binary is downloaded.
// Owns: the adapters as the engine needs them (their faults under it are mended here) and loading the engine.
// Must never know: which command is run.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'

const require = createRequire(import.meta.url)

/** Connection fields instead of a connection string: a string would beat `database`, and the shadow database would be the main one. */
function postgresqlFields(url) {
  const u = new URL(url)
  const sslmode = u.searchParams.get('sslmode')
  return {
    host: u.searchParams.get('host') ?? u.hostname,
    port: u.port === '' ? 5432 : Number(u.port),
    user: u.username === '' ? undefined : decodeURIComponent(u.username),
    password: u.password === '' ? undefined : decodeURIComponent(u.password),
    database: decodeURIComponent(u.pathname.slice(1)),
    ssl:
      sslmode === null || sslmode === 'disable' || sslmode === 'prefer' || sslmode === 'allow'
        ? undefined
        : { rejectUnauthorized: sslmode === 'verify-full' || sslmode === 'verify-ca' },
  }
}

// The engine sends whole migration scripts to the shadow database through executeRaw, which for SQLite runs one
// statement only (better-sqlite3 throws): route argument-less calls to executeScript.
function sqlite(factory) {
  const wrap = (adapter) => {
    const raw = adapter.executeRaw.bind(adapter)
    adapter.executeRaw = async (query) => {
      if (query.args.length === 0 && /;\s*\S/.test(query.sql)) {
        await adapter.executeScript(query.sql)
        return 0
      }
      return raw(query)
    }
    return adapter
  }
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => wrap(await factory.connect()),
    connectToShadowDb: async () => wrap(await factory.connectToShadowDb()),
  }
}

// Three faults of adapter-pg under the schema engine:
// 1. PostgreSQL's internal "char" type (oid 18), selected from the system tables, has no mapping: give it as text.
// 2. connectToShadowDb with a connection string connects to the main database.
// 3. the shadow database is dropped before its own pool is closed, which PostgreSQL refuses.
function postgresql(PrismaPg, fields) {
  const open = async (config) => {
    const adapter = await new PrismaPg(config).connect()
    const io = adapter.performIO.bind(adapter)
    adapter.performIO = async (query) => {
      const result = await io(query)
      for (const field of result.fields ?? []) if (field.dataTypeID === 18) field.dataTypeID = 25
      return result
    }
    return adapter
  }
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => open(fields),
    connectToShadowDb: async () => {
      const database = `prisma_migrate_shadow_db_${randomUUID()}`
      const admin = await open(fields)
      await admin.executeScript(`CREATE DATABASE "${database}"`)
      const shadow = await open({ ...fields, database })
      const dispose = shadow.dispose.bind(shadow)
      shadow.dispose = async () => {
        await dispose()
        await admin.executeScript(`DROP DATABASE "${database}" WITH (FORCE)`)
        await admin.dispose()
      }
      return shadow
    },
  }
}

/** @param {string} url @param {'sqlite' | 'postgresql'} provider */
export async function makeAdapter(url, provider) {
  if (provider === 'postgresql') {
    const { PrismaPg } = await import('@prisma/adapter-pg')
    return postgresql(PrismaPg, postgresqlFields(url))
  }
  const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3')
  return sqlite(new PrismaBetterSqlite3({ url }))
}

/** The engine leaves a 60 s timer behind: the caller ends the process. */
export async function loadEngine(adapter, schemaPath) {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'))
  const module = new WebAssembly.Module(readFileSync(path.join(folder, 'schema_engine_bg.wasm')))
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  const bound = bindMigrationAwareSqlAdapterFactory(adapter)
  const engine = await glue.SchemaEngine.new(
    { datamodels: [[schemaPath, readFileSync(schemaPath, 'utf8')]] },
    (log) => process.env.DEBUG !== undefined && console.error(log),
    bound,
  )
  return { engine, bound }
}
