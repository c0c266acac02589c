/**
 * Settings that nobody should choose, and rewards that nobody hopes for: every stored pick still adds up, nothing that a page
 * or a trainer reads holds a number that is none, batches are full where they can be, and quotas are obeyed within one pick.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BatchAnswer, BatchDetail } from '@/lib/contract/batch'
import type { TaskSetInput } from '@/lib/contract/task-set'
import { applyDraft } from '@/lib/service/apply-overrides'
import { previewDraft } from '@/lib/service/preview-draft'
import { listBatchesWithPicks } from '@/lib/service/read-batches'
import { readEvidence } from '@/lib/service/read-evidence'
import { readGraph } from '@/lib/service/read-graph'
import { readRollouts } from '@/lib/service/read-lists'
import { readEnvironments, readOverview, readPatterns, readSeries } from '@/lib/service/read-run-pages'
import { readTask } from '@/lib/service/read-task'
import { listTasks } from '@/lib/service/read-tasks'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { readRunDetail } from '@/lib/service/runs'
import type { Runtime } from '@/lib/service/runtime'
import { readSteering } from '@/lib/service/steering'
import { createTestDatabase, type TestDatabase } from '@/tests/support/database'
import { ask, OPERATOR, openTestRuntime, START, startToyRun, toyReward, toyTaskSet } from '@/tests/support/toy-run'

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

const LIST = { limit: 1000, format: 'json' } as const

type Reward = (environment: string, task: string, step: number, k: number) => unknown
const usual: Reward = (environment, task, step, k) => toyReward(`${environment} ${task}`, step, k)

async function report(run: string, step: number, batch: BatchAnswer, reward: Reward, status = 'ok'): Promise<void> {
  const rollouts = batch.picks.flatMap((pick) =>
    Array.from({ length: pick.groupSize }, (_, k) => ({
      id: `${pick.lease}-${k}`,
      lease: pick.lease,
      policyVersion: step,
      reward: reward(pick.environment, pick.task, step, k),
      status,
    })),
  )
  await reportRollouts(runtime, run, rollouts, START + step * 60_000 + 30_000)
}

async function steps(
  run: string,
  from: number,
  count: number,
  reward: Reward = usual,
  size = 8,
): Promise<BatchAnswer[]> {
  const batches: BatchAnswer[] = []
  for (let step = from; step < from + count; step += 1) {
    const batch = await ask(runtime, run, step, size)
    batches.push(batch)
    await report(run, step, batch, reward)
  }
  return batches
}

/** Paths of every number that is none, and of every -Infinity. */
function impossible(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} = ${value}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => impossible(inner, `${path}.${key}`))
}

const sum = (parts: object) => Object.values(parts).reduce((total: number, part: number) => total + part, 0)

async function lawsHold(run: string, tasks = 48): Promise<BatchDetail[]> {
  const { items } = await listBatchesWithPicks(runtime, run, LIST)
  for (const batch of items) {
    expect(new Set(batch.pickList.map((pick) => pick.task.id)).size).toBe(batch.pickList.length)
    for (const pick of batch.pickList) {
      expect(Math.abs(sum(pick.terms) - pick.score)).toBeLessThan(1e-6)
      expect(Math.abs(sum(pick.prediction.shares) - pick.prediction.predictedVariance)).toBeLessThan(1e-6)
      expect(pick.prediction.predictedVariance).toBeGreaterThanOrEqual(0)
    }
    for (const left of batch.leftOut) expect(Math.abs(sum(left.terms) - left.score)).toBeLessThan(1e-6)
  }
  const read = {
    items,
    overview: await readOverview(runtime, run),
    environments: await readEnvironments(runtime, run),
    series: await readSeries(runtime, run, 1000),
    patterns: await readPatterns(runtime, run),
    tasks: await listTasks(runtime, run, { sort: 'variance' }, LIST),
    steering: await readSteering(runtime, run),
    graph: await readGraph(runtime, run),
    detail: await readRunDetail(runtime, run, START),
    preview: await previewDraft(runtime, run, { changes: [] }, START),
  }
  expect(impossible(read)).toEqual([])
  for (let task = 0; task < tasks; task += 7) {
    const evidence = await readEvidence(runtime, run, `t${task}`, null)
    expect(impossible([evidence, await readTask(runtime, run, `t${task}`)])).toEqual([])
    expect(Math.abs(sum(evidence.shares) - evidence.prediction.predictedVariance)).toBeLessThan(1e-6)
    for (const kind of ['own', 'within', 'cross'] as const) {
      const parts = evidence.contributions
        .filter((one) => one.kind === kind)
        .reduce((total, one) => total + one.share, 0)
      expect(Math.abs(parts + evidence.rest[kind] - evidence.shares[kind])).toBeLessThan(1e-6)
    }
  }
  return items
}

const apply = (run: string, changes: object[]) =>
  applyDraft(runtime, run, { changes, cursor: 0, anyway: true }, OPERATOR, START)

