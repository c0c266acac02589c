/**
 * The lock file of a data folder: SQLite has one writer, and this names it (decided.md 3).
 * Owns: who holds the folder, how a dead holder is told from a live one. It holds no secret.
 * Invariant: of two processes that ask at once, one gets the lock.
 */
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from './arguments'
import { makeFolder } from './make-folder'

export interface LockHolder {
  /** processes of which any one alive keeps the lock: the command and the server that it started */
  processes: { id: number; begun: string | null }[]
  /** where the live server answers, null while it is starting or where a command works without one */
  address: string | null
  command: string
}

export interface Lock {
  /** Adds the server's process and its address. */
  name(server: { process: number; address: string }): void
  release(): void
}

/** The lock, or who holds it. */
export type TakenLock = { lock: Lock; holder: null } | { lock: null; holder: LockHolder }

/** The live holder, or null. */
export function lockHolder(data: string): LockHolder | null {
  const holder = readHolder(lockFile(data))
  return holder !== null && isHeld(holder) ? holder : null
}

/** Takes the lock, also over from a dead holder; answers the live holder instead where there is one. Throws CommandError. */
export function takeLock(data: string, command: string): TakenLock {
  makeFolder(data)
  const file = lockFile(data)
  let holder: LockHolder = { processes: [self(process.pid)], address: null, command }
  for (;;) {
    if (created(file, holder)) break
    const found = readHolder(file)
    if (found !== null && isHeld(found)) return { lock: null, holder: found }
    setAside(file, found)
  }
  const lock: Lock = {
    name(server) {
      holder = { ...holder, processes: [self(process.pid), self(server.process)], address: server.address }
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, JSON.stringify(holder))
      renameSync(draft, file)
    },
    release() {
      if (readHolder(file)?.processes[0]?.id === process.pid) rmSync(file, { force: true })
    },
  }
  return { lock, holder: null }
}

function lockFile(data: string): string {
  return path.join(data, 'server.lock')
}

function created(file: string, holder: LockHolder): boolean {
  try {
    const handle = openSync(file, 'wx')
    writeSync(handle, JSON.stringify(holder))
    closeSync(handle)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new CommandError(`${path.dirname(file)} cannot be written in: name a folder of your own with --data.`)
  }
}

/** Moves a dead holder's file away; puts it back where another process took the lock in between. */
function setAside(file: string, dead: LockHolder | null): void {
  const aside = `${file}.${process.pid}.dead`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  const moved = readHolder(aside)
  const isOther = moved !== null && JSON.stringify(moved) !== JSON.stringify(dead)
  if (isOther && !existsSync(file)) renameSync(aside, file)
  else rmSync(aside, { force: true })
}

function readHolder(file: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as LockHolder
    return Array.isArray(holder.processes) ? holder : null
  } catch {
    return null
  }
}

function isHeld(holder: LockHolder): boolean {
  return holder.processes.some(
    ({ id, begun }) => id !== process.pid && isAlive(id) && (begun ?? begunAt(id)) === begunAt(id),
  )
}

function self(id: number): { id: number; begun: string | null } {
  return { id, begun: begunAt(id) }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When the process began, in ticks since boot, where the system tells: process ids are used again. */
function begunAt(id: number): string | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? 'ended' : (fields[18] ?? null)
  } catch {
    return null
  }
}
