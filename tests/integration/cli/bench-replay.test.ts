import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { benchReplay, planOf } from '@/lib/cli/bench-replay'
import { replayTable } from '@/lib/cli/replay-table'
import { madeUpHistory } from '@/tests/support/replay-rows'

const shared = path.resolve(import.meta.dirname, '../../../../shared/data/rollouts')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'envsched-replay-'))
  const lines = madeUpHistory({ tasks: 24 }).map(({ fields, failed, ...row }) => JSON.stringify(row))
  await writeFile(
    path.join(folder, 'made-up.jsonl.gz'),
    gzipSync(
      [
        ...lines,
        '{"environment":"env 0","task":"task 0","model":"model 0","trial":9,"reward":null}',
        'no JSON',
        '[]',
      ].join('\n'),
    ),
  )
  await writeFile(path.join(folder, 'one.jsonl'), '{"environment":"e","task":1,"model":"m","reward":1}\n')
})
afterAll(() => rm(folder, { recursive: true }))

describe('bench-replay', () => {
  it('replays every source of a folder and judges the eligible ones', async () => {
    const plan = planOf(
      ['--data', '.', '--seeds', '2', '--steps', '12', '--picks', '8', '--threads', '1', '--arms', 'core'],
      folder,
    )!
    const report = await benchReplay(plan, () => undefined)
    expect(report.odd).toEqual({ 'it is not JSON': 1, 'it is not an object': 1 })
    const [made, one] = report.sources
    expect(made).toMatchObject({
      source: 'made-up',
      tasks: 144,
      environments: 6,
      eligible: true,
      leftOut: { noReward: 1 },
    })
    expect(made!.arms.map(({ arm }) => arm)).toEqual([
      'uniform',
      'env-then-task',
      'env-then-task-protected',
      'envsched',
      'oracle',
    ])
    const uniform = made!.arms[0]!
    const engine = made!.arms[3]!
    expect(engine.informativeShare).toBeGreaterThan(uniform.informativeShare)
    expect(report.overall.eligible).toEqual(['made-up'])
    expect(one).toMatchObject({ source: 'one', eligible: false, arms: [], prediction: null })
    for (const source of report.sources) expect(replayTable(source)).not.toMatch(/NaN|undefined/)
  })

  it('gives the same figures on two threads', async () => {
    const flags = [
      '--data',
      path.join(folder, 'made-up.jsonl.gz'),
      '--seeds',
      '2',
      '--steps',
      '6',
      '--picks',
      '8',
      '--arms',
      'uniform,envsched',
    ]
    const [a, b] = await Promise.all(
      ['1', '2'].map((threads) => benchReplay(planOf([...flags, '--threads', threads], folder)!, () => undefined)),
    )
    expect(a!.sources.map(({ seconds, ...rest }) => rest)).toEqual(b!.sources.map(({ seconds, ...rest }) => rest))
  })

  it('refuses wrong flags with a sentence', async () => {
    expect(() => planOf([], folder)).toThrow('--data')
    expect(() => planOf(['--data', '.', '--seeds', '0'], folder)).toThrow('--seeds')
    expect(() => planOf(['--data', '.', '--arms', 'luck'], folder)).toThrow('luck')
    await expect(benchReplay(planOf(['--data', 'nowhere'], folder)!, () => undefined)).rejects.toThrow('is not there')
  })

  it.skipIf(!existsSync(shared))('replays a real source', async () => {
    const plan = planOf(
      ['--data', path.join(shared, 'tau-bench.jsonl.gz'), '--seeds', '2', '--threads', '1', '--arms', 'core'],
      folder,
    )!
    const [report] = (await benchReplay(plan, () => undefined)).sources
    expect(report).toMatchObject({ tasks: 50, environments: 1, repeatedGroups: 50, eligible: false, hasTools: true })
    expect(report?.arms.find(({ arm }) => arm === 'oracle')?.normalisedGain).toBe(1)
  })
})
