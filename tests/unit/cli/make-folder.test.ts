import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '@/lib/cli/make-folder'

const base = mkdtempSync(path.join(tmpdir(), 'envsched-folder-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('makes every missing level, and does nothing a second time', () => {
  const deep = path.join(base, 'a', 'b', 'c')
  makeFolder(deep)
  makeFolder(deep)
  expect(existsSync(deep)).toBe(true)
})

test('a file in the way is named in one sentence', () => {
  const file = path.join(base, 'file')
  writeFileSync(file, '')
  const sentence = `${file} is a file: name a folder with --data.`
  expect(() => makeFolder(file)).toThrow(sentence)
  expect(() => makeFolder(path.join(file, 'below'))).toThrow(sentence)
})

test('a place that takes no folder is refused at once', () => {
  const place = path.join(base, 'n'.repeat(400))
  expect(() => makeFolder(place)).toThrow(`${place} cannot be made: name a folder of your own with --data.`)
})
