import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bodyItems, bodyJson, bodyLines } from '@/app/api/v1/body'
import { cookieName, tokenIn } from '@/app/api/v1/token'
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { linesOf } from '@/lib/service/body-lines'
import { readTaskSetLines } from '@/lib/service/task-set-lines'

const request = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://127.0.0.1:4310/api/v1/runs', { method: 'POST', body, headers })
const refusal = (status: number) => expect.objectContaining({ status }) as Error

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('the body of a request', () => {
  it('reads bare NaN and Infinity as their names, and leaves texts alone', async () => {
    const text = '[{"reward": NaN, "outcome":-Infinity, "text": "NaN, \\"Infinity\\" , [NaN]"}, {"reward":Infinity}]'
    expect(await bodyItems(request(text))).toEqual([
      { reward: 'NaN', outcome: '-Infinity', text: 'NaN, "Infinity" , [NaN]' },
      { reward: 'Infinity' },
    ])
  })

  it('reads lines while they come, packed or not, cut anywhere', async () => {
    const text = '{"a":1}\n\n  \r\nünï 😀\n{"b":2}'
    const lines = [
      { number: 1, text: '{"a":1}' },
      { number: 4, text: 'ünï 😀' },
      { number: 5, text: '{"b":2}' },
    ]
    const bytes = new TextEncoder().encode(text)
    for (let size = 1; size <= bytes.length; size += 1) {
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      }
      expect(await all(linesOf(pieces()))).toEqual(lines)
    }
    expect(await all(bodyLines(request(text)))).toEqual(lines)
    const packed = (body: Buffer) => bodyLines(request(new Uint8Array(body), { 'content-encoding': 'gzip' }))
    expect(await all(packed(gzipSync(text)))).toEqual(lines)
    await expect(all(packed(gzipSync(text).subarray(0, 20)))).rejects.toEqual(refusal(400))
    await expect(all(bodyLines(request(text), 10))).rejects.toEqual(refusal(413))
  })

  it('refuses a line that never ends as soon as it is too long, and reads those before it', async () => {
    let sent = 0
    const endless = async function* () {
      yield new TextEncoder().encode('{"a":1}\n')
      for (; sent < 1000; sent += 1) yield new TextEncoder().encode('xxxxxxxxxx')
    }
    const read: string[] = []
    const reading = (async () => {
      for await (const { text } of linesOf(endless(), 25)) read.push(text)
    })()
    await expect(reading).rejects.toEqual(refusal(413))
    expect(read).toEqual(['{"a":1}'])
    expect(sent).toBeLessThan(4)
  })

  it('refuses what is no JSON, no gzip, packed otherwise, or too large unpacked', async () => {
    await expect(bodyJson(request('{"a":'))).rejects.toEqual(refusal(400))
    await expect(bodyJson(request('{"a": NaN'))).rejects.toEqual(refusal(400))
    await expect(bodyJson(request('{}', { 'content-encoding': 'gzip' }))).rejects.toEqual(refusal(400))
    await expect(bodyJson(request(brotliCompressSync('{}'), { 'content-encoding': 'br' }))).rejects.toEqual(
      refusal(415),
    )
    const bomb = gzipSync(Buffer.alloc(257 * 1024 * 1024, 32))
    await expect(bodyJson(request(bomb, { 'content-encoding': 'gzip' }))).rejects.toEqual(refusal(413))
    expect(await bodyJson(request(gzipSync('{"a":1}'), { 'content-encoding': 'GZIP' }))).toEqual({ a: 1 })
  })
})

const rollout = { id: 'a', lease: 'l1', policyVersion: 0, reward: 1 }
const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown

describe('what is taken from outside', () => {
  it.each([
    ['a NUL in an id', { id: 'a\0b' }],
    ['half a surrogate pair in an id', { id: '\ud800' }],
    ['more tokens than a column holds', { tokens: 3e9 }],
    ['a policy version of 10^12', { policyVersion: 1e12 }],
    ['seconds whose sum is not finite', { seconds: 1e308 }],
    ['messages that are too deep to be written', { messages: [{ role: 'user', content: nested(5000) }] }],
  ])('a rollout with %s is refused by itself', (_what, part) => {
    expect(rolloutInput.safeParse({ ...rollout, ...part }).success).toBe(false)
  })

  it('and an ordinary one is not', () => {
    const whole = { id: 'ünï/cödé 😀', tokens: 2_147_483_647, messages: [{ role: 'user', content: nested(90) }] }
    expect(rolloutInput.safeParse({ ...rollout, ...whole }).success).toBe(true)
  })

  it.each([
    ['without end', [-1e308, 1e308]],
    ['without width', [0, 5e-324]],
    ['that rounding swallows', [1e9, 1e9 + 0.1]],
    ['upside down', [1, 0]],
  ])('a reward range %s is refused', (_what, rewardRange) => {
    const set = { name: 's', environments: [{ key: 'e', rewardRange }], tasks: [{ environment: 'e', key: 'k' }] }
    expect(taskSetInput.safeParse(set).success).toBe(false)
  })

  it('lines of a task set: each is what it is, and a bad one is told by its number', async () => {
    const read = (text: string, name: string | null = null) => readTaskSetLines(bodyLines(request(text)), name)
    const good = '{"name":"set"}\n{"key":"e"}\n\n{"environment":"e","key":"k","payload":{"a":NaN}}\n'
    const { input, place } = await read(good)
    expect(input).toEqual({
      name: 'set',
      environments: [{ key: 'e' }],
      tasks: [{ environment: 'e', key: 'k', payload: { a: 'NaN' } }],
    })
    expect([place('tasks.0.key'), place('environments.0.key')]).toEqual(['line 4.key', 'line 2.key'])
    expect((await read(good, 'other')).input.name).toBe('other')
    await expect(read(`${good}broken\n{"environment":"e"}\n{"environment":"e","key":""}`)).rejects.toMatchObject({
      status: 422,
      message: 'The task set cannot be read. line 5: is no JSON.',
      issues: [{ path: 'line 5' }, { path: 'line 6.key' }, { path: 'line 7.key' }],
    })
    await expect(read('{"key":"e"}')).rejects.toMatchObject({ status: 422, issues: [{ path: 'tasks' }] })
    await expect(read('')).rejects.toMatchObject({ status: 422 })
  })

  it('a cookie that cannot be decoded is no fault', () => {
    const headers = { host: '127.0.0.1:4310', cookie: `${cookieName('127.0.0.1:4310')}=%E0%A4%A` }
    expect(tokenIn(new Request('http://127.0.0.1:4310/', { headers }))).toBe('%E0%A4%A')
  })
})
