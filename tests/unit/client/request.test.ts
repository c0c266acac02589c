import { afterEach, describe, expect, it, vi } from 'vitest'
import { get, RequestError } from '@/lib/client/request'

const answer = (make: () => Response | Promise<Response>) => vi.stubGlobal('fetch', async () => make())

/** A body that breaks off after its first half, as when a server is ended. */
function broken(): Response {
  let sent = false
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (sent) controller.error(new TypeError('terminated'))
        else controller.enqueue(new TextEncoder().encode('{"cursor":'))
        sent = true
      },
    }),
  )
}

const failureOf = async () => {
  const cause: unknown = await get('/runs').catch((error: unknown) => error)
  if (!(cause instanceof RequestError)) throw new Error('it did not fail')
  return { status: cause.status, code: cause.code }
}

describe('requests of a page', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('gives the answer', async () => {
    answer(() => Response.json({ items: [0] }))
    expect(await get('/runs')).toEqual({ items: [0] })
  })

  it('takes half an answer for none', async () => {
    answer(broken)
    expect(await failureOf()).toEqual({ status: 0, code: 'unreachable' })
  })

  it('says that a server is out of reach', async () => {
    answer(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failureOf()).toEqual({ status: 0, code: 'unreachable' })
  })

  it('gives the reason of a refusal, and says where there is none', async () => {
    answer(() => Response.json({ error: { code: 'scope', message: 'This needs more.', issues: [] } }, { status: 403 }))
    expect(await failureOf()).toEqual({ status: 403, code: 'scope' })
    answer(() => new Response('<html>', { status: 502 }))
    expect(await failureOf()).toEqual({ status: 502, code: 'unexpected' })
  })
})
