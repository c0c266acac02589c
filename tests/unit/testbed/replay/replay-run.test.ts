import { describe, expect, it } from 'vitest'
import type { Group } from '@/lib/testbed/group'
import { buildLadder } from '@/lib/testbed/replay/ladder'
import { REPLAY_ARMS, replayArmsNamed } from '@/lib/testbed/replay/replay-arms'
import { replayPlan } from '@/lib/testbed/replay/replay-plan'
import { reportReplay } from '@/lib/testbed/replay/replay-report'
import { replayArm, watch } from '@/lib/testbed/replay/replay-run'
import { replaySeed } from '@/lib/testbed/replay/replay-seed'
import type { SchedulerInput } from '@/lib/testbed/scheduler'
import { madeUpHistory, rolloutsOf } from '@/tests/support/replay-rows'

const arm = (name: string) => replayArmsNamed(name)[0]!
const seeds = (count: number) => Array.from({ length: count }, (_, k) => k + 1)

/** Four tasks, one informative on each of two rungs; two of four may be taken. */
const tiny = buildLadder('any', [
  ...rolloutsOf('a', '1', 'weak', [0, 1]),
  ...rolloutsOf('a', '2', 'weak', [0, 0]),
  ...rolloutsOf('b', '1', 'weak', [0, 0]),
  ...rolloutsOf('b', '2', 'weak', [0, 0]),
  ...rolloutsOf('a', '1', 'strong', [1, 1]),
  ...rolloutsOf('a', '2', 'strong', [1, 1]),
  ...rolloutsOf('b', '1', 'strong', [1, 1]),
  ...rolloutsOf('b', '2', 'strong', [0, 1]),
])

describe('a replay with known answers', () => {
  const plan = replayPlan(tiny, 2, 2)

  it('the oracle finds every informative group, the best that can be', () => {
    expect(plan).toEqual([
      { rung: 0, picks: 2 },
      { rung: 1, picks: 2 },
    ])
    const run = replayArm(tiny, plan, arm('oracle'), 1)
    expect(run).toMatchObject({ picks: 4, informative: 2, meanVariance: 0.25 })
  })

  it('uniform choice finds what is there in the mean', () => {
    const found = seeds(400).map((seed) => replayArm(tiny, plan, arm('uniform'), seed).informative / 4)
    const mean = found.reduce((a, b) => a + b, 0) / found.length
    expect(Math.abs(mean - 0.25)).toBeLessThan(0.03)
  })
})

describe('what a scheduler is told', () => {
  const ladder = buildLadder(
    'any',
    madeUpHistory({}, (task) => (task < 10 ? ['open'] : ['shut'])),
  )
  const plan = replayPlan(ladder, 20, 8)

  it('is what it picked, once a rung, and nothing before', () => {
    const picked: number[][] = []
    const told: Group[][] = []
    let given: SchedulerInput | null = null
    replayArm(
      ladder,
      plan,
      {
        name: 'spy',
        core: false,
        needsStructure: false,
        ablation: false,
        make: (input) => {
          given = input
          return {
            next: (_step, count, open) => {
              const chosen = [...open!.keys()].filter((task) => open![task] === 1).slice(0, count)
              picked.push(chosen)
              return chosen
            },
            observe: (_step, groups) => void told.push([...groups]),
          }
        },
      },
      1,
    )
    expect(told.map((groups) => groups.map(({ task }) => task))).toEqual(picked)
    told.forEach((groups, step) => {
      for (const { task, rollouts } of groups)
        expect(rollouts.map(({ reward }) => reward)).toEqual(ladder.rungs[plan[step]!.rung]!.groups[task]!.rewards)
    })
    ladder.rungs.forEach((_, rung) => {
      const here = picked.flatMap((tasks, step) => (plan[step]!.rung === rung ? tasks : []))
      expect(new Set(here).size).toBe(here.length)
    })
    // tools are learnt from told rollouts: before the first there are none
    expect(given!.taskSet.tasks.every(({ tools }) => tools.length === 0)).toBe(true)
  })

  it('refuses a pick that is not on offer', () => {
    const cheat = { ...arm('uniform'), make: () => ({ next: () => [0, 0], observe: () => undefined }) }
    expect(() => replayArm(ladder, plan, cheat, 1)).toThrow('Task 0 is not on offer')
  })

  it('choices do not depend on groups that were never picked', () => {
    const one = replayArm(ladder, plan.slice(0, 1), arm('envsched'), 3)
    const others = buildLadder(
      'any',
      madeUpHistory({}, (task) => (task < 10 ? ['open'] : ['shut'])).map((row) =>
        row.model === 'model 3' ? { ...row, reward: 1 } : row,
      ),
    )
    expect(replayArm(others, plan.slice(0, 1), arm('envsched'), 3)).toEqual(one)
  })
})

describe('every arm', () => {
  const ladder = buildLadder(
    'any',
    madeUpHistory({ tasks: 12 }, (task) => (task < 6 ? ['open'] : ['shut'])),
  )
  const plan = replayPlan(ladder, 12, 6)

  it.each(REPLAY_ARMS.map(({ name }) => name))('%s fills its batches and is the same for the same seed', (name) => {
    const run = replayArm(ladder, plan, arm(name), 5)
    expect(run.picks).toBe(plan.reduce((sum, { picks }) => sum + picks, 0))
    expect(replayArm(ladder, plan, arm(name), 5)).toEqual(run)
  })

  it('forecasts come before groups are told: each predictor sees the same uniform draws', () => {
    const { predictors, groups } = watch(ladder, plan, 2)
    const names = Object.keys(predictors)
    expect(names).toEqual(
      expect.arrayContaining([
        'envsched',
        'envsched-no-structure',
        'envsched-placebo',
        'global-mean',
        'environment-mean',
        'task-history',
      ]),
    )
    for (const name of names)
      expect(predictors[name]!.map(({ realised }) => realised)).toEqual(groups.map(({ variance }) => variance))
    // nothing is known at first: the averages give every task of the first step the same forecast
    const first = predictors['task-history']!.slice(0, plan[0]!.picks)
    expect(new Set(first.map(({ variance }) => variance)).size).toBe(1)
  })

  it('adds up to a report with paired differences and no NaN', () => {
    const options = { arms: 'core', steps: 12, picks: 6 }
    const outcomes = seeds(3).map((seed) => replaySeed(ladder, seed, options))
    const report = reportReplay(ladder, outcomes, options)
    expect(JSON.stringify(report)).not.toContain('NaN')
    const of = (name: string) => report.arms.find((one) => one.arm === name)!
    expect(of('oracle')).toMatchObject({ normalisedGain: 1 })
    expect(of('uniform')).toMatchObject({ normalisedGain: 0, againstUniform: null })
    expect(of('envsched').againstEnvThenTask?.mean).toBeCloseTo(
      of('envsched').informativeShare - of('env-then-task').informativeShare,
      12,
    )
    expect(report).toMatchObject({
      eligible: false,
      why: 'It has 288 repeated groups, 500 are needed.',
      hasTools: true,
    })
    expect(report.prediction?.ceilingMethod).toBe('mixture')
    expect(Object.keys(report.shadows)).toContain('envsched-placebo')
  })
})
