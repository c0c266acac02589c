import { afterEach, beforeEach, expect, test } from 'vitest'
import { calibration } from '@/lib/contract/calibration'
import { thinned } from '@/lib/service/calibration'
import { readCalibration } from '@/lib/service/read-run-pages'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

let database: TestDatabase
let runtime: Awaited<ReturnType<typeof openTestRuntime>>
beforeEach(async () => {
  database = await createTestDatabase('sqlite')
  runtime = await openTestRuntime(database.url)
})
afterEach(async () => {
  await runtime.end()
  await database.drop()
})

test('weights are stored with each batch, sum to 1, and shadows have none', async () => {
  const run = await startToyRun(runtime)
  const before = await readCalibration(runtime, run)
  expect(before.weights).toEqual([])
  expect(before.helps).toMatchObject({ verdict: 'not_yet', rollouts: 0 })
  await train(runtime, run, 0, 8)
  await ask(runtime, run, 8)
  const answer = calibration.parse(await readCalibration(runtime, run))
  expect(answer.weights.map(({ batch }) => batch)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  const shadows = answer.predictors.filter(({ kind }) => kind === 'shadow').map(({ name }) => name)
  expect(shadows).toContain('placebo')
  for (const { weights } of answer.weights) {
    expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9)
    for (const name of shadows) expect(weights[name]).toBe(0)
  }
  const mixture = answer.predictors.find(({ kind }) => kind === 'mixture')?.name ?? ''
  expect(answer.weights[0]?.losses[mixture]).toBeNull()
  expect(answer.weights[8]?.losses[mixture]).toBeGreaterThan(0)
  expect(new Set(answer.weights.map(({ losses }) => losses.placebo)).size).toBeGreaterThan(5)
  expect(answer.batch).toBe(9)
  expect(answer.helps).toMatchObject({ rollouts: 256 })
  expect(answer.helps.verdict).not.toBe('not_yet')
  expect(answer.helps.overPlacebo?.standardError).toBeGreaterThan(0)
})

test('a run whose trainer chooses scores predictors, too', async () => {
  const run = await startToyRun(runtime, { mode: 'shadow' })
  const rollouts = Array.from({ length: 8 }, (_, k) => ({
    id: `r${k}`,
    environment: 'shop/1',
    task: 'task/3',
    policyVersion: 0,
    reward: k % 2,
  }))
  await reportRollouts(runtime, run, rollouts, START, { wholeGroups: true })
  const answer = await readCalibration(runtime, run)
  expect(answer).toMatchObject({ batch: 0, weights: [], helps: { verdict: 'not_yet', rollouts: 8 } })
  expect(answer.predictors.every(({ logLoss }) => logLoss !== null && logLoss > 0)).toBe(true)
})

test('a long series is thinned to its newest point', () => {
  const all = Array.from({ length: 1001 }, (_, i) => i)
  const kept = thinned(all, 400)
  expect(kept.length).toBeLessThanOrEqual(400)
  expect(kept.length).toBeGreaterThan(300)
  expect(kept.at(-1)).toBe(1000)
  expect(thinned([1, 2, 3], 400)).toEqual([1, 2, 3])
})
