/**
 * Recipes in the trainers' own classes, against one live server. Where a class needs a GPU its driver says what stands in for
 * it; recipes whose trainer is on no registry are in tests/python/recipes.test.ts, on doubles.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { preparePythonEnvironment } from '@/lib/cli/python-environment'
import { type Book, expectFaithful, keptOf } from '@/tests/python/recipes/check'
import { newFolder, publicFolder } from '@/tests/python/run-python'
import { startServer, type TestServer } from '@/tests/support/server'

const DRIVERS = path.join(import.meta.dirname, 'recipes')
const GROUP = 8
/** generous: half a minute alone, many on a machine with other work */
const SETUP_MS = 900_000

const say = (line: string) => process.stderr.write(`${line}\n`)
const env = { ...process.env, PIP_IGNORE_REQUIRES_PYTHON: '1' }
const prepare = (name: string) => preparePythonEnvironment(name, env, say, "Real trainers' classes need their packages")
const [own, older, shared] = [await prepare('recipes'), await prepare('verl07'), await prepare('trl')]
const missing = [own, older, shared].find((one) => 'skipped' in one)
if (missing !== undefined && 'skipped' in missing) say(missing.skipped)

function packagesOf(environment: typeof own): string {
  if ('skipped' in environment) return ''
  const lib = path.join(environment.folder, 'lib')
  return path.join(lib, readdirSync(lib)[0] ?? '', 'site-packages')
}

describe.skipIf(missing !== undefined)('recipes in real classes', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  }, SETUP_MS)
  afterAll(() => server?.stop())

  function drive<T>(name: string): Promise<Book & T> {
    const before = name === 'verl_sampler' ? [packagesOf(older)] : []
    const child = spawn('skipped' in own ? '' : own.python, [path.join(DRIVERS, `${name}_driver.py`)], {
      cwd: newFolder(),
      env: {
        ...process.env,
        PYTHONPATH: [...before, publicFolder, packagesOf(own), packagesOf(shared)].join(path.delimiter),
        PYTHONDONTWRITEBYTECODE: '1',
        OMP_NUM_THREADS: '1',
        HF_HUB_OFFLINE: '1',
        ENVSCHED_URL: server.url,
        ENVSCHED_TOKEN: server.token,
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
        if (code === 0) done(JSON.parse(out.trim().split('\n').at(-1) ?? '') as Book & T)
        else fail(new Error(err))
      }),
    )
  }

  /** Plays the recipe's driver and holds it to the server's picks; its steps are of four groups, the lost ones counted. */
  async function faithful<T>(name: string, steps: number): Promise<Book & T> {
    const book = await drive<T>(name)
    expect(book.groups).toHaveLength(steps * 4)
    expectFaithful(book, await keptOf(server, `${name.replace('_', '-')}-run`), GROUP)
    return book
  }

  test.concurrent('verl 0.9.1: dataset and reward function, validation left alone, resume', async () => {
    const { validation } = await faithful<{ validation: string[] }>('verl', 4)
    expect(validation).toEqual(['val: do airline-0', 'val: do airline-5'])
  })

  test.concurrent('verl 0.7.1: curriculum sampler, rows in any order, resume', async () => {
    await faithful('verl_sampler', 4)
  })

  test.concurrent('skyrl 0.4.0: dataset and generator, three forms of rewards, a lost batch, resume', async () => {
    await faithful('skyrl', 5)
  })

  test.concurrent('trinity-rft 0.6.0: selector and operator, runs without experiences, resume', async () => {
    await faithful('trinity', 4)
  })

  test.concurrent('openrlhf 0.11.2: executor over placeholders, an evaluation, a new engine', async () => {
    const { evaluated } = await faithful<{ evaluated: number }>('openrlhf', 3)
    expect([0, 1]).toContain(evaluated)
  })
})
