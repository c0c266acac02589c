import { describe, expect, it } from 'vitest'
import { groupsToLookAt, regroup } from '@/lib/service/restore/restore-groups'
import type { GroupRow } from '@/lib/store/group'
import type { RolloutRow } from '@/lib/store/rollout'
import { groupRow, leaseRow, rolloutRow } from '@/tests/support/store-rows'

const place = { seq: 10, rollouts: 20 }
const gone = { batches: new Set([3]), leases: new Set([30]) }

const arrived = (seq: number, group: number, parts: Partial<RolloutRow> = {}): RolloutRow => ({
  ...rolloutRow(`r${seq}`, { group, lease: group, ...parts }),
  seq,
})

function regrouped(groups: GroupRow[], rollouts: RolloutRow[]) {
  const leases = new Map([1, 2, 3].map((number) => [number, leaseRow(number, { groupSize: 2 })]))
  return regroup(groups, rollouts, leases, place, gone, 100)
}

const leased = (number: number, parts: Partial<GroupRow> = {}) =>
  groupRow(number, { lease: number, batch: 2, state: 'absorbed', logSeq: 15, returned: 2, mean: 0.5, ...parts })

describe('groups after a restore', () => {
  it('leaves alone what the line has absorbed, and supersedes what is of later batches and later picks', () => {
    const old = leased(1, { logSeq: 10 })
    const later = leased(2, { batch: 3 })
    const bought = leased(30, { batch: 2 })
    expect(groupsToLookAt([old, later, bought], place, gone)).toEqual([])
    expect(regrouped([old, later, bought], [])).toEqual({
      groups: [],
      superseded: [2, 30],
      moves: [],
      leases: [],
      groupCount: 100,
    })
  })

  it('makes due again what had come whole, as it was counted then', () => {
    const made = regrouped([leased(1)], [arrived(18, 1, { value: 0 }), arrived(20, 1)])
    expect(made.groups).toMatchObject([
      { number: 1, state: 'complete', completedOrder: 20, logSeq: null, returned: 2, trusted: 2, sum: 1, mean: null },
    ])
    expect(made.leases).toEqual([{ number: 1, state: 'complete' }])
  })

  it('splits a group in which some came later, and opens an empty one where all did', () => {
    const made = regrouped([leased(1), leased(2)], [arrived(20, 1), arrived(21, 1), arrived(22, 2), arrived(23, 2)])
    expect(
      made.groups.map(({ number, lease, state, returned, superseded }) => [number, lease, state, returned, superseded]),
    ).toEqual([
      [1, 1, 'open', 1, false],
      [101, 1, 'open', 1, true],
      [102, 2, 'open', 0, false],
    ])
    expect(made.moves).toEqual([{ group: 1, to: 101 }])
    expect(made.superseded).toEqual([2])
    expect(made.leases).toEqual([
      { number: 1, state: 'open' },
      { number: 2, state: 'open' },
    ])
    expect(made.groupCount).toBe(102)
  })

  it('opens an expired pick again under its own number, and drops late groups and groups without lease that came later', () => {
    const expired = leased(1, { returned: 0 })
    const late = groupRow(40, { lease: 2, batch: 2, late: true })
    const alone = groupRow(41, { task: 7 })
    const made = regrouped([expired, late, alone], [arrived(25, 40, { lease: 2 }), arrived(26, 41, { lease: null })])
    expect(made.groups.map(({ number, state, returned }) => [number, state, returned])).toEqual([[1, 'open', 0]])
    expect(made.superseded).toEqual([40, 41])
  })

  it('decides a first stage anew only where the decision came later', () => {
    const staged = { firstStage: 2, restStage: 2, decidedBy: 'r20' }
    const rows = [arrived(19, 1), arrived(20, 1, { value: 0 })]
    expect(regrouped([leased(1, { ...staged, secondStage: 2 })], rows).groups).toMatchObject([
      { state: 'open', secondStage: 2, decidedBy: 'r20', returned: 2 },
    ])
    expect(regrouped([leased(1, { ...staged, secondStage: 0 })], rows).groups).toMatchObject([
      { state: 'open', secondStage: null, decidedBy: null },
    ])
  })
})
