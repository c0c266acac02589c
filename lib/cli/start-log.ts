/**
 * The log of a server: one JSON object a line in the data folder, for what the terminal does not show.
 * Invariant: no line holds a token; what looks like one is blacked out before it is written.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'

export interface StartLog {
  file: string
  write(event: string, fields?: Record<string, unknown>): void
  /** Cuts a stream of text into lines, each an event. */
  lines(event: string, fields?: Record<string, unknown>): (chunk: Buffer) => void
}

const LIMIT_BYTES = 10_000_000

export function openLog(data: string, secrets: string[]): StartLog {
  const folder = path.join(data, 'logs')
  const file = path.join(folder, 'server.jsonl')
  mkdirSync(folder, { recursive: true })
  rotate(file)
  const write = (event: string, fields: Record<string, unknown> = {}) => {
    const line = JSON.stringify({ at: new Date().toISOString(), event, ...fields })
    appendFileSync(file, `${withoutSecrets(line, secrets)}\n`, { mode: 0o600 })
  }
  return {
    file,
    write,
    lines(event, fields = {}) {
      let open = ''
      return (chunk) => {
        const parts = (open + chunk.toString()).split('\n')
        open = parts.pop() ?? ''
        for (const line of parts) if (line.trim() !== '') write(event, { ...fields, ...contentOf(line) })
      }
    },
  }
}

/** A line that is structured itself keeps its fields; what it calls its event is told as `what`. */
function contentOf(line: string): Record<string, unknown> {
  try {
    const { event, at: _, ...rest } = JSON.parse(line) as Record<string, unknown>
    if (typeof event === 'string') return { ...rest, what: event }
  } catch {
    // plain text
  }
  return { line: line.trimEnd() }
}

export function withoutSecrets(text: string, secrets: string[]): string {
  const known = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((line, secret) => line.replaceAll(secret, '[token]'), text)
  return known.replace(/([?&]token=)[^\s"&\\]+/g, '$1[token]').replace(/(bearer )[^\s"\\]+/gi, '$1[token]')
}

function rotate(file: string): void {
  try {
    if (statSync(file).size > LIMIT_BYTES) renameSync(file, `${file}.1`)
  } catch {
    // there is no log yet
  }
}
