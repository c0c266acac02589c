/**
 * Where a server listens: loopback or not, a free port, the address that people open, and the browser to open it in.
 * Invariant: the token stands in the printed address only; logs get the address without it.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { CommandError, DEFAULT_PORT, type Environment } from './arguments'

const PORTS_TRIED = 20

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The address without a token. A server on all interfaces is reached on loopback from here. */
export function addressOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const name = reached.includes(':') && !reached.startsWith('[') ? `[${reached}]` : reached
  return `http://${name}:${port}`
}

/** Where other machines reach a server that listens on all interfaces; null where it does not, or there is no network. */
export function outsideAddress(host: string, port: number): string | null {
  if (host !== '0.0.0.0' && host !== '::') return null
  const found = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  return found === undefined ? null : `http://${found.address}:${port}`
}

export function withToken(address: string, token: string): string {
  return `${address}/?token=${encodeURIComponent(token)}`
}

/** The asked port, or the first free one from 4310 on. Throws CommandError where none is free. */
export async function freePort(host: string, asked: number | null): Promise<number> {
  if (asked !== null) {
    if (await isFree(host, asked)) return asked
    throw new CommandError(`Port ${asked} is in use: choose another one with --port.`)
  }
  for (let port = DEFAULT_PORT; port < DEFAULT_PORT + PORTS_TRIED; port++) {
    if (await isFree(host, port)) return port
  }
  throw new CommandError(
    `Ports ${DEFAULT_PORT} to ${DEFAULT_PORT + PORTS_TRIED - 1} are in use: name a free one with --port.`,
  )
}

/** False where the port is taken. Throws CommandError where the host is not one of this machine. */
function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') resolve(false)
      else if (cause.code === 'EACCES')
        reject(new CommandError(`Port ${port} needs more rights: choose one above 1023.`))
      else reject(new CommandError(`Nothing can listen on ${host}: name an address of this machine with --host.`))
    })
    probe.listen(port, host.replace(/^\[|\]$/g, ''), () => probe.close(() => resolve(true)))
  })
}

/** Opens the address where there is a screen; does nothing, quietly, where there is none. */
export function openBrowser(address: string, env: Environment): void {
  const command = browserCommand(process.platform, env)
  if (command === null) return
  const [program = '', ...args] = command
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

export function browserCommand(platform: NodeJS.Platform, env: Environment): string[] | null {
  if (env.CI !== undefined || env.SSH_CONNECTION !== undefined) return null
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined ? null : ['xdg-open']
}
