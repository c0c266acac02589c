import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IssuedPick } from '@/lib/contract/batch'
import { batchRequest } from '@/lib/contract/batch'
import type { RolloutsAnswer } from '@/lib/contract/rollout'
import { openRun } from '@/lib/service/open-run'
import { readBatch } from '@/lib/service/read-batches'
import { readRolloutGroups } from '@/lib/service/read-rollout-groups'
import { readTask } from '@/lib/service/read-task'
import { releaseLease } from '@/lib/service/release-lease'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { openTestRuntime, START, startToyRun, toyReward, toyTaskSet } from '@/tests/support/toy-run'

type Runtime = Awaited<ReturnType<typeof openTestRuntime>>
type Reward = (pick: IssuedPick, k: number) => unknown

const HOUR = 3_600_000
const staged = (step: number, size = 8) => ({
  requestId: `step-${step}`,
  size,
  groupSize: 8,
  stages: [4, 4],
  policyVersion: step,
})
const rolloutsOf = (pick: IssuedPick, step: number, from: number, count: number, reward: Reward) =>
  Array.from({ length: count }, (_, k) => ({
    id: `${pick.lease}-${from + k}`,
    lease: pick.lease,
    environment: pick.environment,
    task: pick.task,
    policyVersion: step,
    reward: reward(pick, from + k),
  }))
const toy =
  (step: number): Reward =>
  ({ environment, task }, k) =>
    toyReward(`${environment} ${task}`, step, k)

/** Follows the answers to the end; answers how many rollouts were handed out. `repeat`: each report is sent again at once. */
async function follow(
  runtime: Runtime,
  run: string,
  step: number,
  first: readonly IssuedPick[],
  { reward = toy(step), parts = 1, repeat }: { reward?: Reward; parts?: number; repeat?: boolean } = {},
): Promise<{ handed: number; picks: IssuedPick[]; continued: string[]; stopped: string[]; answers: RolloutsAnswer[] }> {
  const picks = [...first]
  const byLease = new Map(first.map((pick) => [pick.lease, pick]))
  const continued: string[] = []
  const answers: RolloutsAnswer[] = []
  let handed = first.reduce((sum, pick) => sum + pick.groupSize, 0)
  let due = first.flatMap((pick) => rolloutsOf(pick, step, 0, pick.groupSize, reward))
  while (due.length > 0) {
    const next: typeof due = []
    const size = Math.ceil(due.length / parts)
    for (let from = 0; from < due.length; from += size) {
      const part = due.slice(from, from + size)
      const answer = await reportRollouts(runtime, run, part, START + step * 60_000 + 1000)
      if (repeat === true) {
        const again = await reportRollouts(runtime, run, part, START + step * 60_000 + 2000)
        expect(again).toMatchObject({
          accepted: 0,
          duplicates: part.length,
          continue: answer.continue,
          more: answer.more,
        })
      }
      answers.push(answer)
      for (const { lease, rollouts } of answer.continue ?? []) {
        const pick = byLease.get(lease)
        if (pick === undefined) throw new Error(`no pick has the lease ${lease}`)
        continued.push(lease)
        handed += rollouts
        next.push(...rolloutsOf(pick, step, pick.groupSize, rollouts, reward))
      }
      for (const pick of answer.more ?? []) {
        expect(byLease.has(pick.lease)).toBe(false)
        byLease.set(pick.lease, pick)
        picks.push(pick)
        handed += pick.groupSize
        next.push(...rolloutsOf(pick, step, 0, pick.groupSize, reward))
      }
    }
    due = next
  }
  const stopped = picks.map((pick) => pick.lease).filter((lease) => !continued.includes(lease))
  return { handed, picks, continued, stopped, answers }
}

