import { describe, expect, it } from 'vitest'
import type { ReplayArmReport, ReplayReport } from '@/lib/contract/replay'
import { replayLine, replayPrediction, replayTwin, replayVerdict } from '@/lib/view/replay-words'

function arm(name: string, share: number, more: Partial<ReplayArmReport> = {}): ReplayArmReport {
  return {
    arm: name,
    informativeShare: share,
    standardError: 0.01,
    meanVariance: 0.1,
    normalisedGain: null,
    environmentsSeen: 4,
    tasksSeen: 40,
    scoreSlots: null,
    uniformSlots: null,
    againstUniform: null,
    againstEnvThenTask: null,
    perSeed: [],
    ...more,
  }
}

function report(overUniform: number, overAverage: number, error = 0.01): ReplayReport {
  const difference = (mean: number) => ({ mean, standardError: error })
  return {
    tasks: 80,
    environments: 4,
    ladder: [
      { model: 'policy 0', meanReward: 0.2, groups: 80, informativeShare: 0.4 },
      { model: 'policy 1', meanReward: 0.4, groups: 80, informativeShare: 0.4 },
    ],
    groupSize: 4,
    repeatedGroups: 160,
    steps: 60,
    picks: 16,
    seeds: [1, 2, 3],
    arms: [
      arm('uniform', 0.3),
      arm('env-then-task', 0.3 + overUniform - overAverage),
      arm('envsched', 0.3 + overUniform, {
        againstUniform: difference(overUniform),
        againstEnvThenTask: difference(overAverage),
      }),
    ],
    prediction: {
      spearman: 0.34,
      shareOfCeiling: 0.5,
      ceiling: 0.68,
      ceilingAuc: 0.9,
      ceilingMethod: 'mixture',
      auc: 0.7,
      logLoss: 0.6,
      meanAbsoluteError: 0.1,
      ownPicks: null,
      againstShadows: { 'task-history': difference(-0.05), 'envsched-no-structure': difference(0.001) },
    },
    shadows: {
      'task-history': { spearman: 0.39, shareOfCeiling: 0.57, auc: 0.7, logLoss: 0.6, meanAbsoluteError: 0.1 },
      'envsched-no-structure': { spearman: 0.339, shareOfCeiling: 0.5, auc: 0.7, logLoss: 0.6, meanAbsoluteError: 0.1 },
    },
  }
}

describe('the verdict of a replay', () => {
  it('says what was found and where it is ahead', () => {
    expect(replayVerdict(report(0.1, 0.05))).toBe(
      'EnvSched would have found 40.0\u00a0% informative groups on this history, uniform choice 30.0\u00a0%; it is ahead of a plain average by environment and task, 35.0\u00a0%.',
    )
  })

  it('says plainly that a simple average found more', () => {
    expect(replayVerdict(report(0.1, -0.1))).toContain(
      'a plain average by environment and task would have found more, 50.0',
    )
  })

  it('says nothing of a lead that may be chance', () => {
    expect(replayVerdict(report(0.015, 0.015))).toContain('not clearly other than uniform choice')
    expect(replayVerdict(report(0.1, 0.05, 0.04))).toContain('found about as many')
    expect(replayVerdict(report(-0.1, -0.1))).toContain('fewer informative groups than uniform choice')
  })

  it('sets predictions beside the best simple one and says when structure does not help', () => {
    expect(replayPrediction(report(0.1, 0.1))).toBe(
      'Its predictions rank groups at 0.34, 50\u00a0% of the 0.68 that the noise of 4 rollouts a group allows. That is clearly worse than the best simple predictor, history of the task with 0.39. The structure of the task set does not help clearly.',
    )
    expect(replayPrediction({ ...report(0.1, 0.1), prediction: null })).toContain('too little')
  })

  it('tells progress, and every arm in the table', () => {
    const job = { state: 'running', why: null, startedAt: 0, finishedAt: null, rolloutsSince: 0, report: null } as const
    expect(replayLine({ ...job, done: 10, total: 40, secondsLeft: 30 })).toBe('10 of 40 replays, 30\u00a0s left')
    expect(replayLine({ ...job, done: 0, total: null, secondsLeft: null })).toBe('Reading the groups')
    expect(replayTwin(report(0.1, 0.1)).rows.map(([name]) => name)).toEqual([
      'Uniform choice',
      'Average by environment and task',
      'EnvSched',
    ])
  })
})
