import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BatchAnswer } from '@/lib/contract/batch'
import { applyDraft } from '@/lib/service/apply-overrides'
import { openRun } from '@/lib/service/open-run'
import { readBatch } from '@/lib/service/read-batches'
import { readRolloutGroups } from '@/lib/service/read-rollout-groups'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { countOpenLeases } from '@/lib/store/lease'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, toyTaskSet } from '@/tests/support/toy-run'

type Runtime = Awaited<ReturnType<typeof openTestRuntime>>

let database: TestDatabase
let runtime: Runtime
beforeAll(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
})
afterAll(async () => {
  await runtime.end()
  await database.drop()
})

const groupsOf = async (run: string) => {
  const { items } = await readRolloutGroups(runtime, run, { limit: 200 })
  return items.sort((a, b) => a.number - b.number)
}

describe('shares for trainers that choose their own tasks', () => {
  const shares = (run: string, step: number, size = 8) =>
    requestBatch(
      runtime,
      run,
      { requestId: `shares-${step}`, size, groupSize: 2, policyVersion: step, mode: 'shares' },
      START + step * 60_000,
    )
  const total = (answer: BatchAnswer) => (answer.shares ?? []).reduce((sum, { picks }) => sum + picks, 0)
  const group = (environment: number, task: number, step: number, name = '') =>
    [0, 1].map((k) => ({
      id: `${step}-${environment}-${task}-${name}${k}`,
      environment: `shop/${environment}`,
      task: `task/${task}`,
      policyVersion: step,
      reward: k,
    }))

  test('come to the size, lease nothing, heed pauses and quotas, and are the same when asked again', async () => {
    const run = await startToyRun(runtime, { key: 'shares', set: toyTaskSet(4, 40) })
    const quota = { kind: 'quota', target: 'e0', lower: 0, upper: 0.25 }
    const pause = { kind: 'pause', target: 'e3', mode: 'hold' }
    await applyDraft(runtime, run, { changes: [quota, pause], cursor: 0, anyway: true }, OPERATOR, START)
    const first = await shares(run, 0)
    expect(first).toMatchObject({ index: 1, picks: [] })
    expect(total(first)).toBe(8)
    expect(first.shares?.every(({ picks }) => Number.isInteger(picks) && picks > 0)).toBe(true)
    expect(first.shares?.map(({ environment }) => environment)).not.toContain('shop/3')
    expect(await countOpenLeases(runtime.database.db, run)).toBe(0)

    // the trainer rolls out what it likes, far over the quota of the first environment; one task twice in one report
    const rolled = [
      ...[0, 1, 2, 3, 4].flatMap((task) => group(0, task, 0)),
      ...group(1, 0, 0),
      ...group(1, 0, 0, 'again '),
    ]
    await reportRollouts(runtime, run, rolled, START + 1000)
    await reportRollouts(runtime, run, group(2, 7, 0).slice(0, 1), START + 2000)
    const groups = await groupsOf(run)
    expect(groups.map(({ result }) => result.state)).toEqual([...new Array(7).fill('complete'), 'partial'])
    expect(groups.map(({ batch }) => batch)).toEqual(new Array(8).fill(1))

    const second = await shares(run, 1)
    expect(total(second)).toBe(8)
    const read = await readBatch(runtime, run, 2)
    // what was really rolled out fills the window: the first environment is far over, so it gets nothing but uniform draws
    expect(read.quotas.map(({ used }) => used)).toEqual([5, 2, 0, 0])
    expect(second.shares?.find(({ environment }) => environment === 'shop/0')?.picks ?? 0).toBeLessThanOrEqual(2)
    expect(await shares(run, 0)).toEqual(first)
    const told = await readBatch(runtime, run, 1)
    expect(told).toMatchObject({ stages: null, pickList: [], picks: 8, back: 7, informative: 7, informativeShare: 1 })
    const seen = new Map(told.shares?.map(({ environment, picks, groups: came }) => [environment.key, [picks, came]]))
    expect(seen.get('shop/0')?.[1]).toBe(5)
    expect([...seen.values()].reduce((sum, [picks]) => sum + (picks ?? 0), 0)).toBe(8)

    // the half group is closed by the second next policy, and counted then
    await shares(run, 2)
    expect((await readBatch(runtime, run, 3)).quotas.map(({ used }) => used)).toEqual([5, 2, 1, 0])
    const fresh = await openTestRuntime(database.url)
    await Promise.all([openRun(runtime, run), openRun(fresh, run)])
    const [one, two] = await Promise.all([runtime.engine.encode(run), fresh.engine.encode(run)])
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
    await fresh.end()
  })

  test('come to the size where tasks are fewer; uniform draws move on though nothing is leased', async () => {
    const run = await startToyRun(runtime, { key: 'few', set: toyTaskSet(3, 2), config: { uniformShare: 1 } })
    const many = await shares(run, 0, 20)
    expect(total(many)).toBe(20)
    expect(many.shares?.map(({ picks }) => picks).sort()).toEqual([6, 7, 7])
    const picked: string[] = []
    for (const step of [1, 2, 3, 4, 5, 6])
      for (const { environment } of (await shares(run, step, 1)).shares ?? []) picked.push(environment)
    expect(picked.sort()).toEqual(['shop/0', 'shop/0', 'shop/1', 'shop/1', 'shop/2', 'shop/2'])
  })
})

