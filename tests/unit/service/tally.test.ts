import { describe, expect, it } from 'vitest'
import { emptyGroup } from '@/lib/service/group-book'
import { informativeShare, judged, rewardsDiffer } from '@/lib/service/tally'
import type { GroupRow } from '@/lib/store/group'

function complete(values: number[], parts: Partial<GroupRow> = {}): GroupRow {
  return {
    ...emptyGroup({ number: 1, lease: 1, batch: 1, slot: 'score', task: 0, policyVersion: 0 }),
    state: 'complete',
    returned: values.length,
    trusted: values.length,
    sum: values.reduce((sum, value) => sum + value, 0),
    sumSquares: values.reduce((sum, value) => sum + value * value, 0),
    ...parts,
  }
}

describe('rewardsDiffer', () => {
  it('is told of a complete group before it is absorbed', () => {
    expect(rewardsDiffer(complete([1, 0, 1, 0]))).toBe(true)
    expect(rewardsDiffer(complete([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]))).toBe(false)
    expect(rewardsDiffer(complete([0, 0, 0]))).toBe(false)
    expect(rewardsDiffer(complete([-40, -40.001]))).toBe(true)
  })

  it('is unknown of one rollout, and of what is still open', () => {
    expect(rewardsDiffer(complete([1]))).toBeNull()
    expect(rewardsDiffer(complete([1, 0], { state: 'open' }))).toBeNull()
    expect(judged([complete([1]), complete([1, 0])])).toHaveLength(1)
    expect(informativeShare([complete([1])])).toBeNull()
    expect(informativeShare([complete([1, 0]), complete([1, 1])])).toBe(0.5)
  })

  it('keeps what was told when the run absorbed it', () => {
    expect(rewardsDiffer(complete([1, 0], { state: 'absorbed', informative: false }))).toBe(false)
  })
})
