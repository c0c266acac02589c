import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { promptKey } from '@/lib/formats/prompt-key'

const hashed = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

test('white space and packing change no key; what is shown is the user’s beginning', () => {
  const key = promptKey('Boil an egg.')
  expect(key).toBe(`Boil an egg. #${hashed('Boil an egg.')}`)
  for (const same of [' Boil  an egg. ', 'Boil\nan\tegg.', 'Boil \r\n an \u00a0egg.\n\n', 'Boil an     egg.'])
    expect(promptKey(same)).toBe(key)
  const parts = [{ role: 'user', content: [{ type: 'text', text: 'Boil an egg.' }] }]
  expect(promptKey(parts)).toBe(promptKey([{ role: 'user', content: 'Boil  an egg.' }]))
  expect(promptKey(parts)).toMatch(/^Boil an egg\. #/)
  expect(promptKey('Boil an egg')).not.toBe(key)
  for (const nothing of ['', ' \n ', null, [], [{ role: 'user', content: '' }], 7])
    expect(promptKey(nothing)).toBeNull()
})

test('runs of every kind of white space fold as one pattern over all would', () => {
  const kinds = [' ', '  ', '\n', '\t ', ' \n', ' \n ', '\u2003', '   \u00a0', '\r\n\r\n']
  for (const one of kinds)
    for (const other of kinds) {
      const text = `a${one}b${other}${one}c`
      expect(promptKey(text)).toContain(hashed(text.replaceAll(/\s+/g, ' ').trim()))
    }
  const long = `x${' '.repeat(200_000)}y`
  expect(promptKey(long)).toContain(hashed('x y'))
})
