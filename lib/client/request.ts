/**
 * The one way a page speaks to the API.
 * Owns: the base path, JSON in and out, and turning an error answer into one Error with its sentence.
 * Must never know: React, caching. The cookie carries the token; nothing here sees it.
 */
import { errorBody } from '@/lib/contract/page'

export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly issues: { path: string; message: string }[],
  ) {
    super(message)
    this.name = 'RequestError'
  }
}

/** The server's sentence when the run that was asked for is deleted, else null. Such an answer stays so: nobody need ask again. */
export function deletedReason(error: Error | null): string | null {
  return error instanceof RequestError && error.code === 'run_deleted' ? error.message : null
}

/** Nothing answered, or something before the server did. */
export const isUnreached = (error: Error): boolean =>
  error instanceof RequestError && (error.status === 0 || error.status >= 502)

export type Query = Record<string, string | number | boolean | null | undefined>

export function apiPath(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? `/api/v1${path}` : `/api/v1${path}?${text}`
}

/** GETs and parses JSON. Throws RequestError with the server's sentence, or one that says the server is out of reach. */
export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return send<T>(apiPath(path, query), { method: 'GET', signal })
}

export async function send<T>(url: string, init: RequestInit): Promise<T> {
  const { response, body } = await received(url, init)
  if (response.ok) return body as T
  const parsed = errorBody.safeParse(body)
  if (parsed.success) {
    const { code, message, issues } = parsed.data.error
    throw new RequestError(response.status, code, message, issues)
  }
  throw new RequestError(response.status, 'unexpected', `The server answered ${response.status} without a reason.`, [])
}

/** The whole answer. One that broke off on its way is no answer: a server that stops can send half of it. */
async function received(url: string, init: RequestInit): Promise<{ response: Response; body: unknown }> {
  try {
    const response = await fetch(url, {
      ...init,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...init.headers },
    })
    const text = await response.text()
    return { response, body: response.ok ? JSON.parse(text) : readable(text) }
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new RequestError(
      0,
      'unreachable',
      'The server cannot be reached. What is shown is from before; it is tried again.',
      [],
    )
  }
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
