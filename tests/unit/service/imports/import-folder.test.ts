import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  dropOldFiles,
  importFolder,
  readSource,
  skippedFile,
  takeFolder,
  uploadFolder,
} from '@/lib/service/imports/import-folder'

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'envsched-imports-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('sent files go after two weeks, unless the import runs; the lines that were left out stay', async () => {
  for (const id of ['left', 'running']) {
    const upload = await uploadFolder(dataDir, id)
    const file = path.join(upload, 'a.jsonl')
    writeFileSync(file, '{}\n')
    await takeFolder(dataDir, id, upload, [{ name: 'a.jsonl', path: file, bytes: 3 }], null)
    writeFileSync(skippedFile(dataDir, id), '')
  }
  const made = statSync(path.join(importFolder(dataDir, 'left'), 'source.json')).mtimeMs
  await dropOldFiles(dataDir, new Set(['running']), made + 13 * 86_400_000)
  expect(await readSource(dataDir, 'left')).not.toBeNull()
  await dropOldFiles(dataDir, new Set(['running']), made + 15 * 86_400_000)
  expect(await readSource(dataDir, 'left')).toBeNull()
  expect(readdirSync(importFolder(dataDir, 'left'))).toEqual(['skipped.jsonl'])
  expect(await readSource(dataDir, 'running')).not.toBeNull()
})
