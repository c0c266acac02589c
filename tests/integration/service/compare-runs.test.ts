import { afterEach, beforeEach, expect, test } from 'vitest'
import { comparison } from '@/lib/contract/comparison'
import { applyDraft } from '@/lib/service/apply-overrides'
import { axisPlaces, compareRuns, lastUpTo } from '@/lib/service/compare-runs'
import { requireRun } from '@/lib/service/open-run'
import { recordScore } from '@/lib/service/record-score'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { emptyHistory, historyOf } from '@/lib/service/run-history'
import { runSteps } from '@/lib/service/run-steps'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, train } from '@/tests/support/toy-run'

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

test('runs stand on one axis up to where each has whole steps', async () => {
  const long = await startToyRun(runtime, { key: 'long', seed: '0' })
  const short = await startToyRun(runtime, { key: 'short', seed: '0', config: { scheduler: 'uniform' } })
  await train(runtime, long, 0, 8)
  await train(runtime, short, 0, 5)
  // asked and out: the newest step of either is not whole, and the one before it is absorbed
  await ask(runtime, long, 8)
  await ask(runtime, short, 5)
  const answer = comparison.parse(await compareRuns(runtime, [long, short, long, 'gone'], 'steps', START))
  expect(answer.missing).toEqual(['gone'])
  expect(answer.x).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(answer.common).toBe(4)
  const [a, b] = answer.runs
  expect(answer.runs.map(({ id, last }) => [id, last])).toEqual([
    [long, 7],
    [short, 4],
  ])
  expect(b?.series.informativeShare.map((value) => value === null)).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
    true,
    true,
  ])
  expect(a?.atCommon).toEqual({ step: 4, rollouts: 5 * 32, tokens: null })
  // the whole set is measured on the uniform slots alone: by hand, from the groups of the last five steps
  const { run } = await requireRun(runtime, long)
  const history = await historyOf(runtime, run)
  const uniform = [...history.groups.values()].filter(
    (group) => group.slot === 'uniform' && group.mean !== null && group.policyVersion >= 3 && group.policyVersion <= 7,
  )
  expect(uniform.length).toBeGreaterThan(5)
  const mean = uniform.reduce((sum, group) => sum + (group.mean ?? 0), 0) / uniform.length
  expect(a?.series.reward.at(-1)).toBeCloseTo(mean, 5)
  expect(a?.settings.find(({ name }) => name === 'scheduler')?.value).toBe('envsched')
  expect(b?.settings.find(({ name }) => name === 'coverage weight')?.value).toBe('n/a')
  expect(a?.settings.map(({ name }) => name)).toEqual(b?.settings.map(({ name }) => name))
})

test('rollouts and tokens are axes of their own', async () => {
  const long = await startToyRun(runtime, { key: 'long' })
  const short = await startToyRun(runtime, { key: 'short' })
  await train(runtime, long, 0, 4)
  await train(runtime, short, 0, 3)
  const rollouts = await compareRuns(runtime, [long, short], 'rollouts', START)
  expect(rollouts.x).toEqual([32, 64, 96])
  expect(rollouts.common).toBe(64)
  const tokens = await compareRuns(runtime, [long, short], 'tokens', START)
  expect(tokens).toMatchObject({ x: [], common: null })
  expect(tokens.runs.map(({ last }) => last)).toEqual([null, null])
})

test('a run without a step and a shadow run have no whole-set reward', async () => {
  const empty = await startToyRun(runtime, { key: 'empty' })
  const shadow = await startToyRun(runtime, { key: 'shadow', mode: 'shadow' })
  const rollouts = [0, 1, 2, 3].map((k) => ({
    id: `r${k}`,
    environment: 'shop/1',
    task: 'task/3',
    policyVersion: 2,
    reward: k % 2,
  }))
  await reportRollouts(runtime, shadow, rollouts, START, { wholeGroups: true })
  const answer = await compareRuns(runtime, [empty, shadow], 'steps', START)
  expect(answer.runs[0]).toMatchObject({ last: null, atCommon: null })
  expect(answer.x).toEqual([2])
  expect(answer.runs[1]?.series).toMatchObject({ informativeShare: [1], reward: [null] })
})

