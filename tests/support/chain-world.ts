/**
 * A small world with a known truth: tasks are chains of tool calls, every call must succeed, calls of one name and role are alike
 * across environments and a little different in each. The policy improves slowly. Pure: the seed is the only input.
 */
import type { EngineTaskSet, Role } from '@/lib/engine/task-set'
import { randomOf } from '@/tests/support/random-set'

const SKILLS: [string, Role][] = [
  ['get_order', 'read'],
  ['search_flights', 'search'],
  ['create_ticket', 'create'],
  ['update_seat', 'update'],
  ['delete_file', 'delete'],
  ['calculate_total', 'compute'],
  ['send_message', 'communicate'],
  ['list_users', 'read'],
  ['find_hotel', 'search'],
  ['book_trip', 'create'],
]

export interface ChainWorld {
  set: EngineTaskSet
  /** probability of success of a task after `step` steps of training */
  chance: (task: number, step: number) => number
  random: () => number
}

export function chainWorld(seed: number, environments = 10, perEnvironment = 20): ChainWorld {
  const random = randomOf(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const skill = SKILLS.map(() => 1.4 + 1.3 * normal())
  const level = Array.from({ length: environments }, () => 0.7 * normal())
  const local = level.map(() => SKILLS.map(() => 0.8 * normal()))
  const chains: number[][] = []
  const set: EngineTaskSet = {
    environments: level.map((_, e) => ({
      key: `environment ${e}`,
      tools: SKILLS.map(([name, role]) => ({ name, role, description: null, parameters: [] })),
      state: [],
      verifier: { kind: null, checks: [] },
      rewardRange: [0, 1],
      horizon: null,
      maxConcurrent: null,
    })),
    tasks: level.flatMap((_, environment) =>
      Array.from({ length: perEnvironment }, (_, k) => {
        const chain = Array.from({ length: 1 + Math.floor(random() * 5) }, () => Math.floor(random() * SKILLS.length))
        chains.push(chain)
        return {
          environment,
          key: `task ${k}`,
          text: null,
          tools: chain.map((c) => SKILLS[c]![0]),
          state: [],
          checks: [],
        }
      }),
    ),
  }
  const chance = (task: number, step: number) => {
    const e = set.tasks[task]!.environment
    return chains[task]!.reduce((q, c) => q / (1 + Math.exp(-(skill[c]! + level[e]! + local[e]![c]! + 0.03 * step))), 1)
  }
  return { set, chance, random }
}

/** Rank correlation of two lists. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const ranks = (list: readonly number[]) => {
    const order = list.map((_, i) => i).sort((i, j) => list[i]! - list[j]!)
    const rank = new Array<number>(list.length)
    for (let at = 0; at < order.length; ) {
      let end = at
      while (end < order.length && list[order[end]!] === list[order[at]!]) end++
      for (let k = at; k < end; k++) rank[order[k]!] = (at + end - 1) / 2
      at = end
    }
    return rank
  }
  const x = ranks(a)
  const y = ranks(b)
  const middle = (a.length - 1) / 2
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = 0; i < a.length; i++) {
    xy += (x[i]! - middle) * (y[i]! - middle)
    xx += (x[i]! - middle) ** 2
    yy += (y[i]! - middle) ** 2
  }
  return xy / Math.sqrt(xx * yy)
}
