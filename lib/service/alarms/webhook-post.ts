/**
 * One try of one delivery: a signed POST. Must never know: runs, retries.
 * Invariants: no redirect is followed, nothing of the answer but its status is kept, and a slow receiver costs the time given, no more.
 */
import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

export interface Posting {
  url: string
  secret: string
  event: string
  delivery: string
  body: string
  /** epoch milliseconds */
  now: number
  timeoutMs: number
}

/** `status` null = no answer. `error` null = it was taken: 200 to 299. */
export interface Posted {
  status: number | null
  error: string | null
}

/** "t=<seconds>,v1=<hex>": HMAC with SHA-256 of "<seconds>.<body>", so that an old delivery cannot be sent again for new. */
export function signatureOf(secret: string, body: string, now: number): string {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

export function postSigned({ url, secret, event, delivery, body, now, timeoutMs }: Posting): Promise<Posted> {
  return new Promise((done) => {
    const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    const call = send(url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'EnvSched',
        'x-envsched-event': event,
        'x-envsched-delivery': delivery,
        'x-envsched-signature': signatureOf(secret, body, now),
      },
    })
    const end = (status: number | null, error: string | null) => {
      clearTimeout(timer)
      done({ status, error })
      call.destroy()
    }
    const timer = setTimeout(() => end(null, `no answer within ${timeoutMs / 1000} s`), timeoutMs)
    call.on('response', ({ statusCode = 0 }) => end(statusCode, refusalOf(statusCode)))
    call.on('error', (cause: NodeJS.ErrnoException) => end(null, cause.code ?? 'the connection broke'))
    call.end(body)
  })
}

function refusalOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `answered ${status}, and redirects are not followed`
  return `answered ${status}`
}