describe('two-stage groups', () => {
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

  test('spend the whole budget, never more, whatever the parts of the reports, and a repeated report is answered alike', async () => {
    const run = await startToyRun(runtime, { key: 'budget', set: toyTaskSet(4, 40) })
    for (const [step, parts] of [1, 3, 12].entries()) {
      const batch = await requestBatch(runtime, run, staged(step), START + step * 60_000)
      expect(batch.picks.map((pick) => pick.groupSize)).toEqual(new Array(8).fill(4))
      const { handed, picks, stopped } = await follow(runtime, run, step, batch.picks, { parts, repeat: true })
      expect(handed).toBe(64)
      expect(new Set(picks.map((pick) => pick.id)).size).toBe(picks.length)
      expect(picks.length).toBeGreaterThan(8)
      // asked again, the batch is what it was
      expect(await requestBatch(runtime, run, staged(step), START + step * 60_000 + 3000)).toEqual(batch)
      const read = await readBatch(runtime, run, batch.index)
      expect(read).toMatchObject({ stages: [4, 4], shares: null, picks: picks.length, back: picks.length })
      expect(read.pickList.map((pick) => pick.more)).toEqual(picks.map((_, k) => k >= 8))
      for (const pick of read.pickList) {
        const second = stopped.includes(pick.lease) ? 0 : pick.result.size - 4
        expect(pick.result).toMatchObject({ state: 'complete', returned: 4 + second, stages: { first: 4, second } })
        // a group continues where its first stage is informative, but for the last of the budget
        if (second > 0) expect(pick.result.informative).toBe(true)
      }
      expect(read.pickList.filter((pick) => pick.result.informative).length).toBeGreaterThanOrEqual(
        read.pickList.filter((pick) => !stopped.includes(pick.lease)).length,
      )
    }
  })

  test('all equal: every rollout of the budget is a first stage; all different: none is', async () => {
    const run = await startToyRun(runtime, { key: 'ends', set: toyTaskSet(4, 40) })
    const first = await requestBatch(runtime, run, staged(0), START)
    const equal = await follow(runtime, run, 0, first.picks, { reward: () => 1 })
    expect(equal).toMatchObject({ handed: 64, continued: [] })
    expect(equal.picks).toHaveLength(16)
    const second = await requestBatch(runtime, run, staged(1), START + 60_000)
    const different = await follow(runtime, run, 1, second.picks, { reward: (_, k) => k % 2 })
    expect(different).toMatchObject({ handed: 64, stopped: [] })
    expect(different.picks).toHaveLength(8)
    const { informativeShare } = await readBatch(runtime, run, 2)
    expect(informativeShare).toBe(1)
    expect((await readBatch(runtime, run, 1)).informativeShare).toBe(0)
  })

  test('what never comes, is untrusted, given back or expired blocks nothing', async () => {
    const run = await startToyRun(runtime, { key: 'odd', set: toyTaskSet(4, 40) })
    const { picks } = await requestBatch(runtime, run, staged(0, 5), START)
    const [lost, broken, single, back, fine] = picks
    if (!lost || !broken || !single || !back || !fine) throw new Error('no picks')
    const report = (rollouts: object[], at: number) => reportRollouts(runtime, run, rollouts, START + at)
    // none or one of them trusted: that cannot differ, so it stops, and two of these buy one more
    const none = await report(
      rolloutsOf(broken, 0, 0, 4, () => null),
      1,
    )
    expect(none).toMatchObject({ untrusted: { reward_missing: 4 }, continue: [], more: [] })
    const one = await report(
      rolloutsOf(single, 0, 0, 4, (_, k) => (k === 2 ? 1 : 'NaN')),
      2,
    )
    expect(one.more).toHaveLength(1)
    // two trusted ones that differ go on
    const two = await report(
      rolloutsOf(fine, 0, 0, 4, (_, k) => (k < 2 ? k : null)),
      3,
    )
    expect(two).toMatchObject({ continue: [{ lease: fine.lease, rollouts: 4 }], more: [] })
    // a pick that is given back frees its budget for the next report
    await releaseLease(runtime, run, back.lease, START + 4)
    const [bought] = one.more ?? []
    if (bought === undefined) throw new Error('nothing was bought')
    expect(
      (
        await report(
          rolloutsOf(bought, 0, 0, 4, () => 0),
          5,
        )
      ).more,
    ).toHaveLength(1)
    // the lost one keeps its eight until its lease is over; then the next report of the batch spends them
    await report(
      rolloutsOf(lost, 0, 0, 2, () => 1),
      6,
    )
    const late = await report(
      rolloutsOf(fine, 0, 4, 4, (_, k) => k % 2),
      2 * HOUR,
    )
    expect(late.continue).toEqual([])
    expect(late.more?.length).toBeGreaterThan(0)
    // once the policy has moved on twice, nothing more is bought
    for (const step of [1, 2]) await requestBatch(runtime, run, { ...staged(step), size: 1 }, START + 2 * HOUR + step)
    const [old] = late.more ?? []
    if (old === undefined) throw new Error('nothing was bought')
    expect(
      await report(
        rolloutsOf(old, 0, 0, 4, () => 1),
        2 * HOUR + 9,
      ),
    ).toMatchObject({ continue: [], more: [] })
  })

  test('a repeated report is answered alike by a new process, one that broke off is made good, and the log folds to the same state', async () => {
    const run = await startToyRun(runtime, { key: 'again', set: toyTaskSet(4, 40) })
    const { picks } = await requestBatch(runtime, run, staged(0), START)
    const rollouts = picks.flatMap((pick) => rolloutsOf(pick, 0, 0, 4, toy(0)))
    const answer = await reportRollouts(runtime, run, rollouts, START + 1000)
    expect((answer.continue?.length ?? 0) + (answer.more?.length ?? 0)).toBeGreaterThan(0)
    await openRun(runtime, run)
    const state = Buffer.from(await runtime.engine.encode(run)).toString('base64')
    const fresh = await openTestRuntime(database.url)
    const again = await reportRollouts(fresh, run, rollouts, START + 5000)
    expect(again).toEqual({ ...answer, accepted: 0, duplicates: rollouts.length })
    // told in whatever parts it is sent again
    const halves = [rollouts.slice(0, 15), rollouts.slice(15)]
    const parts: RolloutsAnswer[] = []
    for (const half of halves) parts.push(await reportRollouts(fresh, run, half, START + 6000))
    expect(parts.flatMap((part) => part.continue)).toEqual(answer.continue)
    expect(parts.flatMap((part) => part.more)).toEqual(answer.more)
    await openRun(fresh, run)
    expect(Buffer.from(await fresh.engine.encode(run)).toString('base64')).toBe(state)
    await fresh.end()

    // stored, but the process died before it decided
    const broken = await startToyRun(runtime, { key: 'broken', set: toyTaskSet(4, 40) })
    const same = await requestBatch(runtime, broken, staged(0), START)
    const told = same.picks.flatMap((pick) => rolloutsOf(pick, 0, 0, 4, toy(0)))
    const transaction = runtime.database.transaction.bind(runtime.database)
    let calls = 0
    runtime.database.transaction = (work) => {
      calls += 1
      if (calls > 1) throw new Error('the process died')
      return transaction(work)
    }
    await expect(reportRollouts(runtime, broken, told, START + 1000)).rejects.toThrow('the process died')
    runtime.database.transaction = transaction
    const good = await reportRollouts(runtime, broken, told, START + 2000)
    expect(good).toEqual({ ...answer, accepted: 0, duplicates: told.length })
  })

  test('pages and lists tell stages; one-stage reports are answered as ever', async () => {
    const run = await startToyRun(runtime, { key: 'pages', set: toyTaskSet(4, 40) })
    const { picks } = await requestBatch(runtime, run, staged(0, 2), START)
    const [stops, goes] = picks
    if (!stops || !goes) throw new Error('no picks')
    const read = async (pick: IssuedPick) => {
      const batch = await readBatch(runtime, run, 1)
      const found = batch.pickList.find(({ lease }) => lease === pick.lease)
      const task = await readTask(runtime, run, pick.id)
      const { items } = await readRolloutGroups(runtime, run, { limit: 24, task: pick.id })
      const results = [found?.result, task.groups[0]?.result, items[0]?.result]
      const [one] = results
      expect(results.map((result) => result?.stages)).toEqual([one?.stages, one?.stages, one?.stages])
      expect(results.map((result) => result?.size)).toEqual([one?.size, one?.size, one?.size])
      return one
    }
    expect(await read(goes)).toMatchObject({ state: 'out', size: 4, stages: { first: 4, second: null } })
    await reportRollouts(
      runtime,
      run,
      rolloutsOf(goes, 0, 0, 4, (_, k) => k % 2),
      START + 1,
    )
    expect(await read(goes)).toMatchObject({ state: 'partial', size: 8, returned: 4, stages: { first: 4, second: 4 } })
    await reportRollouts(
      runtime,
      run,
      rolloutsOf(stops, 0, 0, 4, () => 0),
      START + 2,
    )
    expect(await read(stops)).toMatchObject({
      state: 'complete',
      size: 4,
      informative: false,
      stages: { first: 4, second: 0 },
    })
    const plain = await requestBatch(
      runtime,
      run,
      { requestId: 'plain', size: 2, groupSize: 2, policyVersion: 1 },
      START + 3,
    )
    const [pick] = plain.picks
    if (pick === undefined) throw new Error('no pick')
    expect(
      Object.keys(
        await reportRollouts(
          runtime,
          run,
          rolloutsOf(pick, 1, 0, 2, () => 1),
          START + 4,
        ),
      ),
    ).toEqual(['accepted', 'duplicates', 'untrusted', 'rejected'])
  })

  test('stages that make no sense are refused in a sentence', () => {
    const issueOf = (stages: number[], more: object = {}) =>
      batchRequest.safeParse({ ...staged(0), stages, ...more }).error?.issues[0]?.message ?? null
    expect(issueOf([4, 4])).toBeNull()
    expect(issueOf([2, 6])).toBeNull()
    expect(issueOf([8])).toMatch(/two stages, not 1/)
    expect(issueOf([2, 2, 4])).toMatch(/two stages, not 3/)
    expect(issueOf([4, 8])).toMatch(/come to 12, the group size is 8/)
    expect(issueOf([1, 7])).toMatch(/first stage of 1 cannot tell/)
    expect(issueOf([8, 0])).toMatch(/second stage of 0 adds nothing/)
    expect(issueOf([-4, 12])).toMatch(/first stage of -4/)
    expect(issueOf([4, 4], { mode: 'shares' })).toMatch(/Shares have no stages/)
  })
})
