import { describe, expect, it } from 'vitest'
import { buildLadder } from '@/lib/testbed/replay/ladder'
import { replayPlan } from '@/lib/testbed/replay/replay-plan'
import { trialOrder } from '@/lib/testbed/replay/trial-order'
import { madeUpHistory, rolloutsOf } from '@/tests/support/replay-rows'

describe('the ladder', () => {
  it('orders models by mean reward and makes one group of the trials of a task and model', () => {
    const ladder = buildLadder('any', [
      ...rolloutsOf('a', '1', 'strong', [1, 1, 0]),
      ...rolloutsOf('a', '2', 'strong', [1, 1]),
      ...rolloutsOf('a', '1', 'weak', [0, 0, 1]),
      ...rolloutsOf('a', '2', 'weak', [0, 0]),
    ])
    expect(ladder.rungs.map(({ model }) => model)).toEqual(['weak', 'strong'])
    expect(ladder.rungs.map(({ groups }) => groups.map((group) => group?.rewards))).toEqual([
      [
        [0, 0, 1],
        [0, 0],
      ],
      [
        [1, 1, 0],
        [1, 1],
      ],
    ])
    expect(ladder.rungs[0]?.groups[0]).toMatchObject({ informative: true, mean: 1 / 3 })
    expect(ladder.rungs[0]?.groups[0]?.variance).toBeCloseTo(1 / 3, 12)
    expect(ladder.rungs[0]?.groups[1]).toMatchObject({ informative: false, mean: 0, variance: 0 })
    expect(ladder).toMatchObject({ repeatedGroups: 4, repeatedModels: 2, groupSize: 3 })
  })

  it('counts what has no reward, an error or was given twice, and never makes a zero of it', () => {
    const ladder = buildLadder('any', [
      ...rolloutsOf('a', '1', 'm', [1, null, Number.NaN, 1]),
      ...rolloutsOf('a', '1', 'm', [0]),
      ...rolloutsOf('a', '2', 'm', [0, 0], { failed: true }),
      ...rolloutsOf('a', '3', 'm', [0]),
    ])
    expect(ladder.leftOut).toEqual({ noReward: 2, failed: 2, repeated: 1 })
    expect(ladder.tasks.map(({ key }) => key)).toEqual(['1'])
    expect(ladder.rungs[0]?.groups[0]?.rewards).toEqual([1, 1])
    expect(ladder.rungs[0]?.meanReward).toBe(2 / 3)
  })

  it('takes [0, 1] for the range where rewards lie inside, else their lowest and highest', () => {
    const ladder = buildLadder('any', [
      ...rolloutsOf('inside', '1', 'm', [0.2, 0.4]),
      ...rolloutsOf('wide', '1', 'm', [-5, 15]),
    ])
    expect(ladder.environments.map(({ range }) => range)).toEqual([
      [0, 1],
      [-5, 15],
    ])
    expect(ladder.rungs[0]?.groups[1]?.variance).toBe(0.5)
  })

  it('takes a field for declared only if no rollout of a task ever differs in it', () => {
    const rows = madeUpHistory({ environments: 2, tasks: 8, models: 2 }).map((row, k) => ({
      ...row,
      fields: {
        level: row.task < 'task 4' ? 'easy' : 'hard',
        ended: row.reward === 1 ? 'well' : 'badly',
        id: String(k),
      },
    }))
    const ladder = buildLadder('any', rows)
    expect(ladder.declaredFields).toEqual(['level'])
    expect(ladder.tasks[0]?.checks).toEqual(['level easy'])
  })

  it('knows retries from draws', () => {
    const retries = Array.from({ length: 60 }, (_, t) => rolloutsOf('a', `${t}`, `m${t % 2}`, [0, 0, 1, 1, 1])).flat()
    expect(trialOrder(buildLadder('any', retries))).toMatchObject({ neverFalls: 1, dependent: true })
    expect(trialOrder(buildLadder('any', madeUpHistory()))?.dependent).toBe(false)
    expect(trialOrder(buildLadder('any', rolloutsOf('a', '1', 'm', [0, 1])))).toBeNull()
  })
})

describe('the plan', () => {
  const ladder = buildLadder('any', madeUpHistory({ environments: 2, tasks: 20, models: 3 }))

  it('spreads the steps over the rungs', () => {
    expect(replayPlan(ladder, 6, 4).map(({ rung }) => rung)).toEqual([0, 0, 1, 1, 2, 2])
    expect(replayPlan(ladder, 2, 4).map(({ rung }) => rung)).toEqual([0, 1])
  })

  it('takes half of a rung at most', () => {
    const taken = [0, 0, 0]
    for (const { rung, picks } of replayPlan(ladder, 60, 16)) taken[rung]! += picks
    expect(taken.map((count) => count <= 20 && count >= 15)).toEqual([true, true, true])
    expect(replayPlan(buildLadder('any', []), 60, 16)).toEqual([])
  })
})
