/**
 * Server ids: URL-safe, short, and stable. Real keys contain slashes and repeat between environments, so paths use these.
 * "e3" and "t17" are positions in the task set, which never changes; leases and overrides are numbers of the run.
 */
import { randomBytes } from 'node:crypto'
import { ServiceError } from './service-error'

export const environmentId = (ordinal: number) => `e${ordinal}`
export const taskId = (ordinal: number) => `t${ordinal}`
export const leaseId = (number: number) => `l${number}`
export const batchId = (index: number) => `b${index}`
export const overrideId = (number: number) => `o${number}`
export const groupId = (number: number) => `g${number}`
export const rolloutRef = (seq: number) => `r${seq}`

const PREFIXES = {
  environment: 'e',
  task: 't',
  lease: 'l',
  batch: 'b',
  override: 'o',
  group: 'g',
  rollout: 'r',
} as const

/** The number in an id, or null when it is no id of that kind. */
export function numberOf(kind: keyof typeof PREFIXES, id: string): number | null {
  const match = /^([a-z])(\d{1,9})$/.exec(id)
  return match !== null && match[1] === PREFIXES[kind] ? Number(match[2]) : null
}

export function requireNumber(kind: keyof typeof PREFIXES, id: string): number {
  const number = numberOf(kind, id)
  if (number === null)
    throw new ServiceError(404, 'not_found', `"${id}" is no ${kind} id: those look like "${PREFIXES[kind]}12".`)
  return number
}

/** A random id with a prefix: 12 characters of base 32, 60 bits. */
export function randomId(prefix: string): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
  return prefix + [...randomBytes(12)].map((byte) => alphabet.charAt(byte % 32)).join('')
}

/** Letters of override markers: A to Z, AA, AB, … */
export function letterOf(number: number): string {
  let rest = number
  let letters = ''
  while (rest > 0) {
    const digit = (rest - 1) % 26
    letters = String.fromCharCode(65 + digit) + letters
    rest = (rest - 1 - digit) / 26
  }
  return letters
}
