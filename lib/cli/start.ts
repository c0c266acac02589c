/**
 * `envsched start`: serves the dashboard and the trainer API on one data folder until it is told to stop.
 * Owns: the order (refuse what is unsafe, lock, migrate, serve, print one address, end cleanly).
 * Invariant: one live server a data folder; the token is printed in the address and nowhere else.
 */
import { addressOf, freePort, isLoopback, openBrowser, outsideAddress, withToken } from './address'
import { CommandError, type Environment, type ServeArguments } from './arguments'
import { type Lock, takeLock } from './start-lock'
import { openLog, type StartLog } from './start-log'
import { migrate, type RunningServer, serverEnvironment, spawnServer, stop, untilItAnswers } from './start-server'
import { startToken } from './start-token'

export const START_HELP = `npm run envsched -- start [flags]
Serves the dashboard and the trainer API until it is stopped (Ctrl-C).

  --port N      port to listen on (4310, or the next free one)
  --host ADDR   address to listen on (127.0.0.1); beyond loopback ENVSCHED_TOKEN must be set,
                16 characters or more
  --data DIR    folder for the database, token and logs (data, or ENVSCHED_DATA)
  --no-open     do not open a browser

DATABASE_URL=postgresql://... keeps everything in PostgreSQL instead of a file in the data folder.
`

/** Beyond loopback, in characters. */
const SHORTEST_TOKEN = 16

/** What runs beside the server, such as the demo trainer. Answers how to stop it. */
export type Beside = (server: { address: string; token: string; log: StartLog }) => () => Promise<void>

/** Resolves with the exit code when the server has ended. Throws CommandError. */
export async function start(args: ServeArguments, env: Environment, beside?: Beside): Promise<number> {
  refuseUnsafe(args.host, env)
  const lock = lockOrRefuse(args.data)
  const halt = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => halt.abort())
  try {
    const port = await freePort(args.host, args.port)
    const token = startToken(args.data, env)
    const log = openLog(args.data, [token, passwordOf(env.DATABASE_URL)])
    const plan = { host: args.host, port, data: args.data, token, env }
    log.write('starting', { address: addressOf(args.host, port), node: process.version })
    await migrate(serverEnvironment(plan), log)
    const server = spawnServer(plan, log)
    const pid = server.process.pid
    // named before it answers: should this process be killed, the server still keeps the folder
    if (pid !== undefined) lock.name({ process: pid, address: server.address })
    await untilItAnswers(server, log, halt.signal)
    return await serve(server, { args, env, token, log, beside, halt: halt.signal })
  } finally {
    lock.release()
  }
}

interface Serving {
  args: ServeArguments
  env: Environment
  token: string
  log: StartLog
  beside: Beside | undefined
  halt: AbortSignal
}

async function serve(server: RunningServer, { args, env, token, log, beside, halt }: Serving): Promise<number> {
  const { address } = server
  log.write('serving', { address })
  const opened = withToken(address, token)
  process.stdout.write(`EnvSched: ${opened}\n`)
  const outside = outsideAddress(args.host, Number(new URL(address).port))
  if (outside !== null) process.stdout.write(`From other machines: ${outside}, with the same token.\n`)
  if (args.open) openBrowser(opened, env)
  const stopBeside = beside?.({ address, token, log })
  // a browser's idle connection keeps a server that was only asked
  const end = () => void stop(server.process)
  if (halt.aborted) end()
  halt.addEventListener('abort', end, { once: true })
  const code = await server.ended
  await stopBeside?.()
  await stop(server.process)
  log.write('ended', { code, asked: halt.aborted })
  if (halt.aborted) return 0
  throw new CommandError(
    `The server ended by itself${code === null ? '' : ` with code ${code}`}: ${log.file} says why.`,
  )
}

function refuseUnsafe(host: string, env: Environment): void {
  const token = env.ENVSCHED_TOKEN ?? ''
  if (isLoopback(host) || token.length >= SHORTEST_TOKEN) return
  if (token !== '') {
    throw new CommandError(
      `Others could reach ${host}: a token of ${token.length} characters can be guessed, give ENVSCHED_TOKEN ${SHORTEST_TOKEN} or more.`,
    )
  }
  throw new CommandError(
    `Others could reach ${host}: set ENVSCHED_TOKEN to a token of your own before listening there.`,
  )
}

function lockOrRefuse(data: string): Lock {
  const { lock, holder } = takeLock(data, 'start')
  if (lock !== null) return lock
  const where = holder.address === null ? `another command (${holder.command})` : `the server at ${holder.address}`
  throw new CommandError(`${data} is in use by ${where}: use that one, stop it, or name another folder with --data.`)
}

/** The database's password must not reach the log either. */
function passwordOf(url: string | undefined): string {
  try {
    return url === undefined ? '' : decodeURIComponent(new URL(url).password)
  } catch {
    return ''
  }
}
