/**
 * Parts of a reward with what was said about them, and the one number of several.
 * Invariant: what is no number is null, and a null among the parts never counts as 0.
 */
import { asNumber, asText } from './untyped'

export interface ToldPart {
  name: string
  value: number | null
  message?: string
}

const LONGEST_MESSAGE = 4000

/** A number or a truth value; all else is null. */
export function partOf(name: string, value: unknown, message?: unknown): ToldPart {
  const number = typeof value === 'boolean' ? Number(value) : asNumber(value)
  const text = asText(message)
  return { name, value: number, ...(text === null ? {} : { message: text.slice(0, LONGEST_MESSAGE) }) }
}

/** The part that is called so, else the only one, else the mean where all are numbers. */
export function totalOf(parts: readonly ToldPart[]): number | null {
  for (const name of ['reward', 'score', 'total']) {
    const named = parts.find((part) => part.name === name)
    if (named !== undefined) return named.value
  }
  let sum = 0
  for (const { value } of parts) {
    if (value === null) return null
    sum += value
  }
  return parts.length === 0 ? null : sum / parts.length
}

/** Where a check stands several times, it holds only if it always held. */
export function joined(parts: readonly ToldPart[]): ToldPart[] {
  const byName = new Map<string, ToldPart>()
  for (const part of parts) {
    const known = byName.get(part.name)
    if (known === undefined) byName.set(part.name, part)
    else if (part.value !== null && (known.value === null || part.value < known.value)) byName.set(part.name, part)
  }
  return [...byName.values()]
}

/** Seconds from one written time to another; null where one is missing or they lie the wrong way round. */
export function secondsBetween(from: unknown, to: unknown): number | null {
  const start = Date.parse(asText(from) ?? '')
  const end = Date.parse(asText(to) ?? '')
  return Number.isFinite(start) && Number.isFinite(end) && end >= start ? (end - start) / 1000 : null
}
