/** Adaptive group sizes end to end: each pick's own size is asked for, leased, waited for and shown, at the budget of fixed ones. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BatchAnswer } from '@/lib/contract/batch'
import { applyDraft } from '@/lib/service/apply-overrides'
import { proposeNext } from '@/lib/service/next-batch'
import { readBatch } from '@/lib/service/read-batches'
import { readTask } from '@/lib/service/read-task'
import { reportRollouts } from '@/lib/service/report-rollouts'
import type { Runtime } from '@/lib/service/runtime'
import { readSteering } from '@/lib/service/steering'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, toyReward } from '@/tests/support/toy-run'

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

const sizes = (batch: BatchAnswer) => batch.picks.map(({ groupSize }) => groupSize)
const total = (batch: BatchAnswer) => sizes(batch).reduce((sum, size) => sum + size, 0)

async function report(run: string, step: number, batch: BatchAnswer, from = 0, to = Number.POSITIVE_INFINITY) {
  const rollouts = batch.picks.flatMap((pick) =>
    Array.from({ length: pick.groupSize }, (_, k) => ({
      id: `${pick.lease}-${k}`,
      lease: pick.lease,
      policyVersion: step,
      reward: toyReward(`${pick.environment} ${pick.task}`, step, k),
      seconds: pick.environment === 'shop/0' ? 60 : 10,
    })).slice(from, to),
  )
  await reportRollouts(runtime, run, rollouts, START + step * 60_000 + 30_000)
}

it('asks, leases, completes and shows each pick by its own size', async () => {
  const run = await startToyRun(runtime, { config: { groupSizing: 'adaptive', weights: { cost: 0.5 } } })
  const seen = new Set<number>()
  let last: BatchAnswer | null = null
  for (let step = 0; step < 12; step++) {
    last = await ask(runtime, run, step, 8, 8)
    expect(total(last)).toBe(64)
    for (const size of sizes(last)) seen.add(size)
    if (step < 11) await report(run, step, last)
  }
  expect(seen.size).toBeGreaterThan(1)
  const batch = last!
  expect(new Set(sizes(batch)).size).toBeGreaterThan(1)
  const open = await readBatch(runtime, run, batch.index)
  expect(open.pickList.map(({ groupSize }) => groupSize)).toEqual(sizes(batch))
  expect(open.pickList.map(({ result }) => result.squares.length)).toEqual(sizes(batch))

  await report(run, 11, batch, 0, 7)
  const partly = await readBatch(runtime, run, batch.index)
  expect(partly.pickList.map(({ result }) => result.state)).toEqual(
    sizes(batch).map((size) => (size <= 7 ? 'complete' : 'partial')),
  )
  await report(run, 11, batch, 7)
  const whole = await readBatch(runtime, run, batch.index)
  expect(whole.pickList.every(({ result }) => result.state === 'complete' && result.returned === result.size)).toBe(
    true,
  )
  const odd = batch.picks.find(({ groupSize }) => groupSize !== 8)!
  const task = await readTask(runtime, run, odd.id)
  expect(task.picks[0]!.result.size).toBe(odd.groupSize)
  const again = await ask(runtime, run, 11, 8, 8)
  expect(sizes(again)).toEqual(sizes(batch))
})

it('goes by the Steering page: drafted, applied, shown, undone', async () => {
  const run = await startToyRun(runtime)
  for (let step = 0; step < 8; step++) {
    const batch = await ask(runtime, run, step, 8, 8)
    expect(new Set(sizes(batch))).toEqual(new Set([8]))
    await report(run, step, batch)
  }
  const { cursor } = await readSteering(runtime, run)
  const changes = [
    { kind: 'group_sizing', value: 'adaptive' },
    { kind: 'weight', target: 'cost', value: 0.5 },
  ]
  const { overrides } = await applyDraft(runtime, run, { changes, cursor, anyway: true }, OPERATOR, START + 1e6)
  expect(overrides.map(({ sentence }) => sentence)).toEqual(['group sizes fixed to adaptive', 'cost weight 0 to 0.5'])
  const steering = await readSteering(runtime, run)
  expect(steering.groupSizing).toBe('adaptive')
  expect(steering.weights.find(({ name }) => name === 'cost')).toMatchObject({ now: 0.5, low: 0, high: 1, default: 0 })
  const proposed = await proposeNext(runtime, run, 8, START + 1e6)
  const batch = await ask(runtime, run, 8, 8, 8)
  expect(sizes(batch)).toEqual(proposed.pickList.map(({ groupSize }) => groupSize))
  expect(total(batch)).toBe(64)
})
