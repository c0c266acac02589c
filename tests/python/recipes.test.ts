/** Each recipe on doubles of its trainer's hook, against one live server: needs no package. The real classes are in tests/trainers. */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Book, expectFaithful, keptOf } from '@/tests/python/recipes/check'
import { startServer, type TestServer } from '@/tests/support/server'
import { newFolder, pythonMissing, runPython } from './run-python'

const FOLDER = path.join(import.meta.dirname, 'recipes')
const RECIPES = path.resolve(FOLDER, '../../../public/recipes')
const PUBLIC = path.dirname(RECIPES)
const GROUP = 8

describe.skipIf(pythonMissing)('recipes on doubles of their hooks', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  async function drive<T = object>(name: string): Promise<Book & T> {
    const result = await runPython([path.join(FOLDER, `${name}_driver.py`)], newFolder(), {
      PYTHONPATH: [path.join(FOLDER, 'doubles'), PUBLIC, RECIPES].join(path.delimiter),
      ENVSCHED_URL: server.url,
      ENVSCHED_TOKEN: server.token,
      RECIPE_KEY: name,
    })
    if (result.code !== 0) throw new Error(result.err)
    return JSON.parse(result.out.trim().split('\n').at(-1) ?? '') as Book & T
  }

  test.each(['slime', 'roll', 'nemo_rl', 'prime_rl'])('%s', async (name) => {
    const book = await drive(name)
    const kept = await keptOf(server, name)
    console.log(name, book.groups.length, kept.batches.length, kept.rollouts.length)
    if (name !== 'nemo_rl') expectFaithful(book, kept, GROUP)
  })
})
