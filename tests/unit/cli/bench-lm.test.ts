import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { planOf } from '@/lib/cli/bench-lm'
import { answerTrainer } from '@/lib/cli/bench-lm-direct'
import { openTrainingFile } from '@/lib/cli/bench-lm-file'
import { differences } from '@/lib/cli/bench-lm-groups'
import {
  areaTo,
  curveOf,
  horizonsOf,
  lowestOfSolvedAtStart,
  onceSolved,
  stepsTo,
  worstTenth,
} from '@/lib/cli/bench-lm-measures'
import { reportLm } from '@/lib/cli/bench-lm-report'
import { lmTable } from '@/lib/cli/bench-lm-table'
import type { LmTraining } from '@/lib/cli/bench-lm-training'
import type { RolloutGroup } from '@/lib/contract/rollout-group'

/** Two environments that go from `from` to `to` in a straight line over 300 steps. */
function training(arm: string, world: number, from: [number, number], to: [number, number]): LmTraining {
  const scores = Array.from({ length: 31 }, (_, i) =>
    [0, 1].map((e) => (from[e] ?? 0) + (((to[e] ?? 0) - (from[e] ?? 0)) * i) / 30),
  )
  const rest = { keys: ['a', 'b'], scores, informative: [0.5, 0], picked: [1, 2, 3], run: null }
  return { arm, world, steps: 300, every: 10, seconds: { step: 0.1 }, ...rest }
}

