import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MEGABYTES = 80
/** of V8's old space, in MB: less than a third of what is read, and the program itself takes part of it */
const HEAP = 28

test('a source several times larger than the heap is read whole', { timeout: 60_000 }, async () => {
  const script = path.resolve(import.meta.dirname, '../../support/read-large.ts')
  const flags = [`--max-old-space-size=${HEAP}`, '--import', 'tsx', script, String(MEGABYTES)]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  const { rollouts, characters } = JSON.parse(stdout) as { rollouts: number; characters: number }
  expect(rollouts).toBeGreaterThan(4000)
  expect(characters).toBeGreaterThan((MEGABYTES * 1e6) / 3)
})
