/** The recipes in the real packages' own classes, against one live server. What these cannot show on a CPU is in tests/python/recipes. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder, publicFolder } from '@/tests/python/run-python'
import { type Book, expectFaithful, keptOf } from '@/tests/python/recipes/check'
import { startServer, type TestServer } from '@/tests/support/server'

const PY = process.env.DEV_PY ?? ''
const DRIVERS = path.join(import.meta.dirname, 'real')
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

function drive<T extends Book>(name: string, extra: string[]): Promise<T> {
  const child = spawn(PY, [path.join(DRIVERS, `${name}_driver.py`)], {
    cwd: newFolder(),
    env: {
      ...process.env,
      PYTHONPATH: [...extra, publicFolder].join(path.delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      ENVSCHED_URL: server.url,
      ENVSCHED_TOKEN: server.token,
      OMP_NUM_THREADS: '1',
    },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  return new Promise((done, fail) =>
    child.on('close', (code) => {
      if (code !== 0) fail(new Error(err))
      else done(JSON.parse(out.trim().split('\n').at(-1) ?? '') as T)
    }),
  )
}

describe('recipes in real classes', () => {
  test.each([
    ['skyrl', 'skyrl-run', ['/tmp/recipes/src/skyrl'], 16],
    ['trinity', 'trinity-run', ['/tmp/recipes/src/trinity_rft'], 12],
    ['openrlhf', 'openrlhf-run', ['/tmp/recipes/src/openrlhf/openrlhf-0.11.2.data/purelib'], 12],
    ['verl', 'verl-run', [], 12],
    ['verl_sampler', 'verl-sampler-run', ['/tmp/recipes/src/verl07'], 12],
  ])('%s', async (name, key, extra, groups) => {
    const book = await drive(name, extra)
    const kept = await keptOf(server, key)
    expect(book.groups).toHaveLength(groups)
    expectFaithful(book, kept, 8)
  })
})