describe('bench-lm', () => {
  it('runs the core arms over 300 steps, and refuses what it does not know', () => {
    expect(planOf([])).toMatchObject({ worlds: [1, 2, 3], steps: 300, parallel: 2, out: null, setup: false })
    expect(planOf(['--arms', 'envsched,oracle'])?.arms).toEqual(['envsched', 'oracle'])
    expect(() => planOf(['--arms', 'moon'])).toThrow('moon')
    expect(() => planOf(['--steps', '15'])).toThrow('multiple of 10')
    expect(planOf(['--trainer', 'trl'])).toMatchObject({
      trainer: 'trl',
      arms: ['uniform', 'env-then-task', 'env-then-task-protected', 'envsched'],
    })
    expect(() => planOf(['--trainer', 'trl', '--arms', 'oracle'])).toThrow('oracle')
    expect(() => planOf(['--trainer', 'trl', '--direct'])).toThrow('--direct')
    expect(() => planOf(['--trainer', 'moon'])).toThrow('moon')
  })

  it('takes areas up to a horizon with step 0, and a step between two points', () => {
    const curve = curveOf(training('uniform', 1, [0, 0], [0.6, 0.6]))
    expect(areaTo(curve, 300)).toBeCloseTo(0.3)
    expect(areaTo(curve, 150)).toBeCloseTo(0.15)
    expect([horizonsOf(300), horizonsOf(150), horizonsOf(60)]).toEqual([[150, 300], [150], [60]])
    expect(stepsTo(curve, 0.31)).toBeCloseTo(155)
    expect([stepsTo(curve, 0), stepsTo(curve, 0.7)]).toEqual([0, null])
  })

  it('tells what solved environments kept', () => {
    const fell = training('a', 1, [1, 0], [0.5, 0.7])
    expect(onceSolved(fell)).toEqual([{ environment: 'a', peak: 1, kept: 0.5 }])
    expect(lowestOfSolvedAtStart(fell)).toBeCloseTo(0.5)
    expect(lowestOfSolvedAtStart(training('a', 1, [0, 0], [1, 1]))).toBeNull()
    expect(worstTenth(fell)).toBeCloseTo(0.5)
  })

  it('pairs arms by world and tells gains as a share of the oracle', () => {
    const report = reportLm(
      [
        training('uniform', 1, [0, 0], [0.2, 0.2]),
        training('uniform', 2, [0, 0], [0.4, 0.4]),
        training('envsched', 1, [0, 0], [0.4, 0.4]),
        training('envsched', 2, [0, 0], [0.8, 0.8]),
        training('oracle', 1, [0, 0], [0.6, 0.6]),
        training('oracle', 2, [0, 0], [0.8, 0.8]),
      ],
      'own',
    )
    const own = report.arms[1]
    expect(own?.against.uniform?.['300']?.values).toEqual([expect.closeTo(0.1), expect.closeTo(0.2)])
    expect(own?.against.uniform?.['300']?.standardError).toBeCloseTo(0.05)
    expect(own?.oracleShare['300']).toBeCloseTo(0.3 / 0.4)
    expect(own?.stepsToUniform150).toBeCloseTo(75)
    expect(report.arms[0]?.against).toEqual({})
    expect(lmTable(report)).toContain('envsched − uniform, area to 300: +0.1500 ± 0.0500')
  })

  it("finds every way in which a trainer's log and the server's groups differ", () => {
    const logged = { step: 3, environment: 'a', task: 't', rewards: [1, 0, 0, 1] }
    const held = (rewards: (number | null)[], more: object = {}) =>
      ({
        policyVersion: 3,
        task: { key: 't', environment: { key: 'a' } },
        rollouts: rewards.map((reward) => ({ reward })),
        result: { mean: 0.5, variance: 1 / 3, informative: true, ...more },
      }) as unknown as RolloutGroup
    expect(differences([logged], [held([0, 0, 1, 1])])).toEqual([])
    expect(differences([logged], [held([0, 0, null, 1])])).toEqual(['step 3, a, t has other rewards'])
    expect(differences([logged], [held([0, 0, 1, 1], { mean: null })])[0]).toContain('the mean of step 3')
    expect(differences([logged], [held([0, 0, 1, 1], { variance: 0.25 })])[0]).toContain('not 0.333')
    expect(differences([logged], [held([0, 0, 1, 1], { informative: null })])[0]).toContain('one side only')
    expect(differences([logged], [])).toEqual(['the server has no group of step 3, a, t'])
    expect(differences([logged, logged], [held([0, 0, 1, 1])])).toHaveLength(1)
    expect(differences([], [held([0, 0, 1, 1])])).toEqual(['the log has no group of step 3, a, t'])
  })

  it('answers a trainer without a server, and tells nobody the truth', async () => {
    const environments = ['a', 'b'].map((key) => ({
      key,
      tools: [{ name: 'alfa' }],
      verifier: { kind: 'exact' },
      rewardRange: [0, 1],
      horizon: 1,
    }))
    const tasks = Array.from({ length: 8 }, (_, i) => ({ environment: 'ab'[i % 2], key: `t${i}`, tools: ['alfa'] }))
    const ask = (step: number) => ({ kind: 'ask', step, size: 4 })
    const said = [
      { kind: 'register', taskSet: { name: 'toy', environments, tasks } },
      ask(0),
      {
        kind: 'told',
        step: 0,
        tasks: [0, 1],
        rewards: [
          [0, 1],
          [0, 0],
        ],
      },
      ask(1),
      { kind: 'result', arm: 'envsched' },
    ]
    const lines = () => Readable.from(said.map((one) => `${JSON.stringify(one)}\n`))
    const to = new PassThrough()
    const sizes = { groups: 4, groupSize: 2, world: 1 }
    expect(await answerTrainer(lines(), to, { arm: 'envsched', ...sizes })).toMatchObject({ arm: 'envsched' })
    const picks = String(to.read())
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as number[])
    expect(picks).toHaveLength(2)
    for (const batch of picks) expect(new Set(batch).size).toBe(4)
    await expect(answerTrainer(lines(), to, { arm: 'oracle', ...sizes })).rejects.toThrow('oracle')
  })

  it('goes on from a file whose last line was cut off', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'envsched-lm-file-')), 'out.jsonl')
    const first = training('uniform', 1, [0, 0], [1, 1])
    openTrainingFile(file, 300).keep(first)
    appendFileSync(file, '{"arm": "env')
    const again = openTrainingFile(file, 300)
    expect(again.found).toEqual([first])
    again.keep(training('envsched', 1, [0, 0], [1, 1]))
    expect(openTrainingFile(file, 300).found.map(({ arm }) => arm)).toEqual(['uniform', 'envsched'])
    expect(openTrainingFile(file, 150).found).toEqual([])
    writeFileSync(file, '')
    expect(openTrainingFile(file, 300).found).toEqual([])
  })
})
