/**
 * A production server for a measurement: a port of its own, on a data folder that is thrown away, or on a given one that is kept.
 * Owns: its start, its end, its memory and the size of its database. Invariant: nothing of it is left behind but the given folder.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CommandError } from './arguments'
import { openLog } from './start-log'
import { migrate, serverEnvironment, spawnServer, stop, untilItAnswers } from './start-server'

export interface BenchServer {
  address: string
  token: string
  /** resident megabytes now, and the most there have been; null where the system does not tell */
  memory(): { now: number | null; most: number | null }
  databaseBytes(): number
  end(): Promise<void>
}

const HOST = '127.0.0.1'
const TOKEN = 'token-of-a-measurement'

/** `port` null: a free one. `kept`: a data folder that stays. @throws CommandError with one sentence. */
export async function openBenchServer(port: number | null, kept: string | null = null): Promise<BenchServer> {
  if (!existsSync(path.join('.next', 'BUILD_ID')))
    throw new CommandError('There is no production build: run npm run build first.')
  const data = kept ?? mkdtempSync(path.join(tmpdir(), 'envsched-bench-'))
  const remove = () => {
    if (kept === null) rmSync(data, { recursive: true, force: true })
  }
  const log = openLog(data, [])
  const env = { ...process.env, DATABASE_URL: undefined }
  const plan = { host: HOST, port: port ?? (await freePort()), data, token: TOKEN, env }
  try {
    await migrate(serverEnvironment(plan), log)
    const server = spawnServer(plan, log)
    await untilItAnswers(server, log, new AbortController().signal)
    return {
      address: server.address,
      token: TOKEN,
      memory: () => memoryOf(server.process.pid ?? 0),
      databaseBytes: () => databaseBytes(data),
      async end() {
        await stop(server.process)
        remove()
      },
    }
  } catch (cause) {
    remove()
    throw cause
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, HOST, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function memoryOf(pid: number): { now: number | null; most: number | null } {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return { now: null, most: null }
  }
  const megabytes = (name: string) => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)
    return found?.[1] === undefined ? null : Number(found[1]) / 1024
  }
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

/** The database and what its journal holds beside it. */
function databaseBytes(data: string): number {
  const size = (name: string) => {
    const file = path.join(data, name)
    return existsSync(file) ? statSync(file).size : 0
  }
  return size('envsched.db') + size('envsched.db-wal')
}
