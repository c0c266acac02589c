/**
 * What reports and large task sets cost: a report what is in it, however many groups of its run are open; a large set no memory
 * that stays. Work is counted, not timed.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerTaskSet } from '@/lib/service/register-task-set'
import { reportRollouts } from '@/lib/service/report-rollouts'
import type { Runtime } from '@/lib/service/runtime'
import type { Tx } from '@/lib/store/database'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { openTestRuntime, START, startToyRun, toyTaskSet } from '@/tests/support/toy-run'

let made: TestDatabase
let runtime: Awaited<ReturnType<typeof openTestRuntime>>

beforeEach(async () => {
  made = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(made.url)
})

afterEach(async () => {
  await runtime.end()
  await made.drop()
})

/** The runtime, and how many group rows its transactions have read. */
function counting(): { counted: Runtime; rows: () => number } {
  let rows = 0
  const { database } = runtime
  const watched = (tx: Tx): Tx => {
    const group = {
      ...tx.client.group,
      findMany: async (how: object) => {
        const found = await tx.client.group.findMany(how)
        rows += found.length
        return found
      },
    }
    const client = new Proxy(tx.client, {
      get: (of, name) => (name === 'group' ? group : Reflect.get(of, name)),
    })
    return { ...tx, client }
  }
  const counted: Runtime = {
    ...runtime,
    database: { ...database, transaction: (work) => database.transaction((tx) => work(watched(tx))) },
  }
  return { counted, rows: () => rows }
}

describe('work of a report', () => {
  it('reads the open groups that its rollouts belong to, and no others', async () => {
    const set = toyTaskSet(4, 12)
    const run = await startToyRun(runtime, { mode: 'shadow', set })
    const { counted, rows } = counting()
    const tell = (from: number, to: number, trial: number) =>
      reportRollouts(
        counted,
        run,
        set.tasks.slice(from, to).map(({ environment, key }) => ({
          id: `${environment} ${key} ${trial}`,
          environment,
          task: key,
          policyVersion: 0,
          reward: trial,
        })),
        START,
      )
    for (const from of [0, 16, 32]) expect((await tell(from, from + 16, 0)).accepted).toBe(16)
    expect(rows()).toBe(0)
    expect((await tell(10, 13, 1)).accepted).toBe(3)
    expect(rows()).toBe(3)
    const groups = await runtime.database.db.client.group.findMany({ where: { runId: run, returned: 2 } })
    expect([groups.length, await runtime.database.db.client.group.count({ where: { runId: run } })]).toEqual([3, 48])
  })
})

describe('work of a task set', () => {
  it('builds the graph of a large set in a thread that ends with it', async () => {
    const seen: string[] = []
    const watched: Runtime = {
      ...runtime,
      startHost: () => {
        const host = runtime.startHost()
        return {
          ...host,
          structure: async (set) => {
            seen.push(`${set.tasks.length} tasks`)
            const made = await host.structure(set)
            // columns, not one object an edge
            expect(made.edges.weight).toBeInstanceOf(Float64Array)
            return made
          },
          stop: async () => {
            seen.push('stopped')
            await host.stop()
          },
        }
      },
    }
    const small = await registerTaskSet(watched, toyTaskSet(2, 10, 'small'), START)
    expect([small.edges.length > 0, seen]).toEqual([true, []])
    const set = toyTaskSet(5, 1000, 'large')
    const bare = { ...set, tasks: set.tasks.map(({ environment, key }) => ({ environment, key })) }
    const large = await registerTaskSet(watched, bare, START)
    expect([large.tasks.length, seen]).toEqual([5000, ['5000 tasks', 'stopped']])
  })
})
