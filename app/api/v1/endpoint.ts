/**
 * What every route handler does before and after its one call: find the principal, read the body, answer in JSON or CSV,
 * and turn what is thrown into the one error shape. Routes hold no logic.
 */

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { z } from 'zod'
import type { Principal, Scope } from '@/lib/contract/access'
import type { ErrorBody } from '@/lib/contract/page'
import { authorise } from '@/lib/service/access'
import { faultOf, log } from '@/lib/service/logger'
import { getRuntime, type Runtime } from '@/lib/service/runtime'
import { invalid, ServiceError } from '@/lib/service/service-error'
import { csvOf } from './csv'
import { tokenIn } from './token'

/** Largest body that is read, unpacked: a task set of 100,000 tasks or a report of many long trajectories. */
const MOST_BYTES = 256 * 1024 * 1024

export interface Call<Params> {
  runtime: Runtime
  who: Principal
  params: Params
  query: URLSearchParams
  request: Request
  /** epoch milliseconds of this request */
  now: number
}

type Handler<Params> = (call: Call<Params>) => Promise<unknown>

/** A route handler: `answer` is sent as JSON, or as it is when it is a Response. */
export function endpoint<Params = Record<string, never>>(scope: Scope, handle: Handler<Params>) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    try {
      const runtime = await getRuntime()
      const now = Date.now()
      refuseForeignOrigin(request)
      const who = await authorise(runtime, tokenIn(request), scope, now)
      const params = await context.params
      const answer = await handle({ runtime, who, params, query: new URL(request.url).searchParams, request, now })
      return answer instanceof Response ? answer : Response.json(answer, { headers: { 'cache-control': 'no-store' } })
    } catch (cause) {
      return errorAnswer(cause, new URL(request.url).pathname)
    }
  }
}

/** A write that carries the cookie must come from our own pages. Tokens in the header are no one's by accident. */
function refuseForeignOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (request.method === 'GET' || origin === null || request.headers.has('authorization')) return
  if (new URL(origin).host !== request.headers.get('host'))
    throw new ServiceError(403, 'foreign_origin', 'This write comes from another site, so it is refused.')
}

export function errorAnswer(cause: unknown, path: string): Response {
  if (cause instanceof ServiceError) {
    const { code, message, issues } = cause
    return Response.json({ error: { code, message, issues } } satisfies ErrorBody, { status: cause.status })
  }
  log('error', 'request_failed', { path, ...faultOf(cause) })
  const message = 'The server met a fault of its own; it is in its log. Try again, nothing was written by half.'
  return Response.json({ error: { code: 'fault', message, issues: [] } } satisfies ErrorBody, { status: 500 })
}

/** The body's bytes, unpacked when gzip. */
export async function bodyText(request: Request): Promise<string> {
  const raw = Buffer.from(await request.arrayBuffer())
  if (raw.byteLength > MOST_BYTES)
    throw new ServiceError(413, 'too_large', 'The body is larger than 256 MB: send it in parts.')
  if (request.headers.get('content-encoding') !== 'gzip') return raw.toString('utf8')
  try {
    return (await promisify(gunzip)(raw, { maxOutputLength: MOST_BYTES })).toString('utf8')
  } catch {
    throw new ServiceError(400, 'bad_gzip', 'The body says that it is gzip, but it cannot be unpacked.')
  }
}

export async function bodyJson(request: Request): Promise<unknown> {
  return parseJson(await bodyText(request))
}

function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : (JSON.parse(text) as unknown)
  } catch {
    throw new ServiceError(400, 'bad_json', 'The body is no JSON.')
  }
}

/** Items of a JSON array, of one object, or of NDJSON lines. A line that is no JSON stays, as text, for its own refusal. */
export async function bodyItems(request: Request): Promise<unknown[]> {
  const text = await bodyText(request)
  if (!isNdjson(request)) {
    const parsed = parseJson(text)
    return Array.isArray(parsed) ? parsed : [parsed]
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => {
      try {
        return JSON.parse(line) as unknown
      } catch {
        return line
      }
    })
}

export const isNdjson = (request: Request) => (request.headers.get('content-type') ?? '').includes('ndjson')

export function parseBody<T extends z.ZodType>(what: string, schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw invalid(what, parsed.error.issues)
  return parsed.data
}

export function parseQuery<T extends z.ZodType>(schema: T, query: URLSearchParams): z.infer<T> {
  return parseBody('query', schema, Object.fromEntries(query))
}

/** A list as JSON, or its items as CSV with `format=csv`. */
export function listAnswer(format: 'json' | 'csv', list: { items: readonly unknown[] }): unknown {
  return format === 'json' ? list : csvAnswer(list.items)
}

export function csvAnswer(rows: readonly unknown[]): Response {
  return new Response(csvOf(rows), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="envsched.csv"',
      'cache-control': 'no-store',
    },
  })
}

/** A list that fits on one page. */
export function wholeList<T>(items: T[]): { items: T[]; next: null; total: number } {
  return { items, next: null, total: items.length }
}
