import { expect, test } from 'vitest'
import { reached, UNREACHED } from '@/lib/client/reached'

test('an answer is as it came; where none came it is a refusal in words', async () => {
  const good = { ok: true as const, value: 0 }
  expect(await reached(Promise.resolve(good))).toBe(good)
  const refused = { ok: false as const, code: 'scope', message: 'No.', issues: [] }
  expect(await reached(Promise.resolve(refused))).toBe(refused)
  expect(await reached(Promise.reject(new TypeError('Failed to fetch')))).toEqual({
    ok: false,
    code: 'unreached',
    message: UNREACHED,
    issues: [],
  })
})
