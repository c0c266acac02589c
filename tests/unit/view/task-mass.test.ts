import { describe, expect, it } from 'vitest'
import type { TaskDetail } from '@/lib/contract/task'
import { tightQuotas } from '@/lib/view/steering-quota'
import { varianceTicks } from '@/lib/view/task-chart'
import { fadedSentence, massLeft } from '@/lib/view/task-mass'
import { evidence, group, steering } from '@/tests/support/view-fixtures'

const reported = (policyVersion: number, marks: string) => ({
  policyVersion,
  batch: null,
  result: group(marks),
  turns: null,
})
const with_ = (policies: number[]) =>
  ({ groups: policies.map((policy) => reported(policy, '00000000')) }) as unknown as TaskDetail

describe('massLeft', () => {
  it('joins by policy version and tells still out, untrusted and faded apart', () => {
    expect(massLeft(reported(60, '10110010'), evidence())).toEqual({ kind: 'left', mass: 7.3 })
    expect(massLeft(reported(11, '00000000'), evidence())).toEqual({ kind: 'faded' })
    expect(massLeft(reported(64, '10x?????'), evidence())).toEqual({ kind: 'not_yet' })
    expect(massLeft(reported(64, 'xxxxxxxx'), evidence())).toEqual({ kind: 'none' })
    expect(massLeft({ ...reported(64, '10110010'), batch: 65 }, evidence())).toEqual({ kind: 'not_yet' })
  })

  it('names what is no row of the tree', () => {
    expect(fadedSentence(with_([60, 51]), evidence())).toBeNull()
    expect(fadedSentence(with_([28, 60, 11]), evidence())).toContain('Its groups of policies 11 and 28 have faded')
    expect(fadedSentence(with_([1, 2, 3, 4, 5, 6]), evidence())).toContain('policies 1, 2, 3 and 3 more')
    expect(fadedSentence(with_([11]), evidence())).toContain('Its group of policy 11 has')
  })
})

describe('axes and orders', () => {
  it('grows the variance axis to the largest mark and never shrinks it', () => {
    expect(varianceTicks([]).at(-1)).toBe(0.25)
    expect(varianceTicks([0.286]).at(-1)).toBeGreaterThanOrEqual(0.286)
    expect(varianceTicks([Number.NaN, 0.1])[0]).toBe(0)
  })

  it('shows the tightest quotas first', () => {
    const quotas = steering().quotas
    expect(tightQuotas(quotas, 2)[0]).toBe('e4')
    const unset = quotas.map((quota) => ({ ...quota, lower: 0, upper: 1, window: 0, used: 0 }))
    expect(tightQuotas(unset, 2)).toEqual(['e0', 'e1'])
    // A quota in force is shown beyond the count, 0 included.
    const last = unset.map((quota, i) => (i === unset.length - 1 ? { ...quota, lower: 0.12 } : quota))
    expect(tightQuotas(last, 0)).toEqual([last.at(-1)?.environment.id])
  })
})
