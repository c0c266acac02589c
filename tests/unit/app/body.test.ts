import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bodyItems, bodyJson } from '@/app/api/v1/body'
import { taskSetOfLines } from '@/app/api/v1/task-sets/task-set-lines'
import { cookieName, tokenIn } from '@/app/api/v1/token'
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'

const request = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://127.0.0.1:4310/api/v1/runs', { method: 'POST', body, headers })
const refusal = (status: number) => expect.objectContaining({ status }) as Error

describe('the body of a request', () => {
  it('reads bare NaN and Infinity as their names, and leaves texts alone', async () => {
    const text = '[{"reward": NaN, "outcome":-Infinity, "text": "NaN, \\"Infinity\\" , [NaN]"}, {"reward":Infinity}]'
    expect(await bodyItems(request(text))).toEqual([
      { reward: 'NaN', outcome: '-Infinity', text: 'NaN, "Infinity" , [NaN]' },
      { reward: 'Infinity' },
    ])
    const lines = '{"reward":NaN}\nno json NaN\n\n{"reward":1}'
    expect(await bodyItems(request(lines, { 'content-type': 'application/x-ndjson' }))).toEqual([
      { reward: 'NaN' },
      'no json NaN',
      { reward: 1 },
    ])
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

  it('a broken line of a task set is not left out in silence', () => {
    const body = taskSetOfLines([{ key: 'e' }, 'broken', { environment: 'e', key: 'k' }], 'set')
    const { error } = taskSetInput.safeParse(body)
    expect(error?.issues[0]?.path).toEqual(['tasks', 0])
  })

  it('a cookie that cannot be decoded is no fault', () => {
    const headers = { host: '127.0.0.1:4310', cookie: `${cookieName('127.0.0.1:4310')}=%E0%A4%A` }
    expect(tokenIn(new Request('http://127.0.0.1:4310/', { headers }))).toBe('%E0%A4%A')
  })
})
