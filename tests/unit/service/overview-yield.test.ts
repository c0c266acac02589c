import { describe, expect, it } from 'vitest'
import { emptyGroup } from '@/lib/service/group-book'
import { overviewSeries, yieldOf } from '@/lib/service/overview'
import { emptyHistory, type RunHistory } from '@/lib/service/run-history'
import type { GroupRow } from '@/lib/store/group'
import { leftOutWords, uninformativeWords } from '@/lib/view/yield-words'

const complete = (number: number, values: readonly number[]): GroupRow => ({
  ...emptyGroup({ number, lease: number, batch: 1, slot: 'score', task: 0, policyVersion: 0 }),
  state: 'complete',
  returned: values.length,
  trusted: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  sumSquares: values.reduce((sum, value) => sum + value * value, 0),
})

const historyOf = (groups: readonly GroupRow[]): RunHistory => ({
  ...emptyHistory(),
  batches: [{ index: 1, groupSize: 2, policyVersion: 0, record: {} } as RunHistory['batches'][number]],
  groups: new Map(groups.map((group) => [group.number, group])),
  ofBatch: new Map([[1, groups.map(({ number }) => number)]]),
})

describe('the yield', () => {
  it('tells groups that are complete and not yet absorbed', () => {
    const history = historyOf([complete(1, [1, 0]), complete(2, [1, 1]), complete(3, [0, 0])])
    expect(yieldOf(history, new Set())).toMatchObject({ trusted: 3, informative: 1, allSolved: 1, allFailed: 1 })
  })

  it('names every trusted group, so that its parts add up', () => {
    const sums = yieldOf(
      historyOf([complete(1, [1, 0]), complete(2, [1, 1]), complete(3, [0.5, 0.5]), complete(4, [1])]),
      new Set(),
    )
    expect(sums).toMatchObject({ trusted: 4, informative: 1, allSolved: 1, allFailed: 0, allEqual: 1, single: 1 })
    expect(uninformativeWords(sums)).toBe('1 all solved, 0 all failed, 1 equal in between, 1 with one trusted rollout')
  })

  it('says of rollouts that they are rollouts', () => {
    const sums = yieldOf(historyOf([complete(1, [1, 0])]), new Set())
    expect(leftOutWords(sums)).toBe('no rollout was refused')
    expect(leftOutWords({ ...sums, untrusted: 2, statuses: { infra_error: 2 } })).toBe(
      'rollouts left out: 2 infra errors',
    )
  })
})

describe('the share of one batch', () => {
  it('is not told before all of its groups are back', () => {
    const back = [complete(1, [1, 1]), complete(2, [1, 0])]
    expect(overviewSeries(historyOf(back))[0]).toMatchObject({ informativeShare: 0.5, informativeMean: 0.5 })
    const out: GroupRow = { ...complete(3, []), state: 'open' }
    expect(overviewSeries(historyOf([...back, out]))[0]).toMatchObject({ informativeShare: null, informativeMean: 0.5 })
  })
})
