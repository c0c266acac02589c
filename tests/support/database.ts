/**
 * Real databases for tests: a migrated template is copied for each test, on SQLite and on PostgreSQL.
 * Owns: the template, a PostgreSQL server of its own in a temporary folder (or TEST_POSTGRESQL_URL), and their end.
 * Without PostgreSQL's server programs, or as root without the user postgres, its tests are skipped with a message.
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Database, openDatabase, type Provider } from '@/lib/store/database'

export interface TestDatabase {
  url: string
  /** Ends it: files removed, database dropped. Close what is open on it first. */
  drop(): Promise<void>
}

interface Server {
  url: string
  stop(): Promise<void>
}

const root = process.cwd()
// one a process: several may share the server of TEST_POSTGRESQL_URL
const template = `envsched_template_${randomBytes(4).toString('hex')}`
let server: Promise<Server> | null = null

/** Whether tests can run on that database here; says so once when not. */
export function isAvailable(provider: Provider): boolean {
  if (provider === 'sqlite' || process.env.TEST_POSTGRESQL_URL !== undefined) return true
  const reason = missingForPostgresql()
  if (reason !== null) console.warn(`Tests on PostgreSQL are skipped: ${reason}.`)
  return reason === null
}

/** Hooks that open a fresh database for each test of the describe block; answers how to get at it. */
export function useDatabase(provider: Provider): () => Database {
  let made: TestDatabase | null = null
  let opened: Database | null = null
  beforeAll(async () => {
    await (await createTestDatabase(provider)).drop()
  })
  beforeEach(async () => {
    made = await createTestDatabase(provider)
    opened = await openDatabase(made.url)
  })
  afterEach(async () => {
    await opened?.close()
    await made?.drop()
  })
  if (provider === 'postgresql') afterAll(stopPostgresql)
  return () => {
    if (opened === null) throw new Error('the database is open only inside a test')
    return opened
  }
}

/** A migrated, empty database, for tests that need its URL (several processes, a server). */
export async function createTestDatabase(provider: Provider): Promise<TestDatabase> {
  if (provider === 'sqlite') return sqliteDatabase()
  server ??= startPostgresql()
  const { url } = await server
  const name = `test_${randomBytes(6).toString('hex')}`
  await run(url, `create database ${name} template ${template}`)
  return { url: withDatabase(url, name), drop: () => run(url, `drop database ${name} with (force)`) }
}

/** Ends the PostgreSQL server of this test process, if one was started. */
export async function stopPostgresql(): Promise<void> {
  const running = server
  server = null
  if (running !== null) await (await running).stop()
}

function sqliteDatabase(): TestDatabase {
  const migrated = path.join(os.tmpdir(), `envsched-test-${migrationsHash()}.db`)
  if (!existsSync(migrated)) {
    // made apart and moved: another test process never sees half of it
    const draft = mkdtempSync(path.join(os.tmpdir(), 'envsched-template-'))
    migrate(`file:${path.join(draft, 'test.db')}`)
    renameSync(path.join(draft, 'test.db'), migrated)
    rmSync(draft, { recursive: true, force: true })
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'envsched-sqlite-'))
  const file = path.join(folder, 'test.db')
  copyFileSync(migrated, file)
  return { url: `file:${file}`, drop: async () => rmSync(folder, { recursive: true, force: true }) }
}

function migrationsHash(): string {
  const hash = createHash('sha256')
  const folder = path.join(root, 'prisma', 'sqlite', 'migrations')
  for (const name of readdirSync(folder).sort()) {
    const file = path.join(folder, name, 'migration.sql')
    if (existsSync(file)) hash.update(name).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function migrate(url: string): void {
  execFileSync(process.execPath, [path.join(root, 'prisma', 'db.mjs'), 'deploy'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function binaries(): string | null {
  const versions = '/usr/lib/postgresql'
  if (!existsSync(versions)) return null
  const newest = readdirSync(versions)
    .filter((version) => existsSync(path.join(versions, version, 'bin', 'pg_ctl')))
    .sort((a, b) => Number(b) - Number(a))[0]
  return newest === undefined ? null : path.join(versions, newest, 'bin')
}

function missingForPostgresql(): string | null {
  if (binaries() === null) return 'its server programs are not installed'
  if (os.userInfo().uid !== 0) return null
  try {
    execFileSync('runuser', ['-u', 'postgres', '--', 'true'], { stdio: 'ignore' })
    return null
  } catch {
    return 'root cannot run it and there is no user postgres'
  }
}

async function startPostgresql(): Promise<Server> {
  const given = process.env.TEST_POSTGRESQL_URL
  if (given !== undefined) {
    await makeTemplate(given)
    return { url: given, stop: () => run(given, `drop database ${template} with (force)`) }
  }
  const bin = binaries()
  if (bin === null) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'envsched-postgresql-'))
  const isRoot = os.userInfo().uid === 0
  if (isRoot) execFileSync('chown', ['postgres:', folder])
  const command = (name: string, args: string[]) => {
    const program = path.join(bin, name)
    const [file, list] = isRoot ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args]
    execFileSync(file as string, list as string[], { stdio: 'ignore', cwd: folder })
  }
  const data = path.join(folder, 'data')
  const port = await freePort()
  command('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'])
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
  command('pg_ctl', ['-D', data, '-o', options, '-l', path.join(folder, 'log'), '-w', 'start'])
  const stop = () => {
    command('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', () => {
    if (existsSync(path.join(data, 'postmaster.pid'))) stop()
  })
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  await makeTemplate(url)
  return { url, stop: async () => stop() }
}

async function makeTemplate(url: string): Promise<void> {
  await run(url, `create database ${template}`)
  migrate(withDatabase(url, template))
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error())))
    })
  })
}
