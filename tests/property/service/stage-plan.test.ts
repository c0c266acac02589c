import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planStages, type StagedGroup } from '@/lib/service/stage-plan'

interface Play {
  size: number
  first: number
  second: number
  /** by pick: its rewards in order, null = untrusted */
  rewards: (pick: number, k: number) => number | null
  /** tasks that there are */
  tasks: number
  /** how many of the undecided picks come back before the next plan is made */
  atOnce: (turn: number) => number
  /** picks that never come back, whose lease ends only when nothing else is left to do */
  isLost: (pick: number) => boolean
}

const given = (group: StagedGroup) => group.first + (group.second ?? 0)

/** Plays a batch to its end as a server would, one plan after each report. */
function play({ size, first, second, rewards, tasks, atOnce, isLost }: Play): StagedGroup[] {
  const groups: StagedGroup[] = []
  const add = (count: number, rest: number) => {
    for (let k = 0; k < count && groups.length < tasks; k += 1)
      groups.push({ group: groups.length, first, rest, second: null, returned: 0, ended: false, rollouts: [] })
  }
  add(size, second)
  for (let turn = 0; turn < 10_000; turn += 1) {
    const out = groups.filter((group) => group.second === null && !group.ended && group.returned === 0)
    const coming = out.filter(({ group }) => !isLost(group)).slice(0, Math.max(1, atOnce(turn)))
    if (coming.length === 0) for (const group of out) group.ended = true
    for (const group of coming) {
      group.returned = first
      group.rollouts = Array.from({ length: first }, (_, k) => ({
        id: `${group.group}-${k}`,
        seq: group.group * first + k,
        value: rewards(group.group, k),
      }))
    }
    const plan = planStages(size * (first + second), [first, second], groups)
    for (const decision of plan.decisions) {
      const group = groups[decision.group]
      if (group === undefined) throw new Error('no such group')
      group.second = decision.second
      group.returned = given(group)
    }
    const before = groups.length
    add(plan.picks, plan.rest)
    expect(groups.reduce((sum, group) => sum + given(group), 0)).toBeLessThanOrEqual(size * (first + second))
    if (coming.length === 0 && groups.length === before && plan.decisions.length === 0) return groups
  }
  throw new Error('the budget was never spent')
}

/** The slow way: what a trainer that does everything one after the other would hand out. Counts rollouts only. */
function oneByOne({ size, first, second, rewards, tasks, isLost }: Play): number {
  let left = size * (first + second)
  for (let pick = 0; pick < tasks && left >= first; pick += 1) {
    left -= first
    if (isLost(pick)) continue
    const values = Array.from({ length: first }, (_, k) => rewards(pick, k)).filter((value) => value !== null)
    if (new Set(values).size > 1) left -= Math.min(left, second)
  }
  return size * (first + second) - left
}

const plays = fc
  .record({
    size: fc.integer({ min: 1, max: 20 }),
    first: fc.integer({ min: 2, max: 9 }),
    second: fc.integer({ min: 1, max: 9 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
    dull: fc.integer({ min: 0, max: 10 }),
    lost: fc.integer({ min: 0, max: 4 }),
    atOnce: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ seed, dull, lost, atOnce, ...sizes }): Omit<Play, 'tasks'> => {
    const draw = (a: number, b: number) => Math.imul(seed + 31 * a + 7 * b, 2654435761) >>> 8
    return {
      ...sizes,
      atOnce: (turn) => draw(turn, 5) % atOnce,
      isLost: (pick) => draw(pick, 9) % 10 < lost,
      rewards: (pick, k) =>
        draw(pick, 100 + k) % 12 === 0 ? null : draw(pick, 1) % 10 < dull ? 1 : draw(pick, 200 + k) % 2,
    }
  })

describe('the budget of two-stage groups', () => {
  test('is spent to less than a first stage, as one by one would spend it, and never overdrawn', () => {
    fc.assert(
      fc.property(plays, (play_) => {
        const tasks = 1000
        const groups = play({ ...play_, tasks })
        const budget = play_.size * (play_.first + play_.second)
        const handed = groups.reduce((sum, group) => sum + given(group), 0)
        expect(handed).toBeLessThanOrEqual(budget)
        expect(budget - handed).toBeLessThan(play_.first)
        expect(budget - oneByOne({ ...play_, tasks })).toBeLessThan(play_.first)
        for (const { first, rest, second, rollouts } of groups) {
          const values = rollouts.slice(0, first).flatMap(({ value }) => (value === null ? [] : [value]))
          if (second !== null) expect(second).toBe(new Set(values).size > 1 ? rest : 0)
        }
        // only the last one may have less for its second stage
        const short = groups.filter(({ rest }) => rest < play_.second)
        expect(short.every((group) => groups.indexOf(group) > play_.size - 1)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('where tasks run out, what can be handed out is', () => {
    fc.assert(
      fc.property(plays, fc.integer({ min: 0, max: 25 }), (play_, tasks) => {
        const all = { ...play_, tasks, isLost: () => false }
        const handed = play(all).reduce((sum, group) => sum + given(group), 0)
        const whole = oneByOne({ ...all, tasks: 1000 }) - play_.first
        if (tasks < play_.size) expect(handed).toBe(oneByOne(all))
        else expect(handed).toBeGreaterThanOrEqual(Math.min(whole, tasks * play_.first))
      }),
      { numRuns: 200 },
    )
  })

  test('rollouts that nobody asked for count against it', () => {
    const rollouts = Array.from({ length: 8 }, (_, k) => ({ id: `r${k}`, seq: k, value: 1 }))
    const group = { group: 0, first: 4, rest: 4, second: null, returned: 8, ended: false, rollouts }
    expect(planStages(16, [4, 4], [group])).toEqual({
      decisions: [{ group: 0, second: 0, by: 'r3', seq: 3 }],
      picks: 1,
      rest: 4,
    })
  })
})
