/** Groups and rollouts for tests of what the Rollouts page says. */
import type { RolloutDetail, RolloutGroup, Sibling } from '@/lib/contract/rollout-group'
import { group as result, task } from '@/tests/support/view-fixtures'

/** "10x?": 1 solved, 0 failed, x untrusted, ? still out. */
export function rolloutGroup(marks: string, parts: Partial<RolloutGroup> = {}): RolloutGroup {
  const id = parts.id ?? 'g7'
  return {
    id,
    number: Number(id.slice(1)),
    task: task('airline_27', 'AIR'),
    policyVersion: 60,
    batch: 61,
    slot: 'score',
    late: false,
    superseded: false,
    predictedVariance: null,
    result: result(marks),
    rollouts: [...marks].flatMap((mark, at) =>
      mark === '?'
        ? []
        : [
            {
              ref: `r${id.slice(1)}${at}`,
              position: at + 1,
              status: mark === 'x' ? ('infra_error' as const) : ('ok' as const),
              reward: mark === 'x' ? null : Number(mark),
              fill: mark === 'x' ? null : Number(mark),
              distrust: mark === 'x' ? ('status' as const) : null,
              turns: 3,
              tokens: 100,
              seconds: 1,
            },
          ],
    ),
    hidden: 0,
    ...parts,
  }
}

export type Check = Sibling['rewardComponents'][number]

export function sibling(fill: number | null, checks: Check[] = [], parts: Partial<Sibling> = {}): Sibling {
  return {
    id: 'own-1',
    ref: 'r1',
    group: 'g7',
    lease: 'l7',
    batch: 61,
    superseded: false,
    task: task('airline_27', 'AIR'),
    policyVersion: 60,
    reward: fill,
    outcome: null,
    status: fill === null ? 'infra_error' : 'ok',
    trusted: fill !== null,
    distrust: fill === null ? 'status' : null,
    turns: null,
    tokens: null,
    seconds: null,
    tools: [],
    rewardComponents: checks,
    error: null,
    worker: null,
    at: '2026-11-29T12:00:00.000Z',
    fill,
    ...parts,
  }
}

/** One rollout a mark, with its checks by name and value. */
export function siblingsOf(marks: string, checks: (at: number) => Record<string, number | null>): Sibling[] {
  return [...marks].flatMap((mark, at) =>
    mark === '?'
      ? []
      : [
          sibling(
            mark === 'x' ? null : Number(mark),
            Object.entries(checks(at)).map(([name, value]) => ({ name, value })),
          ),
        ],
  )
}

export const verdictOf = (marks: string, siblings: Sibling[]): Pick<RolloutDetail, 'in' | 'siblings'> => ({
  in: rolloutGroup(marks),
  siblings,
})
