/**
 * Reads the body of a request: bytes, gzip, JSON, JSON lines. Must never know: what is in it.
 * Invariant: no body fills the memory; what cannot be read is refused by a sentence. Lines are read while they come.
 */
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { looseJson } from '@/lib/contract/loose-json'
import { type BodyLine, linesOf } from '@/lib/service/body-lines'
import { ServiceError } from '@/lib/service/service-error'

/** Largest body that is held, unpacked: a task set of 100,000 tasks or a report of many long trajectories. */
const MOST_BYTES = 256 * 1024 * 1024

const tooLarge = (most: number) =>
  new ServiceError(413, 'too_large', `The body is larger than ${most / 1024 / 1024} MB: send it in parts.`)

export async function bodyJson(request: Request): Promise<unknown> {
  const pieces: Uint8Array[] = []
  for await (const piece of bodyPieces(request, MOST_BYTES)) pieces.push(piece)
  const text = Buffer.concat(pieces).toString('utf8')
  if (text.trim() === '') throw new ServiceError(400, 'no_body', 'The body is empty: send JSON.')
  const value = looseJson(text)
  if (value === undefined) throw new ServiceError(400, 'bad_json', 'The body is no JSON.')
  return value
}

/** Items of a JSON array, or one object as its only item. */
export async function bodyItems(request: Request): Promise<unknown[]> {
  const items = await bodyJson(request)
  return Array.isArray(items) ? items : [items]
}

/** Lines of NDJSON as they come, those that are empty left out. `most`: bytes of all of them. */
export function bodyLines(request: Request, most = MOST_BYTES): AsyncGenerator<BodyLine> {
  return linesOf(bodyPieces(request, most))
}

export const isNdjson = (request: Request) => (request.headers.get('content-type') ?? '').includes('ndjson')

/** Unpacked bytes, piece by piece, so that a body without end is refused early. */
async function* bodyPieces(request: Request, most: number): AsyncGenerator<Uint8Array> {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').toLowerCase()
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new ServiceError(415, 'encoding', `The body is packed as "${encoding}": send it plain or as gzip.`)
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most)
  if (request.body === null) return
  let bytes = 0
  for await (const piece of encoding === 'gzip' ? unpacked(request.body) : request.body) {
    bytes += piece.byteLength
    if (bytes > most) throw tooLarge(most)
    yield piece
  }
}

async function* unpacked(body: NonNullable<Request['body']>): AsyncGenerator<Uint8Array> {
  const packed = Readable.fromWeb(body as ReadableStream<Uint8Array>)
  const gunzip = pipeline(packed, createGunzip(), () => {})
  try {
    for await (const piece of gunzip) yield piece as Uint8Array
  } catch {
    throw new ServiceError(400, 'bad_gzip', 'The body says that it is gzip, but it cannot be unpacked.')
  } finally {
    packed.destroy()
  }
}