describe('one pick at a time', () => {
  test('six workers: no task is out twice, every fourth pick is uniform, and quotas hold over the others', async () => {
    const quotas = { 'shop/0': { lower: 0, upper: 0.1 }, 'shop/1': { lower: 0.5, upper: 1 } }
    const run = await startToyRun(runtime, {
      key: 'single',
      set: toyTaskSet(4, 40),
      config: { quotas, windowPicks: 24 },
    })
    const out = new Set<string>()
    const picks: { index: number; slot: string; environment: string }[] = []
    let asked = 0
    const work = async () => {
      while (asked < 72) {
        asked += 1
        const at = asked
        const request = { requestId: `one-${at}`, size: 1, groupSize: 2, policyVersion: Math.floor(at / 12) }
        const { index, picks: given } = await requestBatch(runtime, run, request, START + at)
        const [pick] = given
        if (pick === undefined) throw new Error('no pick')
        expect(out.has(pick.id)).toBe(false)
        out.add(pick.id)
        picks.push({ index, slot: pick.slot, environment: pick.environment })
        const rollouts = [0, 1].map((k) => ({
          id: `${pick.lease}-${k}`,
          lease: pick.lease,
          policyVersion: request.policyVersion,
          reward: (at + k) % 2,
        }))
        out.delete(pick.id)
        await reportRollouts(runtime, run, rollouts, START + at)
      }
    }
    await Promise.all(Array.from({ length: 6 }, work))
    const inOrder = picks.sort((a, b) => a.index - b.index)
    expect(inOrder.map(({ index }) => index)).toEqual(Array.from({ length: 72 }, (_, k) => k + 1))
    expect(inOrder.map(({ slot }) => slot)).toEqual(
      Array.from({ length: 72 }, (_, k) => (k % 4 === 3 ? 'uniform' : 'score')),
    )
    const share = (key: string) => inOrder.filter(({ environment }) => environment === key).length / 72
    // a quarter is drawn uniformly, whatever the quotas say: a sixteenth of all for each environment
    expect(share('shop/0')).toBeLessThanOrEqual(0.1 + 1 / 16 + 0.03)
    expect(share('shop/1')).toBeGreaterThanOrEqual(0.48)
  })
})

describe('rollouts that come in parts, late, twice or not at all', () => {
  const states = async (run: string) =>
    (await groupsOf(run)).map(({ late, result }) => [late ? 'late' : 'group', result.state, result.returned])

  test('each counts once, in the group that it belongs to', async () => {
    const run = await startToyRun(runtime, { key: 'parts' })
    const { picks } = await ask(runtime, run, 0, 4, 4)
    const [parts, over, bare, expired] = picks
    if (!parts || !over || !bare || !expired) throw new Error('no picks')
    const row = (lease: string, k: number, more: object = {}) => ({
      id: `${lease}-${k}`,
      lease,
      policyVersion: 0,
      reward: k % 2,
      ...more,
    })
    const report = (rollouts: object[], at: number) => reportRollouts(runtime, run, rollouts, START + at)
    const none = { accepted: 0, duplicates: 0, untrusted: {}, rejected: [] }

    expect(await report([], 1)).toEqual(none)
    // out of order, over three calls, an id twice in one call and again in another
    expect(await report([row(parts.lease, 3), row(parts.lease, 0), row(parts.lease, 0)], 2)).toMatchObject({
      accepted: 2,
      duplicates: 1,
    })
    expect(await report([row(parts.lease, 0, { reward: 1 }), row(parts.lease, 2)], 3)).toMatchObject({
      accepted: 1,
      duplicates: 1,
    })
    expect((await states(run))[0]).toEqual(['group', 'partial', 3])
    expect(await report([row(parts.lease, 1)], 4)).toMatchObject({ accepted: 1 })
    expect((await states(run))[0]).toEqual(['group', 'complete', 4])

    // more than were asked for: in one call they are of the group, later they are another
    await report(
      [0, 1, 2, 3, 4, 5].map((k) => row(over.lease, k)),
      5,
    )
    await report([row(over.lease, 6)], 6)
    // nothing but untrusted ones complete a group, too
    const untrusted = await report(
      [0, 1, 2, 3].map((k) => row(bare.lease, k, { reward: 'NaN' })),
      7,
    )
    expect(untrusted).toMatchObject({ accepted: 4, untrusted: { reward_invalid: 4 } })
    expect(await states(run)).toEqual([
      ['group', 'complete', 4],
      ['group', 'complete', 6],
      ['group', 'complete', 4],
      ['group', 'out', 0],
      ['late', 'partial', 1],
    ])

    // after its lease is over, and after the policy has moved on: kept, counted by the policy that they are of
    const later = 2 * 3_600_000
    await requestBatch(runtime, run, { requestId: 'later', size: 1, groupSize: 4, policyVersion: 1 }, START + later)
    expect((await states(run))[3]).toEqual(['group', 'expired', 0])
    expect(
      await report(
        [0, 1].map((k) => row(expired.lease, k)),
        later + 1,
      ),
    ).toMatchObject({ accepted: 2 })
    expect(await report([row(expired.lease, 2, { policyVersion: 3 })], later + 2)).toMatchObject({ accepted: 1 })
    for (const version of [2, 5])
      await requestBatch(
        runtime,
        run,
        { requestId: `v${version}`, size: 1, groupSize: 4, policyVersion: version },
        START + later + version,
      )
    const late = (await groupsOf(run)).filter((group) => group.late)
    expect(late.map(({ policyVersion, result }) => [policyVersion, result.state, result.returned])).toEqual([
      [0, 'complete', 1],
      [0, 'complete', 2],
      [3, 'complete', 1],
    ])
    expect((await readBatch(runtime, run, 1)).informativeShare).toBe(1)
  })
})
