/** How a row begins, as JSON, without writing all of it: rows may be megabytes long. */
import { written } from './mapping'
import type { Row } from './untyped'

/** At most `length` characters. */
export function shownRow(row: Row, length: number): string {
  const parts: string[] = []
  let total = 0
  for (const [key, value] of Object.entries(row)) {
    const scalar = typeof value !== 'object' || value === null
    const text = typeof value === 'string' && value.length > length ? value.slice(0, length) : value
    const part = `${JSON.stringify(key)}: ${scalar ? JSON.stringify(text) : (written(value) ?? 'nothing')}`
    parts.push(part)
    total += part.length
    if (total > length) break
  }
  const shown = `{${parts.join(', ')}}`
  return shown.length <= length ? shown : `${shown.slice(0, length - 1).replace(/\p{Surrogate}$/u, '')}…`
}
