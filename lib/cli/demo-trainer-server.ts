/**
 * The demo trainer's line to the server: JSON over HTTP, nothing else of the product.
 * Owns: requests, timeouts, the difference between a server that is away (try again) and one that refuses (say why).
 * Invariant: a call either answers, or throws ServerAway, or throws Refused with the server's own code and sentence.
 */

/** One request; the body is sent as JSON. Rejects when no answer came. */
export type Transport = (method: string, path: string, body: unknown) => Promise<{ status: number; body: unknown }>

export class ServerAway extends Error {}

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

const TIMEOUT_MS = 30_000

export function httpTransport(url: string, token: string): Transport {
  const base = url.replace(/\/+$/, '')
  return async (method, path, body) => {
    // not AbortSignal.timeout: Node 20 may collect that signal before the body is read, and the call then hangs for good
    const control = new AbortController()
    const timer = setTimeout(() => control.abort(), TIMEOUT_MS)
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: control.signal,
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
    } finally {
      clearTimeout(timer)
    }
  }
}

function refusal(status: number, body: unknown): Refused {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error
  const code = typeof error?.code === 'string' ? error.code : 'unknown'
  const message = typeof error?.message === 'string' ? error.message : `the server answered ${status}`
  return new Refused(status, code, message)
}

/** Sends once. 5xx, 408, 429 and no answer are ServerAway; other statuses over 399 are Refused. */
export async function call(transport: Transport, method: string, path: string, body: unknown): Promise<unknown> {
  let answer: Awaited<ReturnType<Transport>>
  try {
    answer = await transport(method, path, body)
  } catch (error) {
    throw new ServerAway(error instanceof Error ? error.message : String(error))
  }
  if (answer.status >= 500 || answer.status === 408 || answer.status === 429)
    throw new ServerAway(`the server answered ${answer.status}`)
  if (answer.status >= 400) throw refusal(answer.status, answer.body)
  return answer.body
}

/** Waits between tries: half a second, doubling up to eight. */
export const backoffSeconds = (attempt: number): number => Math.min(8, 0.5 * 2 ** attempt)

/** Repeats `attempt` while the server is away, for `patience` seconds of waiting; then the last ServerAway is thrown. */
export async function persist<T>(
  attempt: () => Promise<T>,
  patience: number,
  sleep: (seconds: number) => Promise<void>,
): Promise<T> {
  let waited = 0
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ServerAway) || waited >= patience) throw error
      const seconds = backoffSeconds(tries)
      waited += seconds
      await sleep(seconds)
    }
  }
}