test('steering by hand and evaluations are told', async () => {
  const run = await startToyRun(runtime, { key: 'steered' })
  await train(runtime, run, 0, 3)
  const apply = (changes: object[]) => applyDraft(runtime, run, { changes, cursor: 0, anyway: true }, OPERATOR, START)
  await apply([
    { kind: 'weight', target: 'coverage', value: 0.4 },
    { kind: 'quota', target: 'e1', lower: 0, upper: 0.3 },
    { kind: 'pause', target: 'e2', batches: 2 },
  ])
  await train(runtime, run, 3, 2)
  await apply([{ kind: 'lift', target: 'o1' }])
  await recordScore(runtime, run, { policyVersion: 2, name: 'held-out', value: 0 }, START)
  await recordScore(runtime, run, { policyVersion: 99, name: 'held-out', value: 0.5 }, START)
  const [told] = (await compareRuns(runtime, [run], 'steps', START)).runs
  expect(told?.steered).toBe(4)
  const names = new Set(told?.settings.map(({ name }) => name))
  expect(told?.changes.every(({ setting }) => names.has(setting))).toBe(true)
  expect(
    told?.changes.map(({ setting, value, from, until }) => [
      setting.replace(/^[A-Z0-9]{3}/, 'ENV'),
      value.replace(/^[A-Z0-9]{3}$/, 'ENV'),
      from,
      until,
    ]),
  ).toEqual([
    ['coverage weight', '0.4', 4, 6],
    ['ENV lower quota', 'none', 4, null],
    ['ENV upper quota', '30 %', 4, null],
    ['paused', 'ENV', 4, 6],
  ])
  expect(told?.scores).toEqual([
    {
      name: 'held-out',
      points: [
        { x: 2, step: 2, value: 0 },
        { x: 3, step: 99, value: 0.5 },
      ],
    },
  ])
})

test('no run and too many runs are refused in a sentence', async () => {
  await expect(compareRuns(runtime, [''], 'steps', START)).rejects.toThrow(/1 to 6 runs/)
  await expect(compareRuns(runtime, [...'abcdefg'], 'steps', START)).rejects.toThrow(/1 to 6 runs/)
})

test('a long axis is thinned and keeps the end of every run', () => {
  const all = Array.from({ length: 5000 }, (_, i) => i)
  const places = axisPlaces([all, all.slice(0, 3777), []], 400)
  expect(places.length).toBeLessThanOrEqual(402)
  expect(places[0]).toBe(0)
  expect(places).toContain(3776)
  expect(places.at(-1)).toBe(4999)
  expect(axisPlaces([[3, 5], [5]], 400)).toEqual([3, 5])
  expect(axisPlaces([[], []], 400)).toEqual([])
  expect([lastUpTo([], 3), lastUpTo([4], 3), lastUpTo([4], 4), lastUpTo([0, 4, 9], 8)]).toEqual([-1, -1, 0, 1])
})

test('steps of 5,000 batches are added up once for a state of the history', () => {
  const groups = new Map()
  for (let number = 0; number < 5000 * 16; number += 1) {
    const solved = number % 5
    groups.set(number, {
      number,
      policyVersion: number >> 4,
      slot: number % 4 === 0 ? 'uniform' : 'score',
      state: 'absorbed',
      returned: 8,
      trusted: 8,
      informative: solved > 0,
      mean: solved / 8,
      tokensSum: 0,
      tokensCount: 0,
      predictedVariance: 0.1,
      realisedVariance: 0.2,
    })
  }
  const history = { ...emptyHistory(), groups, seq: 1, mark: '1:1' }
  const steps = runSteps(history)
  expect(steps).toHaveLength(5000)
  expect(runSteps(history)).toBe(steps)
  const last = steps.at(-1)
  expect(last?.rollouts).toBe(5000 * 128)
  expect(last?.predictionError).toBeCloseTo(0.1, 9)
  expect(last?.rewardLow).toBeLessThan(last?.reward ?? 0)
  expect(last?.tokens).toBeNull()
})
