/**
 * The server as a child process: migrations first, then the production server, then a wait until it answers.
 * Owns: what environment it gets and how it ends. Must never know: flags, locks, what people read.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { get } from 'node:http'
import path from 'node:path'
import { addressOf } from './address'
import { CommandError, type Environment } from './arguments'
import type { StartLog } from './start-log'

export interface ServerPlan {
  host: string
  port: number
  data: string
  token: string
  env: Environment
}

export interface RunningServer {
  address: string
  process: ChildProcess
  /** resolves when it has ended, with its exit code (null: by a signal) */
  ended: Promise<number | null>
}

const ANSWER_SECONDS = 60

/** The environment of the server and of what runs beside it. */
export function serverEnvironment({ host, port, data, token, env }: ServerPlan): NodeJS.ProcessEnv {
  return {
    ...env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ENVSCHED_DATA: data,
    DATABASE_URL: databaseUrl(data, env),
    ENVSCHED_TOKEN: token,
    HOST: host,
    HOSTNAME: host,
    PORT: String(port),
  }
}

export function databaseUrl(data: string, env: Environment): string {
  const given = env.DATABASE_URL
  return given === undefined || given === '' ? `file:${path.resolve(data, 'envsched.db')}` : given
}

/** Brings the database to this version's tables. Throws CommandError with the reason. */
export async function migrate(environment: NodeJS.ProcessEnv, log: StartLog): Promise<void> {
  const child = spawn(process.execPath, ['prisma/db.mjs', 'deploy'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const code = await endOf(child)
  log.write('migrated', { code, output: output.trim() })
  if (code !== 0) {
    throw new CommandError(
      `The database could not be brought up to date: ${output.trim().split('\n')[0] ?? 'no reason given'}`,
    )
  }
}

export function spawnServer(plan: ServerPlan, log: StartLog): RunningServer {
  const { host, port } = plan
  const next = path.join('node_modules', 'next', 'dist', 'bin', 'next')
  const child = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', host.replace(/^\[|\]$/g, '')], {
    env: serverEnvironment(plan),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', log.lines('server'))
  child.stderr.on('data', log.lines('server', { level: 'error' }))
  // whatever ends this process, the server does not outlive it unseen
  process.once('exit', () => child.kill('SIGTERM'))
  return { address: addressOf(host, port), process: child, ended: endOf(child) }
}

/** Throws CommandError, with the server ended, where it ends by itself, stays silent, or `halt` says so. */
export async function untilItAnswers(server: RunningServer, log: StartLog, halt: AbortSignal): Promise<void> {
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + ANSWER_SECONDS * 1000
  while (!(await answers(server.address))) {
    if (hasEnded && !halt.aborted) throw new CommandError(`The server ended at once: ${log.file} says why.`)
    if (halt.aborted || Date.now() > deadline) {
      await stop(server.process)
      if (halt.aborted) throw new CommandError('Stopped before the server answered.')
      throw new CommandError(`The server did not answer within ${ANSWER_SECONDS} s: ${log.file} says why.`)
    }
    await new Promise((done) => setTimeout(done, 100))
  }
}

/**
 * Whether a server answers there. By node:http: Node 20 may collect the signal of AbortSignal.timeout before a fetch's
 * body is read, and that fetch then hangs for good (seen at 1 start in 6).
 */
export function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${address}/healthz`, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.setTimeout(5000, () => request.destroy())
    request.once('error', () => resolve(false))
    request.once('close', () => resolve(false))
  })
}

export function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => {
    child.once('error', () => done(1))
    child.once('exit', (code) => done(code))
  })
}

/** Asks a child to end, and ends it after 5 s: all that counts is in the database. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = endOf(child)
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}
