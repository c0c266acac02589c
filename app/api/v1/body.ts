/**
 * Reads the body of a request: bytes, gzip, JSON, JSON lines. Must never know: what is in it.
 * Invariant: no body fills the memory; what cannot be read is refused by a sentence, and of lines only the one.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ServiceError } from '@/lib/service/service-error'

/** Largest body that is read, unpacked: a task set of 100,000 tasks or a report of many long trajectories. */
const MOST_BYTES = 256 * 1024 * 1024

const tooLarge = () => new ServiceError(413, 'too_large', 'The body is larger than 256 MB: send it in parts.')

export async function bodyJson(request: Request): Promise<unknown> {
  return parseJson(await bodyText(request))
}

/** Items of a JSON array, of one object, or of NDJSON lines. A line that is no JSON stays, as text, for its own refusal. */
export async function bodyItems(request: Request): Promise<unknown[]> {
  const text = await bodyText(request)
  if (!isNdjson(request)) {
    const items = parseJson(text)
    return Array.isArray(items) ? items : [items]
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => jsonOf(line) ?? line)
}

export const isNdjson = (request: Request) => (request.headers.get('content-type') ?? '').includes('ndjson')

async function bodyText(request: Request): Promise<string> {
  const raw = await bodyBytes(request)
  const encoding = (request.headers.get('content-encoding') ?? 'identity').toLowerCase()
  if (encoding === 'identity') return raw.toString('utf8')
  if (encoding !== 'gzip')
    throw new ServiceError(415, 'encoding', `The body is packed as "${encoding}": send it plain or as gzip.`)
  try {
    return (await promisify(gunzip)(raw, { maxOutputLength: MOST_BYTES })).toString('utf8')
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge()
    throw new ServiceError(400, 'bad_gzip', 'The body says that it is gzip, but it cannot be unpacked.')
  }
}

/** Piece by piece, so that a body without end is refused early. */
async function bodyBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) throw tooLarge()
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of request.body ?? []) {
    bytes += piece.byteLength
    if (bytes > MOST_BYTES) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  const value = jsonOf(text)
  if (value === undefined) throw new ServiceError(400, 'bad_json', 'The body is no JSON.')
  return value
}

/**
 * The value, or undefined where it is no JSON. Python writes NaN and Infinity bare, which JSON does not know: they are read
 * as their names, so that one broken reward never loses a report.
 */
function jsonOf(text: string): unknown {
  const value = parsed(text)
  return value === undefined && /NaN|Infinity/.test(text) ? parsed(withNamedNumbers(text)) : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Quotes the bare numbers outside strings. One pass. */
function withNamedNumbers(text: string): string {
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const quote = text.indexOf('"', at)
    const outside = text.slice(at, quote < 0 ? text.length : quote)
    parts.push(outside.replace(/-?\bInfinity\b|\bNaN\b/g, '"$&"'))
    if (quote < 0) break
    at = endOfString(text, quote)
    parts.push(text.slice(quote, at))
  }
  return parts.join('')
}

/** The place behind the string that opens at `quote`. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}
