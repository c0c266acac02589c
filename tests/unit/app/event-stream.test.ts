import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventStream } from '@/app/api/v1/event-stream'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function opened(more: Partial<Parameters<typeof eventStream>[0]> = {}) {
  const listeners = new Set<() => void>()
  const stops = new Set<() => void>()
  const left = new AbortController()
  let cursor = 3
  const held = (set: Set<() => void>) => (call: () => void) => {
    set.add(call)
    return () => set.delete(call)
  }
  const answer = eventStream({
    first: { cursor },
    next: async (after) => {
      await Promise.resolve()
      return { cursor, after }
    },
    mayRead: async () => {},
    listen: held(listeners),
    onStop: held(stops),
    signal: left.signal,
    beatMs: 1000,
    ...more,
  })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => {
    const { done, value } = await reader.read()
    return done ? null : new TextDecoder().decode(value)
  }
  const change = (to: number) => {
    cursor = to
    for (const listener of [...listeners]) listener()
  }
  const kept = () => [listeners.size, stops.size, vi.getTimerCount()]
  return { answer, read, change, kept, left, reader, stops }
}

describe('server-sent events', () => {
  it('give what holds, then each change once and in order, and a comment where it is quiet', async () => {
    const { answer, read, change, kept } = opened()
    expect(answer.headers.get('cache-control')).toContain('no-transform')
    expect(await read()).toBe('id: 3\ndata: {"cursor":3}\n\n')
    change(4)
    change(5)
    change(6)
    expect(await read()).toBe('id: 6\ndata: {"cursor":6,"after":3}\n\n')
    expect(await read()).toBe('id: 6\ndata: {"cursor":6,"after":6}\n\n')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await read()).toBe(': beat\n\n')
    expect(kept()).toEqual([1, 1, 1])
  })

  it.each([
    ['the reader leaves', async ({ reader }: ReturnType<typeof opened>) => reader.cancel()],
    ['its connection breaks', async ({ left }: ReturnType<typeof opened>) => left.abort()],
    ['the server stops', async ({ stops }: ReturnType<typeof opened>) => [...stops][0]?.()],
    [
      'it reads nothing',
      async ({ change }: ReturnType<typeof opened>) => {
        for (let at = 4; at < 120; at += 1) {
          change(at)
          await vi.advanceTimersByTimeAsync(1)
        }
      },
    ],
  ])('leave nothing behind when %s', async (_when, end) => {
    const stream = opened()
    expect(stream.kept()).toEqual([1, 1, 1])
    await end(stream)
    expect(stream.kept()).toEqual([0, 0, 0])
  })

  it.each(['beat', 'change'])('end when the reader may not read any more, told by a %s', async (by) => {
    const no = () => Promise.reject(new Error('revoked'))
    const stream = opened({ mayRead: no, next: no })
    await stream.read()
    if (by === 'beat') await vi.advanceTimersByTimeAsync(1000)
    else stream.change(4)
    expect(await stream.read()).toBeNull()
    expect(stream.kept()).toEqual([0, 0, 0])
  })
})
