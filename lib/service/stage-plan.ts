/**
 * Two-stage groups: what is due of a batch, given what came back of it. Pure.
 * Owns: the budget. A batch may hand out size times groupSize rollouts. Each pick costs its first stage, and keeps its second
 * until that is decided; what groups that stop leave over buys further picks, whole ones first. The last of the budget, when nothing is
 * undecided any more, buys one that has less, or nothing, for a second stage.
 * Invariant: rollouts handed out never exceed the budget; less than a first stage of it is left when there are tasks enough.
 * A group continues when the trusted rewards among the first stage's rollouts differ. One that cannot tell, since fewer than two are trusted, stops.
 */

export interface StagedGroup {
  group: number
  /** rollouts of the first stage, and kept for the second */
  first: number
  rest: number
  /** rollouts that the second stage was given, null = not decided */
  second: number | null
  returned: number
  /** nothing more can come of it that counts: absorbed, or its lease is over */
  ended: boolean
  /** its first rollouts in the order they came; at least those of the first stage where it is complete and not decided */
  rollouts: readonly { id: string; seq: number; value: number | null }[]
}

export interface StagePlan {
  decisions: { group: number; second: number; by: string; seq: number }[]
  /** picks that can be bought, and rollouts kept for the second stage of each */
  picks: number
  rest: number
}

export function planStages(
  budget: number,
  [first, second]: readonly [number, number],
  groups: readonly StagedGroup[],
): StagePlan {
  const decisions: StagePlan['decisions'] = []
  let left = budget
  let waiting = 0
  for (const group of groups) {
    const decided = group.second === null ? decisionOf(group) : null
    if (decided !== null) decisions.push(decided)
    const given = group.second ?? decided?.second ?? null
    const open = given === null && !group.ended
    if (open) waiting += 1
    const most = group.first + group.rest
    left -= Math.max(open ? most : group.first + (given ?? 0), Math.min(most, group.returned))
  }
  const whole = Math.floor(Math.max(0, left) / (first + second))
  if (whole > 0) return { decisions, picks: whole, rest: second }
  if (waiting === 0 && left >= first) return { decisions, picks: 1, rest: Math.min(second, left - first) }
  return { decisions, picks: 0, rest: 0 }
}

function decisionOf({
  group,
  first,
  rest,
  returned,
  ended,
  rollouts,
}: StagedGroup): StagePlan['decisions'][number] | null {
  const last = rollouts[first - 1]
  if (ended || returned < first || last === undefined) return null
  const values = rollouts.slice(0, first).flatMap(({ value }) => (value === null ? [] : [value]))
  const differ = values.some((value) => value !== values[0])
  return { group, second: differ ? rest : 0, by: last.id, seq: last.seq }
}
