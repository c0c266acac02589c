/** Each recipe on doubles of its trainer's hook, against one live server: needs no package. The real classes are in tests/trainers. */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Book, expectFaithful, expectShares, keptOf } from '@/tests/python/recipes/check'
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

  test('slime: shuffled data, an aborted group taken up again, one that is dropped, a restart', async () => {
    const book = await drive('slime')
    expect(book.groups).toHaveLength(20)
    expect(book.groups.filter(({ versions }) => new Set(versions).size === 2)).toHaveLength(1)
    expectFaithful(book, await keptOf(server, 'slime'), GROUP)
  })

  test('ROLL: environments of a group in threads play one pick, the manager cuts some short, a restart', async () => {
    const book = await drive('roll')
    expect(book.groups.map(({ version }) => version)).toEqual([0, 0, 1, 1, 2, 2])
    expectFaithful(book, await keptOf(server, 'roll'), GROUP)
  })

  test('NeMo-RL: shares by environment, datasets that end, records of the collector, a restart', async () => {
    const book = await drive<{ shares: Record<string, number>[] }>('nemo_rl')
    const kept = await keptOf(server, 'nemo_rl')
    expect(kept.batches.map(({ policyVersion }) => policyVersion)).toEqual([0, 1, 2, 3, 4, 7, 8])
    expectShares(book, kept, GROUP)
  })

  test('prime-rl: several tasks out at once, an episode that failed, judges left out, a checkpoint', async () => {
    const book = await drive('prime_rl')
    expect(book.groups).toHaveLength(20)
    expectFaithful(book, await keptOf(server, 'prime_rl'), GROUP)
  })
})
