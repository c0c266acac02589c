/**
 * A server of its own for a test: the production build on a free port, with a data folder that is thrown away.
 * Needs `next build` to have run (npm test does). `kill` is kill -9: nothing is said good-bye to.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface TestServer {
  url: string
  port: number
  token: string
  dataDir: string
  pid: number
  /** what the server wrote to its log so far */
  log(): string
  /** GET or send JSON to /api/v1 with the token */
  api<T>(pathname: string, init?: { method?: string; body?: unknown }): Promise<{ status: number; body: T }>
  stop(): Promise<void>
  kill(): Promise<void>
}

export interface ServerOptions {
  /** keep a folder between two servers; made and removed when not given */
  dataDir?: string
  port?: number
  databaseUrl?: string
  env?: Record<string, string>
}

const ROOT = path.resolve(import.meta.dirname, '../..')
const READY_MS = 60_000
const PATIENCE_MS = 2_000

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'envsched-'))
  const port = options.port ?? (await freePort())
  const token = 'test-token-of-a-test-server'
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    NODE_OPTIONS: '',
    ENVSCHED_DATA: dataDir,
    DATABASE_URL: options.databaseUrl ?? `file:${path.join(dataDir, 'envsched.db')}`,
    ENVSCHED_TOKEN: token,
    ENVSCHED_AUTHOR: 'mira',
    HOST: '127.0.0.1',
    PORT: String(port),
    NEXT_TELEMETRY_DISABLED: '1',
    ...options.env,
  }
  const migrated = spawnSync(process.execPath, ['prisma/db.mjs', 'deploy'], { cwd: ROOT, env, encoding: 'utf8' })
  if (migrated.status !== 0) throw new Error(`migration failed: ${migrated.stderr}`)
  const child = spawn(
    process.execPath,
    ['node_modules/next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'],
    {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let written = ''
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  const url = `http://127.0.0.1:${port}`
  await ready(url, child, () => written)
  const end = (signal: NodeJS.Signals) => ended(child, signal)
  return {
    url,
    port,
    token,
    dataDir,
    pid: child.pid ?? 0,
    log: () => written,
    async api<T>(pathname: string, init: { method?: string; body?: unknown } = {}) {
      const response = await fetch(`${url}/api/v1${pathname}`, {
        method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: init.body === undefined ? undefined : JSON.stringify(init.body),
      })
      return { status: response.status, body: (await response.json()) as T }
    },
    async stop() {
      await end('SIGTERM')
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
    kill: () => end('SIGKILL'),
  }
}

async function ready(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const until = Date.now() + READY_MS
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${log()}`)
    const up = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    )
    if (up) return
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  throw new Error(`the server did not answer in ${READY_MS} ms: ${log()}`)
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  // an open page keeps a connection, and Next waits for those
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await over
  clearTimeout(patience)
}
