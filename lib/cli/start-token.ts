/**
 * The start-up token: made once a data folder, kept with rights for its owner only, so that it survives restarts.
 * ENVSCHED_TOKEN goes first and is not written down.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from './arguments'

const file = (data: string) => path.join(data, 'start-token')

/** The token that a server on this folder was started with, or null. */
export function knownToken(data: string, env: Environment): string | null {
  if (env.ENVSCHED_TOKEN !== undefined && env.ENVSCHED_TOKEN !== '') return env.ENVSCHED_TOKEN
  try {
    const text = readFileSync(file(data), 'utf8').trim()
    return text === '' ? null : text
  } catch {
    return null
  }
}

export function startToken(data: string, env: Environment): string {
  const known = knownToken(data, env)
  if (known !== null) return known
  const token = randomBytes(24).toString('base64url')
  mkdirSync(data, { recursive: true })
  writeFileSync(file(data), `${token}\n`, { mode: 0o600 })
  chmodSync(file(data), 0o600)
  return token
}
