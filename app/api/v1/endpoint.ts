/**
 * What every route handler does before and after its one call: find the principal, answer in JSON or CSV,
 * and turn what is thrown into the one error shape. Routes hold no logic.
 */
import type { z } from 'zod'
import type { Principal, Scope } from '@/lib/contract/access'
import type { ErrorBody } from '@/lib/contract/page'
import { addressIn, authorise } from '@/lib/service/access'
import { csvOf } from '@/lib/service/exports/csv'
import { faultOf, log } from '@/lib/service/logger'
import { getRuntime, type Runtime } from '@/lib/service/runtime'
import { invalid, ServiceError } from '@/lib/service/service-error'
import { trainerCall } from '@/lib/service/trainer-calls'
import { bearerIn, tokenIn } from './token'

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

/** A route handler: `answer` is sent as JSON, or as it is when it is a Response. What trainers call is remembered. */
export function endpoint<Params = Record<string, never>>(scope: Scope, handle: Handler<Params>) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    const now = Date.now()
    let runtime: Runtime | null = null
    let who: Principal | null = null
    try {
      runtime = await getRuntime()
      refuseForeignOrigin(request)
      const forwarded = request.headers.get('x-forwarded-for')
      who = await authorise(runtime, tokenIn(request), scope, now, forwarded, bearerIn(request) !== null)
      const params = await context.params
      const answer = await handle({ runtime, who, params, query: new URL(request.url).searchParams, request, now })
      remember(runtime, request, { who, now, answer, cause: null })
      return answer instanceof Response ? answer : Response.json(answer, { headers: { 'cache-control': 'no-store' } })
    } catch (cause) {
      if (runtime !== null) remember(runtime, request, { who, now, answer: null, cause })
      return errorAnswer(cause, new URL(request.url).pathname)
    }
  }
}

function remember(
  runtime: Runtime,
  request: Request,
  { who, now, answer, cause }: { who: Principal | null; now: number; answer: unknown; cause: unknown },
): void {
  const refusal = cause instanceof ServiceError ? cause : null
  const path = new URL(request.url).pathname.replace(/^\/api\/v1/, '')
  const status = cause === null ? 200 : (refusal?.status ?? 500)
  runtime.meters.called(request.method, path, status, Date.now() - now)
  const call = trainerCall({
    method: request.method,
    path,
    client: request.headers.get('user-agent'),
    from: addressIn(request.headers.get('x-forwarded-for')),
    bearer: bearerIn(request) !== null,
    who,
    status,
    code: refusal?.code ?? null,
    message: refusal?.message ?? null,
    answer,
    at: now,
    milliseconds: Date.now() - now,
  })
  if (call !== null) runtime.trainerCalls.note(call)
}

/** A write that carries the cookie must come from our own pages. Tokens in the header are no one's by accident. */
function refuseForeignOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (request.method === 'GET' || origin === null || bearerIn(request) !== null) return
  if (hostOf(origin) !== request.headers.get('host'))
    throw new ServiceError(403, 'foreign_origin', 'This write comes from another site, so it is refused.')
}

/** "null" stands for an origin that a browser keeps to itself: it is not ours. */
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

export function errorAnswer(cause: unknown, path: string): Response {
  if (cause instanceof ServiceError) {
    const { code, message, issues } = cause
    return Response.json({ error: { code, message, issues } } satisfies ErrorBody, { status: cause.status })
  }
  log('error', 'request_failed', { path, ...faultOf(cause) })
  const message = 'The server met a fault of its own; it is in its log. Try again, nothing was written by half.'
  return Response.json({ error: { code: 'fault', message, issues: [] } } satisfies ErrorBody, { status: 500 })
}

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

/** `name`: of the file, without its ending. */
export function csvAnswer(rows: readonly unknown[], name = 'envsched'): Response {
  return new Response(csvOf(rows), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'no-store',
    },
  })
}

/** A list that fits on one page. */
export function wholeList<T>(items: T[]): { items: T[]; next: null; total: number } {
  return { items, next: null, total: items.length }
}
