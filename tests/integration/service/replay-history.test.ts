import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replayJob } from '@/lib/contract/replay'
import { startImport } from '@/lib/service/imports/import-files'
import { cancelReplay, readReplay, startReplay } from '@/lib/service/replay-history'
import { joinVersions } from '@/lib/service/replay-ladder'
import { readRun } from '@/lib/service/runs'
import type { Runtime } from '@/lib/service/runtime'
import type { ReplayRollout } from '@/lib/testbed/replay/ladder'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { madeUpHistory, rolloutsOf } from '@/tests/support/replay-rows'
import { OPERATOR, openTestRuntime, START } from '@/tests/support/toy-run'

let database: TestDatabase
let runtime: Runtime & { end(): Promise<void> }
beforeEach(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
})
afterEach(async () => {
  await runtime.end()
  await database.drop()
})

async function imported(rows: readonly ReplayRollout[]): Promise<string> {
  const text = rows.map(({ fields, failed, ...row }) => JSON.stringify({ source: 'made up', ...row })).join('\n')
  const files = [{ name: 'history.jsonl', open: () => Readable.from([Buffer.from(text)]) }]
  const { done } = await startImport(runtime, { name: 'history', files, bytes: text.length }, OPERATOR, () => START)
  const { run, state } = await done
  expect(state).toBe('done')
  return run ?? ''
}

describe('the replay of a history', () => {
  it('says what is missing until it is asked, then what each scheduler would have found', async () => {
    const run = await imported(madeUpHistory({ environments: 4, tasks: 20, models: 3 }))
    expect(await readReplay(runtime, run, START)).toMatchObject({ state: 'not_yet', report: null })
    const before = await readRun(runtime, run, START)
    let now = START
    const { job, done } = await startReplay(runtime, run, () => (now += 1000))
    expect(job.state).toBe('running')
    await done
    const after = replayJob.parse(await readReplay(runtime, run, now))
    expect(after).toMatchObject({ state: 'done', done: 40, total: 40, secondsLeft: null, rolloutsSince: 0 })
    const { report } = after
    expect(report?.ladder.map(({ model, groups }) => [model, groups])).toEqual([
      ['policy 0', 80],
      ['policy 1', 80],
      ['policy 2', 80],
    ])
    const share = (name: string) => report?.arms.find(({ arm }) => arm === name)?.informativeShare ?? Number.NaN
    expect(share('oracle')).toBeGreaterThan(share('envsched'))
    expect(share('envsched')).toBeGreaterThan(share('uniform'))
    expect(report?.prediction?.ceiling).toBeGreaterThan(0)
    // nothing of the run moved
    expect(await readRun(runtime, run, START)).toEqual(before)
  })

  it('is one a run, and can be cancelled and asked again', async () => {
    const run = await imported(madeUpHistory({ environments: 4, tasks: 20, models: 3 }))
    const first = await startReplay(runtime, run, () => START)
    const second = await startReplay(runtime, run, () => START)
    expect(second.job).toMatchObject({ state: 'running' })
    expect(await cancelReplay(runtime, run, START)).toMatchObject({ state: 'cancelled', report: null })
    await first.done
    expect((await readReplay(runtime, run, START)).state).toBe('cancelled')
    expect((await startReplay(runtime, run, () => START)).job.state).toBe('running')
    await cancelReplay(runtime, run, START)
  })

  it('says in one sentence what a history lacks', async () => {
    const single = await imported(['a', 'b', 'c'].flatMap((task) => rolloutsOf('e', task, 'm', [1])))
    await (await startReplay(runtime, single, () => START)).done
    expect(await readReplay(runtime, single, START)).toMatchObject({
      state: 'impossible',
      why: 'No task has a group of two or more trusted rewards: report several rollouts of each.',
    })
    await expect(readReplay(runtime, 'nothing', START)).rejects.toThrow('There is no run')
  })

  it('stays cancelled where the history turns out to lack something', async () => {
    const run = await imported(rolloutsOf('e', 'a', 'm', [1]))
    const { done } = await startReplay(runtime, run, () => START)
    expect((await cancelReplay(runtime, run, START)).state).toBe('cancelled')
    await done
    expect((await readReplay(runtime, run, START)).state).toBe('cancelled')
  })

  it('needs a policy that moves', async () => {
    const run = await imported(madeUpHistory({ environments: 2, tasks: 30, models: 1 }))
    await (await startReplay(runtime, run, () => START)).done
    const { state, why } = await readReplay(runtime, run, START)
    expect([state, why]).toEqual([
      'impossible',
      'All groups of two or more trusted rewards are of one policy version: a replay needs a policy that moves, or several models.',
    ])
  })
})

describe('joining policy versions', () => {
  it('takes them in order until a rung holds enough, and gives the rest to the last', () => {
    const sizes = [1, 2, 3, 4, 5, 6, 7].map((version) => [version, 16] as const)
    expect(joinVersions(sizes, 40)).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7],
    ])
    expect(
      joinVersions(
        [
          [0, 500],
          [1, 500],
        ],
        40,
      ),
    ).toEqual([[0], [1]])
    expect(joinVersions([[3, 5]], 40)).toEqual([[3]])
    expect(joinVersions([], 40)).toEqual([])
  })
})