const noWeights = { exploitation: 0, coverage: 0, similarity: 0, recency: 0, headroom: 0 }
const fullWeights = { exploitation: 2, coverage: 2, similarity: 1, recency: 1, headroom: 3 }
const quotasOf = (quota: (e: number) => object) => Object.fromEntries([0, 1, 2, 3].map((e) => [`shop/${e}`, quota(e)]))

describe('odd configurations', () => {
  const configs: Record<string, object> = {
    'all weights at zero': { weights: noWeights },
    'all weights at their top': { weights: fullWeights },
    'no uniform slots': { uniformShare: 0 },
    'nothing but uniform slots': { uniformShare: 1 },
    'a window of one pick': { windowPicks: 1, quotas: quotasOf(() => ({ upper: 0.25 })) },
    'lower quotas that sum to one': { quotas: quotasOf(() => ({ lower: 0.25 })) },
    'one environment is owed everything': { quotas: { 'shop/2': { lower: 1 } } },
  }
  for (const [name, config] of Object.entries(configs))
    it(name, async () => {
      const run = await startToyRun(runtime, { config })
      const batches = await steps(run, 0, 12)
      for (const batch of batches) expect(batch.picks).toHaveLength(8)
      await lawsHold(run)
    })

  it('upper quotas of zero for all but one', async () => {
    const config = { uniformShare: 0, quotas: quotasOf((e) => ({ upper: e === 1 ? 1 : 0 })) }
    const run = await startToyRun(runtime, { config })
    for (const batch of await steps(run, 0, 8))
      expect(batch.picks.map((pick) => pick.environment)).toEqual(new Array(8).fill('shop/1'))
    // more than its twelve tasks: the others fill the batch, and it is said
    const large = await ask(runtime, run, 8, 20)
    expect(large.picks).toHaveLength(20)
    expect(large.picks.filter((pick) => pick.environment === 'shop/1')).toHaveLength(12)
    expect(large.notes.join(' ')).toContain('upper quota')
    await lawsHold(run)
  })

  it('quotas are obeyed within one pick over the window', async () => {
    const shares = [0.5, 0.3, 0.15, 0.05]
    const config = {
      uniformShare: 0,
      windowPicks: 80,
      quotas: quotasOf((e) => ({ lower: shares[e] ?? 0, upper: shares[e] ?? 1 })),
    }
    const run = await startToyRun(runtime, { config, set: toyTaskSet(4, 30) })
    const all = (await steps(run, 0, 30)).flatMap((batch) => batch.picks.map((pick) => pick.environment))
    for (let end = 80; end <= all.length; end += 8)
      for (const [e, share] of shares.entries()) {
        const used = all.slice(end - 80, end).filter((key) => key === `shop/${e}`).length
        expect(Math.abs(used - share * 80)).toBeLessThanOrEqual(1)
      }
    await lawsHold(run, 120)
  })

  for (const scheduler of ['uniform', 'env-then-task', 'env-then-task-protected', 'env-bandit'])
    it(`the scheduler ${scheduler}`, async () => {
      const run = await startToyRun(runtime, { config: { scheduler } })
      for (const batch of await steps(run, 0, 10)) expect(batch.picks).toHaveLength(8)
      await lawsHold(run)
    })
})

describe('odd task sets', () => {
  const small: Record<string, TaskSetInput> = {
    'one environment, one task': { name: 'one', environments: [{ key: 'e' }], tasks: [{ environment: 'e', key: 't' }] },
    'environments without tasks': {
      name: 'empty',
      environments: [{ key: 'a' }, { key: 'none' }, { key: 'z' }],
      tasks: [{ environment: 'z', key: 't' }],
    },
    'one task at a time': {
      name: 'narrow',
      environments: [{ key: 'e', maxConcurrent: 1 }],
      tasks: [1, 2, 3].map((n) => ({ environment: 'e', key: `${n}` })),
    },
  }
  for (const [name, set] of Object.entries(small))
    it(name, async () => {
      const run = await startToyRun(runtime, { set })
      for (const batch of await steps(run, 0, 6)) {
        expect(batch.picks).toHaveLength(1)
        expect(batch.notes.length).toBeGreaterThan(0)
      }
      await lawsHold(run, set.tasks.length)
    })

  it('batches of one pick, every fourth uniform, groups of one', async () => {
    const run = await startToyRun(runtime)
    const slots: string[] = []
    for (let step = 0; step < 24; step += 1) {
      const batch = await ask(runtime, run, step, 1, 1)
      slots.push(batch.picks[0]?.slot ?? 'none')
      await report(run, step, batch, usual)
    }
    expect(slots.filter((_, index) => index % 4 === 3)).toEqual(new Array(6).fill('uniform'))
    expect(slots.filter((slot) => slot === 'uniform')).toHaveLength(6)
    await lawsHold(run)
  })
})

