import { afterEach, beforeEach, expect, test } from 'vitest'
import { calibration } from '@/lib/contract/calibration'
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

test('weights are stored with each batch, sum to 1, and errors are told of the same groups', async () => {
  const run = await startToyRun(runtime)
  const before = calibration.parse(await readCalibration(runtime, run))
  expect(before.weights.at).toEqual([])
  expect(before.over.at).toEqual([])
  expect(before.all).toEqual({ groups: 0, errors: Array(6).fill(null), best: null })
  expect(before.reliability).toEqual([])
  expect(before.helps).toMatchObject({ verdict: 'not_yet', rollouts: 0 })
  await train(runtime, run, 0, 8)
  await ask(runtime, run, 8)
  const answer = calibration.parse(await readCalibration(runtime, run))
  expect(answer.weights.at).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  const shadows = answer.predictors.filter(({ kind }) => kind === 'shadow').map(({ name }) => name)
  expect(shadows).toContain('placebo')
  expect(answer.weights.models.map(({ name }) => name).filter((name) => shadows.includes(name))).toEqual([])
  for (const i of answer.weights.at.keys())
    expect(answer.weights.models.reduce((sum, { values }) => sum + (values[i] ?? Number.NaN), 0)).toBeCloseTo(1, 3)
  expect(answer.batch).toBe(9)
  expect(answer.helps).toMatchObject({ rollouts: 256 })
  expect(answer.helps.verdict).not.toBe('not_yet')
  expect(answer.helps.overPlacebo?.standardError).toBeGreaterThan(0)

  const { all, compared, depth, evidence, over, reliability } = answer
  expect(all.groups).toBe(64)
  expect(all.errors).toHaveLength(compared.length)
  expect(all.errors.every((error) => error !== null && error > 0 && error < 0.3)).toBe(true)
  expect(all.best).toBeGreaterThan(0)
  expect(depth.map(({ from, to }) => [from, to])).toEqual([
    [0, 0],
    [1, 2],
    [3, 5],
    [6, null],
  ])
  expect(depth[0]?.groups).toBeGreaterThan(0)
  for (const parts of [depth, evidence, reliability])
    expect(parts.reduce((sum, { groups }) => sum + groups, 0)).toBe(64)
  expect(over).toMatchObject({ of: 'batch', window: 5, at: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
  expect(over.errors.map(({ name }) => name)).toEqual(compared.map(({ name }) => name))
  expect(over.errors[0]?.values.every((value) => value !== null)).toBe(true)
  expect(compared[0]?.behind).toBeNull()
  expect(compared[1]?.behind?.standardError).toBeGreaterThan(0)
})

test('a quiet run answers what it answered, and a group more changes it', async () => {
  const run = await startToyRun(runtime)
  await train(runtime, run, 0, 3)
  const first = await readCalibration(runtime, run)
  expect(await readCalibration(runtime, run)).toBe(first)
  await ask(runtime, run, 3)
  const second = await readCalibration(runtime, run)
  expect(second.all.groups).toBe(first.all.groups + 8)
  await runtime.end()
  runtime = await openTestRuntime(database.url)
  expect(await readCalibration(runtime, run)).toEqual(second)
})

test('a run whose trainer chooses is judged over its groups', async () => {
  const run = await startToyRun(runtime, { mode: 'shadow' })
  const report = (from: number, groups: number) =>
    reportRollouts(
      runtime,
      run,
      Array.from({ length: groups * 8 }, (_, i) => {
        const k = from * 8 + i
        const task = (k >> 3) % 48
        return {
          id: `r${k}`,
          environment: `shop/${task % 4}`,
          task: `task/${task >> 2}`,
          policyVersion: Math.floor(k / 384),
          reward: (k * 7919) % 13 < task % 13 ? 1 : 0,
        }
      }),
      START,
      { wholeGroups: true },
    )
  await report(0, 1)
  const one = calibration.parse(await readCalibration(runtime, run))
  expect(one).toMatchObject({ batch: 0, helps: { verdict: 'not_yet', rollouts: 8 } })
  expect(one.predictors.every(({ logLoss }) => logLoss !== null && logLoss > 0)).toBe(true)
  expect(one.over).toMatchObject({ of: 'group', at: [1] })
  expect(one.weights.at).toEqual([1])
  await report(1, 95)
  const answer = calibration.parse(await readCalibration(runtime, run))
  expect(answer.all.groups).toBe(96)
  expect(answer.over.at.at(-1)).toBe(96)
  expect(answer.over.window).toBe(20)
  expect(answer.helps.rollouts).toBe(768)
  const predicted = answer.predictors.find(({ kind }) => kind === 'mixture')
  expect(answer.helps.sentence).toContain(predicted?.logLoss?.toFixed(3))
  expect(answer.helps.overPlacebo?.standardError).toBeGreaterThan(0)
  expect(answer.evidence.reduce((sum, { groups }) => sum + groups, 0)).toBe(96)
})
