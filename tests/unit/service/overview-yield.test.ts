import { describe, expect, it } from 'vitest'
import { emptyGroup } from '@/lib/service/group-book'
import { yieldOf } from '@/lib/service/overview'
import type { RunHistory } from '@/lib/service/run-history'
import type { GroupRow } from '@/lib/store/group'

const complete = (number: number, values: readonly number[]): GroupRow => ({
  ...emptyGroup({ number, lease: number, batch: 1, slot: 'score', task: 0, policyVersion: 0 }),
  state: 'complete',
  returned: values.length,
  trusted: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  sumSquares: values.reduce((sum, value) => sum + value * value, 0),
})

describe('the yield', () => {
  it('tells groups that are complete and not yet absorbed', () => {
    const groups = [complete(1, [1, 0]), complete(2, [1, 1]), complete(3, [0, 0])]
    const history: RunHistory = {
      batches: [{ index: 1, groupSize: 2 } as RunHistory['batches'][number]],
      groups: new Map(groups.map((group) => [group.number, group])),
      ofBatch: new Map([[1, [1, 2, 3]]]),
      absorbed: [],
      seq: 0,
      mark: '',
    }
    expect(yieldOf(history, new Set())).toMatchObject({ trusted: 3, informative: 1, allSolved: 1, allFailed: 1 })
  })
})