describe('odd overrides', () => {
  it('everything is banned, or paused: an empty batch that says why, and no end of it', async () => {
    const run = await startToyRun(runtime)
    await steps(run, 0, 2)
    await apply(
      run,
      [...Array(48).keys()].map((task) => ({ kind: 'ban', target: `t${task}`, batches: 2 })),
    )
    for (const step of [2, 3]) {
      const batch = await ask(runtime, run, step)
      expect(batch.picks).toEqual([])
      expect(batch.notes.join(' ')).toContain('48 banned')
    }
    expect((await ask(runtime, run, 4)).picks).toHaveLength(8)
    await apply(
      run,
      [0, 1, 2, 3].map((e) => ({ kind: 'pause', target: `e${e}`, mode: e % 2 === 0 ? 'hold' : 'drain' })),
    )
    const batch = await ask(runtime, run, 5)
    expect(batch.picks).toEqual([])
    await lawsHold(run)
    await apply(
      run,
      [0, 1, 2, 3].map((e) => ({ kind: 'resume', target: `e${e}` })),
    )
    expect((await ask(runtime, run, 6)).picks).toHaveLength(8)
  })

  it('more pins than picks, pins that are banned, boosts of nothing and of four times', async () => {
    const run = await startToyRun(runtime)
    await steps(run, 0, 2)
    await apply(run, [
      ...[...Array(12).keys()].map((task) => ({ kind: 'pin', target: `t${task}` })),
      { kind: 'ban', target: 't3' },
      { kind: 'boost', target: 'e1', factor: 0 },
      { kind: 'boost', target: 't9', factor: 4 },
      { kind: 'boost', target: 'e2', factor: 4 },
    ])
    const batches = await steps(run, 2, 6)
    for (const batch of batches) {
      expect(batch.picks).toHaveLength(8)
      expect(batch.picks.map((pick) => pick.id)).not.toContain('t3')
    }
    expect(new Set(batches.flatMap((batch) => batch.picks.map((pick) => pick.id))).size).toBeGreaterThan(10)
    await lawsHold(run)
  })

  it('a drain with leases out: what comes back of them is kept, late', async () => {
    const run = await startToyRun(runtime)
    const batch = await ask(runtime, run, 0)
    await apply(
      run,
      [0, 1, 2, 3].map((e) => ({ kind: 'pause', target: `e${e}`, mode: 'drain' })),
    )
    await report(run, 0, batch, usual)
    const answer = await reportRollouts(
      runtime,
      run,
      [{ id: 'more', lease: batch.picks[0]?.lease, policyVersion: 0, reward: 1 }],
      START,
    )
    expect(answer.accepted).toBe(1)
    await apply(
      run,
      [0, 1, 2, 3].map((e) => ({ kind: 'resume', target: `e${e}` })),
    )
    await steps(run, 1, 4)
    await lawsHold(run)
  })
})

describe('odd rewards', () => {
  const undeclared = () => {
    const set = toyTaskSet()
    return { ...set, environments: set.environments.map(({ rewardRange: _range, ...rest }) => rest) }
  }

  it('an undeclared range that widens again and again', async () => {
    const run = await startToyRun(runtime, { set: undeclared() })
    await steps(run, 0, 3)
    await steps(run, 3, 3, (_e, task, step, k) => ((task.length + step + k) % 7) * 1.5)
    await steps(run, 6, 3, (_e, _t, step, k) => -40 + step * k)
    await steps(run, 9, 3, (_e, _t, _s, k) => k * 1000)
    // the last batch is absorbed with the next request
    await ask(runtime, run, 12)
    const { ranges } = await runtime.engine.view(run)
    const reported = (await readRollouts(runtime, run, {}, LIST)).items
    for (const [e, range] of ranges.entries()) {
      const rewards = reported.flatMap((row) => (row.task.environment.id === `e${e}` ? (row.reward ?? []) : []))
      expect(range).toEqual([Math.min(0, ...rewards), Math.max(1, ...rewards)])
    }
    expect(ranges.map(([, high]) => high)).toContain(3000)
    await lawsHold(run)
  })

  it('rewards too large to be squared or to be told apart are no rewards', async () => {
    const run = await startToyRun(runtime, { set: undeclared() })
    await steps(run, 0, 2)
    await steps(run, 2, 3, (_e, _t, _s, k) => (k === 0 ? 1e308 : k === 1 ? -1e308 : k === 2 ? 1e200 : 1))
    const view = await runtime.engine.view(run)
    expect(view.ranges.every(([low, high]) => low === 0 && high === 1)).toBe(true)
    await lawsHold(run)
  })

  it('an environment of which nothing can be trusted', async () => {
    const run = await startToyRun(runtime)
    await steps(run, 0, 16, (environment, task, step, k) =>
      environment === 'shop/1' ? null : toyReward(`${environment} ${task}`, step, k),
    )
    await lawsHold(run)
  })

  for (const reward of [0, 1])
    it(`every reward is ${reward} for forty batches`, async () => {
      const run = await startToyRun(runtime, { set: toyTaskSet(4, 6) })
      const batches = await steps(run, 0, 40, () => reward)
      for (const batch of batches) expect(batch.picks).toHaveLength(8)
      await lawsHold(run, 24)
    })

  it('a policy version that goes back, and one that jumps a thousand million', async () => {
    const run = await startToyRun(runtime)
    for (const step of [5, 3, 0, 1_000_000_000, 1, 1_000_000_001]) {
      const batch = await ask(runtime, run, step)
      expect(batch.picks).toHaveLength(8)
      await report(run, step, batch, usual)
    }
    await lawsHold(run)
  })
})
